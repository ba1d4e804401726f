import type { IndexReader } from '../store/index-reader.ts';
import { fittingEnd, tokensOf } from '../domain/text/token-budget.ts';
import type { AnsweringPassage } from './item-search.ts';

/** The text before and after a passage. */
export interface SurroundingText {
  before?: string;
  after?: string;
}

/** A shorter text says nothing. */
const minTokens = 15;

/**
 * Reads the text around passages, `distance` passages in each direction, without text that another of the passages
 * shows.
 * @returns the neighbours by passage id
 */
export function readNeighbours(
  index: IndexReader,
  passages: readonly AnsweringPassage[],
  distance: number,
): Map<number, SurroundingText> {
  const around = new Map<number, SurroundingText>();
  if (distance === 0 || passages.length === 0) return around;
  const passageIds = passages.map(({ passageId }) => passageId);
  const surroundings = index.readSurroundings(passageIds, distance);
  const sources = new Map(index.readOrigins(passageIds).map(({ passageId, sourceKey }) => [passageId, sourceKey]));
  const texts = new Map<string, string>();
  for (const { passageId, ...reach } of surroundings) {
    const passage = passages.find((one) => one.passageId === passageId);
    if (passage === undefined) continue;
    const source = sources.get(passageId);
    if (source === undefined) continue;
    const text = texts.get(source) ?? index.readSource(source).text;
    texts.set(source, text);
    const others = passages.filter((one) => one.contentId === passage.contentId && one !== passage);
    const start = Math.max(reach.start, ...others.map(({ end }) => end).filter((end) => end <= passage.start));
    const end = Math.min(reach.end, ...others.map(({ start }) => start).filter((start) => start >= passage.end));
    around.set(
      passageId,
      withoutEmpty({ before: text.slice(start, passage.start), after: text.slice(passage.end, end) }),
    );
  }
  return around;
}

/** As much of both texts as `maxTokens` hold, nearest to the passage: the end of `before`, the beginning of `after`. */
export function fittingNeighbours(neighbours: SurroundingText | undefined, maxTokens: number): SurroundingText {
  if (neighbours === undefined || tokensOf(neighbours) <= maxTokens) return neighbours ?? {};
  const { before = '', after = '' } = neighbours;
  const room = Math.floor((maxTokens - 12) / 2);
  if (room < minTokens) return {};
  return withoutEmpty({ before: fittingTail(before, room), after: after.slice(0, fittingEnd(after, 0, room)) });
}

/** The longest end of a text that costs at most `maxTokens` and begins with a whole word. */
function fittingTail(text: string, maxTokens: number): string {
  let from = Math.max(0, text.length - maxTokens * 4);
  while (from < text.length && tokensOf(text.slice(from)) > maxTokens) from += 8;
  if (from === 0) return text;
  const space = text.indexOf(' ', from);
  return space === -1 ? '' : text.slice(space + 1);
}

function withoutEmpty({ before = '', after = '' }: SurroundingText): SurroundingText {
  return { ...(before.trim() !== '' && { before }), ...(after.trim() !== '' && { after }) };
}
