/** English stop words; for other languages, inverse document frequency alone has to suffice. */
const stopWords = new Set(
  `a about above after again against all also am an and any are aren't as at be because been before being below
  between both but by can can't cannot could couldn't did didn't do does doesn't doing don't down during each even
  ever few for from further get gets had hadn't has hasn't have haven't having he her here hers herself him himself his how
  however i if in into is isn't it it's its itself just let like made make makes many may me might more most much must my
  myself no nor not now of off on once one only or other our ours ourselves out over own said same say says she
  should shouldn't so some such than that that's the their theirs them themselves then there these they this
  those through to too two under until up upon us very was wasn't way we well were weren't what when where which while
  who whom whose why will with without won't would wouldn't yes yet you you're your yours yourself`
    .split(/\s+/)
    .filter(Boolean),
);

const wordPattern =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+|[\p{L}\p{N}]+(?:['’]\p{L}+)*/gu;

/** All words of a text in lower case, stop words included. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().replaceAll('’', "'").match(wordPattern) ?? [];
}

/**
 * The words of a text without stop words, each reduced to a rough stem; scripts without spaces give character pairs.
 * @param stopWordsOfText those of the text's language; without them the text counts as English
 */
export function termsOf(text: string, stopWordsOfText: ReadonlySet<string> | undefined = undefined): string[] {
  if (stopWordsOfText !== undefined) return termsWithout(stopWordsOfText, text);
  const terms: string[] = [];
  for (const word of wordsOf(text)) {
    if (/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(word)) {
      const characters = [...word];
      for (let i = 0; i + 1 < characters.length; i += 1) terms.push(`${characters[i]}${characters[i + 1]}`);
      if (characters.length === 1) terms.push(word);
    } else if (!stopWords.has(word) && word.length > 1) terms.push(roughStem(word));
  }
  return terms;
}

/** French and Italian: the article before a word that begins with a vowel. */
export const elision = /^(?:[cdjlmnst]|qu|dell|all|nell|sull|dall)'/u;

/** Without stems: endings differ by language, and terms are only compared within a text. */
function termsWithout(stopWordsOfText: ReadonlySet<string>, text: string): string[] {
  return wordsOf(text)
    .map((word) => word.replace(elision, ''))
    .filter((word) => word.length > 1 && !stopWordsOfText.has(word));
}

/**
 * Removes common English endings, enough to unite "walk", "walks", "walking", "walked"; over-stemming is harmless where
 * terms are only compared.
 */
export function roughStem(word: string): string {
  const bare = word.replace(/'\p{L}+$/u, '');
  if (bare.length < 4 || /\P{ASCII}/u.test(bare)) return bare;
  const cut = bare
    .replace(/(?:ies|ied)$/, 'y')
    .replace(/(?<=(?:ss|x|z|ch|sh))es$/, '')
    .replace(/(?<![su])s$/, '')
    .replace(/(?<=\w\w[a-z])(?:ing|ed|ly)$/, '');
  return cut.replace(/([bdgklmnprt])\1$/, '$1').replace(/(?<=\w\w\w)e$/, '');
}

const englishMarkers = new Set('the and of to is that it for with you your are this'.split(' '));

/** True if a text looks English by its share of common English words; used only when the language is unknown. */
export function looksEnglish(text: string): boolean {
  const words = wordsOf(text.slice(0, 20_000));
  const marked = words.filter((word) => englishMarkers.has(word)).length;
  return words.length >= 5 && marked / words.length >= 0.1;
}

/** Counts the members that two sets share. */
export function countShared(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let shared = 0;
  for (const member of left) if (right.has(member)) shared += 1;
  return shared;
}

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
