/** Characters per token, the rule of thumb that budgets count by. */
export const charactersPerToken = 4;

/** The cost of a value for a model, in tokens: the length of its JSON ÷ 4. */
export function tokensOf(value: unknown): number {
  return Math.ceil(JSON.stringify(value).length / charactersPerToken);
}

/** How many of the items, from the first on, fit into `maxTokens` together. */
export function countFitting(items: readonly unknown[], maxTokens: number): number {
  let spent = 0;
  for (const [index, item] of items.entries()) {
    spent += tokensOf(item) + 1;
    if (spent > maxTokens) return index;
  }
  return items.length;
}

/**
 * The largest `end` at which the JSON of `text.slice(start, end)` costs at most `maxTokens`. It is never inside a
 * surrogate pair and, when one is near, at the end of a line or word. At least one character beyond `start`.
 */
export function fittingEnd(text: string, start: number, maxTokens: number): number {
  const budget = Math.max(1, maxTokens * charactersPerToken);
  // JSON escapes only make the text longer: begin with the budget and shrink by the excess.
  let end = Math.min(text.length, start + budget);
  while (end - start > 1) {
    const excess = JSON.stringify(text.slice(start, end)).length - 2 - budget;
    if (excess <= 0) break;
    end = Math.max(start + 1, end - Math.max(1, Math.ceil(excess / 6)));
  }
  if (end >= text.length) return text.length;
  const nearby = start + Math.floor((end - start) * 0.8);
  const line = text.lastIndexOf('\n', end - 1) + 1;
  if (line > nearby) return line;
  const word = text.lastIndexOf(' ', end - 1) + 1;
  if (word > nearby) return word;
  const code = text.charCodeAt(end - 1);
  const splitsPair = code >= 0xd800 && code <= 0xdbff;
  if (!splitsPair) return end;
  return end - 1 > start ? end - 1 : end + 1;
}
