/**
 * The notice of an item in whose text nobody looked for things to do, or null when its language is unknown: then there
 * may be no text to read.
 */
export function unreadActions(language: string | null): string | null {
  if (language === null) return null;
  return `Things to do were not looked for: without a language model they are found in English, German, French, Spanish, Italian, Portuguese and Dutch only, and this text is in ${nameOf(language)}.`;
}

/** The English name of a language: "Polish" for "pl"; the code itself when there is none. */
function nameOf(code: string): string {
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(code) ?? code;
  } catch {
    return 'another language';
  }
}
