import { wordsOf } from './words.ts';

/** Phrases of one to four words by their first word, for few words of a text begin one. */
export type Phrases = ReadonlyMap<string, ReadonlySet<string>>;

const maxWords = 4;

/** A list of phrases between commas, as sentences are compared with it: in lower case. */
export function phrases(list: string): Phrases {
  const found = new Map<string, Set<string>>();
  for (const phrase of list.split(',')) {
    const words = wordsOf(phrase);
    const [first = ''] = words;
    found.set(first, (found.get(first) ?? new Set()).add(words.join(' ')));
  }
  return found;
}

/** True if a sentence, given by its words, begins with one of the phrases. */
export function begins(words: readonly string[], phrases: Phrases): boolean {
  return found(words, 0, phrases).next().done !== true;
}

export function contains(words: readonly string[], phrases: Phrases): boolean {
  return words.some((word, at) => phrases.has(word) && found(words, at, phrases).next().done !== true);
}

/** Counts the different phrases that a sentence contains. */
export function countOf(words: readonly string[], phrases: Phrases): number {
  return new Set(words.flatMap((word, at) => (phrases.has(word) ? [...found(words, at, phrases)] : []))).size;
}

function* found(words: readonly string[], at: number, phrases: Phrases): Generator<string> {
  const known = phrases.get(words[at] ?? '');
  if (known === undefined) return;
  for (let length = 1; length <= maxWords && at + length <= words.length; length += 1) {
    const phrase = words.slice(at, at + length).join(' ');
    if (known.has(phrase)) yield phrase;
  }
}
