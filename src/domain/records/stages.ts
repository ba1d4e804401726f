/** The stages of the pipeline, in order. A job names the stage that it runs next. */
export const stages = ['fetch', 'extract', 'split', 'embed', 'analyse'] as const;
export type Stage = (typeof stages)[number];

/**
 * The kinds of work, in the order in which they get their turns: `read` makes an item findable by its words (extract,
 * split), `fetch` waits for the network, `enrich` adds what can come later (embed, analyse).
 */
export const works = ['read', 'fetch', 'enrich'] as const;
export type Work = (typeof works)[number];

export function workOf(stage: Stage): Work {
  if (stage === 'fetch') return 'fetch';
  return stage === 'extract' || stage === 'split' ? 'read' : 'enrich';
}
