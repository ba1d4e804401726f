import type { Store } from '../store/store.ts';
import { fittingEnd, tokensOf } from '../domain/text/token-budget.ts';
import type { ScoredPassage } from './scored-passage.ts';

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
export async function readNeighbours(
  store: Store,
  passages: readonly ScoredPassage[],
  distance: number,
): Promise<Map<number, SurroundingText>> {
  const around = new Map<number, SurroundingText>();
  if (distance === 0 || passages.length === 0) return around;
  const surroundings = await store.readSurroundings(
    passages.map(({ passageId }) => passageId),
    distance,
  );
  const texts = new Map<string, string>();
  for (const { passageId, ...reach } of surroundings) {
    const passage = passages.find((one) => one.passageId === passageId);
    if (passage === undefined) continue;
    const text = texts.get(passage.contentId) ?? (await store.readTranscript(passage.contentId)) ?? '';
    texts.set(passage.contentId, text);
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
