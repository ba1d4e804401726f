/** A cautious estimate: tokens of prose have four, of code and of other languages fewer. */
const charactersPerToken = 3;

/**
 * Sorts texts into requests of at most so many texts and tokens, those of like length together: a model that takes several at
 * once fills all up to the longest. A text beyond all tokens is alone. Gives the positions of each request's texts.
 */
export function batchByLength(
  texts: readonly string[],
  most: { batchTexts: number; batchTokens: number },
): (readonly number[])[] {
  const order = texts.map((_, position) => position).sort((a, b) => lengthOf(texts, a) - lengthOf(texts, b) || a - b);
  const batches: number[][] = [];
  for (const position of order) {
    const tokens = Math.ceil(lengthOf(texts, position) / charactersPerToken);
    const open = batches.at(-1);
    // The newest text of a batch is its longest.
    if (open === undefined || open.length >= most.batchTexts || tokens * (open.length + 1) > most.batchTokens) {
      batches.push([position]);
    } else open.push(position);
  }
  return batches;
}

function lengthOf(texts: readonly string[], position: number): number {
  return texts[position]?.length ?? 0;
}
