/*
 * How text becomes words, for the index and for questions alike. FTS5's tokenizer takes runs of letters, numbers and
 * combining marks for words and stems them; scripts that are written without spaces (and Korean, whose particles stick
 * to the words) would come out as one "word" a sentence, so they are cut into overlapping pairs of characters here.
 */

const unspaced = String.raw`[[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]&&[\p{L}\p{M}\p{N}]]`;
/** The categories that the index's tokenizer is told to take for parts of words. */
const wordCharacter = String.raw`[\p{L}\p{N}\p{Co}\p{Mn}\p{Mc}]`;

const unspacedRuns = new RegExp(`${unspaced}+`, 'gv');
const queryWords = new RegExp(`(?<run>${unspaced}+)|[${wordCharacter}--${unspaced}]+`, 'gv');

/** So many distinct terms of a query are looked up; of a longer one (a pasted page) the longest terms, which are the rarest. */
export const mostQueryTerms = 64;

function normalized(text: string): string {
  // Compatibility forms: the ligatures of PDFs, full-width Latin and half-width Kana are the letters they stand for.
  return text.toWellFormed().normalize('NFKC');
}

function pairs(characters: readonly string[]): string[] {
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** The text as it is given to the index. Offsets into it mean nothing: the index keeps no text. */
export function indexedText(text: string): string {
  return normalized(text).replaceAll(unspacedRuns, (run) => {
    const characters = [...run];
    // The last character alone: so every character begins a term, and a question of one character finds it as a prefix.
    return ` ${[...pairs(characters), characters.at(-1)].join(' ')} `;
  });
}

export interface QueryTerm {
  text: string;
  /** Whether the term stands for all that begin with it. */
  isPrefix: boolean;
}

/** The distinct terms of a question, in its order. Everything that is no letter or number only separates them. */
export function queryTerms(query: string): QueryTerm[] {
  const terms = new Map<string, QueryTerm>();
  for (const match of normalized(query).toLowerCase().matchAll(queryWords)) {
    for (const term of termsOf(match[0], match.groups?.['run'] !== undefined)) terms.set(term.text, term);
  }
  if (terms.size <= mostQueryTerms) return [...terms.values()];
  const longest = new Set([...terms.keys()].sort((a, b) => b.length - a.length).slice(0, mostQueryTerms));
  return [...terms.values()].filter((term) => longest.has(term.text));
}

function termsOf(word: string, isRun: boolean): QueryTerm[] {
  if (!isRun) return [{ text: word, isPrefix: false }];
  const characters = [...word];
  if (characters.length === 1) return [{ text: word, isPrefix: true }];
  return pairs(characters).map((text) => ({ text, isPrefix: false }));
}

/** An FTS5 expression that matches passages with any of the terms. Terms hold no quotation marks, so none is escaped. */
export function matchAny(terms: readonly QueryTerm[]): string {
  return terms.map(({ text, isPrefix }) => (isPrefix ? `"${text}"*` : `"${text}"`)).join(' OR ');
}
