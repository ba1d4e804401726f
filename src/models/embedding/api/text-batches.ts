/** A cautious estimate: a token of prose has four characters, one of code or another language fewer. */
const charactersPerToken = 3;

/**
 * Groups texts into requests of at most `batchTexts` texts and `batchTokens` tokens. Texts of similar length go
 * together, because a model pads all texts of a batch to the longest. A text longer than `batchTokens` is alone.
 * Returns the positions of each request's texts.
 */
export function batchByLength(
  texts: readonly string[],
  limits: { batchTexts: number; batchTokens: number },
): (readonly number[])[] {
  const order = texts.map((_, position) => position).sort((a, b) => lengthOf(texts, a) - lengthOf(texts, b) || a - b);
  const batches: number[][] = [];
  for (const position of order) {
    const tokens = Math.ceil(lengthOf(texts, position) / charactersPerToken);
    const open = batches.at(-1);
    // Texts come in ascending length, so the newest is the batch's longest.
    if (open === undefined || open.length >= limits.batchTexts || tokens * (open.length + 1) > limits.batchTokens) {
      batches.push([position]);
    } else open.push(position);
  }
  return batches;
}

function lengthOf(texts: readonly string[], position: number): number {
  return texts[position]?.length ?? 0;
}
