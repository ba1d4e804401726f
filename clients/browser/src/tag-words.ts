/** Tags as they are typed: with commas between them. */
export function chosenTags(typed: string): string[] {
  const tags = typed
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean);
  return [...new Set(tags)];
}

const maxSuggestions = 6;

/** Known tags that begin with what is being typed, or the most used ones. */
export function suggestedTags(typed: string, known: readonly string[]): string[] {
  const begun = (typed.split(',').at(-1) ?? '').trim().toLowerCase();
  const chosen = new Set(chosenTags(typed).map((tag) => tag.toLowerCase()));
  return known
    .filter((tag) => tag.toLowerCase().startsWith(begun) && !chosen.has(tag.toLowerCase()))
    .slice(0, maxSuggestions);
}

/** Puts a tag in the place of what is being typed. */
export function withTag(typed: string, tag: string): string {
  return [...chosenTags(typed.split(',').slice(0, -1).join(',')), tag, ''].join(', ');
}
