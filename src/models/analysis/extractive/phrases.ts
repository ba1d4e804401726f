import { wordsOf } from './words.ts';

const maxWords = 4;

/** A list of phrases of one to four words between commas, as sentences are compared with it: in lower case. */
export function phrases(list: string): ReadonlySet<string> {
  return new Set(list.split(',').map((phrase) => wordsOf(phrase).join(' ')));
}

/** Whether a sentence, given by its words, begins with one of the phrases. */
export function begins(words: readonly string[], phrases: ReadonlySet<string>): boolean {
  for (let length = 1; length <= maxWords; length += 1) if (phrases.has(words.slice(0, length).join(' '))) return true;
  return false;
}

export function contains(words: readonly string[], phrases: ReadonlySet<string>): boolean {
  return words.some((_, at) => begins(words.slice(at, at + maxWords), phrases));
}

/** How many different phrases a sentence contains. */
export function countOf(words: readonly string[], phrases: ReadonlySet<string>): number {
  const found = new Set<string>();
  for (const at of words.keys())
    for (let length = 1; length <= maxWords; length += 1) {
      const phrase = words.slice(at, at + length).join(' ');
      if (phrases.has(phrase)) found.add(phrase);
    }
  return found.size;
}
