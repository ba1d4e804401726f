import { headingName, plainText } from '../../src/domain/text/plain-text.ts';
import { sentences } from '../../src/domain/text/sentences.ts';
import type { Page } from './corpus.ts';
import { byChance } from './material.ts';

/** A sentence that may be labelled, with what a labeller sees of its page. */
export interface Drawn {
  page: Page;
  heading: string;
  before: string;
  text: string;
  after: string;
  /** Whether it looks like an instruction, by a list that was made before there were rules. */
  tells: boolean;
  isListed: boolean;
}

const telling =
  /^(?:[A-Z][\w ]{2,30}[:–—] )?(?:add|aim|apply|ask|avoid|be|bring|build|buy|call|carry|change|check|choose|clean|compare|consider|contact|count|cover|create|cut|decide|do|don['’]t|drink|eat|ensure|explore|find|focus|follow|gather|get|give|go|have|hire|hold|identify|include|install|invest|keep|know|learn|leave|let|limit|look|maintain|make|mix|move|never|note|pack|pay|pick|place|plan|practi[cs]e|prepare|put|read|reduce|remember|remove|repeat|replace|research|rinse|run|save|schedule|seek|select|set|share|sit|sleep|spend|spray|start|stay|stop|store|take|talk|test|think|track|train|try|turn|understand|update|use|visit|wait|walk|wash|watch|water|wear|work|write)\b|\b(?:should|must|try|avoid|make sure|be sure|need to|ought to|recommend\w*|always|never|steps?)\b/i;

/** The sentences of a page in an order of chance. */
export function candidates(page: Page): Drawn[] {
  let heading = '';
  const all: Drawn[] = [];
  for (const { start, end, kind } of page.transcript.blocks) {
    const source = page.transcript.text.slice(start, end);
    if (kind === 'heading') heading = headingName(source);
    if (kind === 'heading' || kind === 'code' || kind === 'table') continue;
    for (const span of sentences(source)) {
      const text = plainText(source.slice(span.start, span.end)).trim();
      const last = all.at(-1);
      if (last !== undefined) last.after = text;
      const tells = telling.test(text);
      all.push({ page, heading, before: last?.text ?? '', text, after: '', tells, isListed: kind === 'list' });
    }
  }
  const once = new Map(all.map((one) => [one.text, one]));
  return byChance(
    [...once.values()].filter(({ text }) => text.length >= 20 && text.length <= 320 && text.split(/\s+/).length >= 4),
    ({ text }) => page.id + text,
  );
}

export const context = ({ page, heading, before, text, after }: Drawn): string =>
  `Title: ${page.title}\nHeading: ${heading}\nBefore: ${before}\n**Sentence: ${text}**\nAfter: ${after}\n`;
