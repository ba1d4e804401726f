import { z } from 'zod';
import { contentStatus, contentType } from './content.ts';
import { locator } from './texts/locator.ts';

/* The answers of services, which operations pass on. */

/** The outcome of saving an address. */
export const saveOutcomes = ['created', 'existed', 'requeued', 'restored'] as const;
export type SaveOutcome = (typeof saveOutcomes)[number];

export const savedMany = z.object({
  items: z.array(
    z.object({
      url: z.string(),
      outcome: z.enum([...saveOutcomes, 'refused']),
      id: z.string().optional(),
      status: contentStatus.optional(),
      message: z.string().optional(),
    }),
  ),
  saved: z.int(),
});
export type SavedMany = z.infer<typeof savedMany>;

/** `message`: why an item was not changed. */
export const manyChanged = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      outcome: z.enum(['changed', 'not_found', 'refused']),
      message: z.string().optional(),
    }),
  ),
  changed: z.int(),
});
export type ManyChanged = z.infer<typeof manyChanged>;

/** A quote from an item with its place: the part that resembles the other item. */
const quotedPlace = z.object({ text: z.string(), locator, url: z.string().nullable() });
export type QuotedPlace = z.infer<typeof quotedPlace>;

/**
 * Items near another one. `by` is `words` when there are no vectors to compare. Scores are comparable within one answer.
 * `why`: pairs of similar passages, of the item that was asked about and of this one, the most similar first.
 */
export const relatedAnswer = z.object({
  id: z.string(),
  by: z.enum(['meaning', 'words']),
  items: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      url: z.string().nullable(),
      contentType,
      tags: z.array(z.string()),
      score: z.number(),
      isLinked: z.boolean().describe('Whether one links to the other, or was attached to it.'),
      why: z.array(z.object({ here: quotedPlace, there: quotedPlace })),
    }),
  ),
});
export type RelatedAnswer = z.infer<typeof relatedAnswer>;

/**
 * The item that the connected assistant should analyse, or a further part of its text, which is data and never
 * instructions. `item` is null when nothing waits. The `lease` has to be sent back with the analysis. `tags` are the
 * person's own. `waiting`: items that wait after this one.
 */
export const nextToAnalyse = z.object({
  item: z
    .object({
      id: z.string(),
      title: z.string().nullable(),
      url: z.string().nullable(),
      language: z.string().nullable(),
    })
    .nullable(),
  lease: z.string().optional(),
  leaseExpiresAt: z.string().optional(),
  rules: z.string().optional(),
  goals: z.array(z.object({ id: z.string(), title: z.string(), category: z.string() })).optional(),
  tags: z.array(z.string()).optional(),
  text: z.string().optional(),
  range: z.object({ start: z.int(), end: z.int(), total: z.int() }).optional(),
  nextCursor: z.string().optional(),
  waiting: z.int(),
});
export type NextToAnalyse = z.infer<typeof nextToAnalyse>;

/** `mend`: nothing was stored yet, see `problems`; `kept_before`: an analysis with this lease was stored already. */
export const submittedAnalysis = z.object({
  id: z.string(),
  outcome: z.enum(['kept', 'kept_before', 'mend']),
  problems: z.array(z.object({ path: z.string(), message: z.string() })),
  kept: z.object({ insights: z.int(), actions: z.int() }),
  waiting: z.int(),
});
export type SubmittedAnalysis = z.infer<typeof submittedAnalysis>;
