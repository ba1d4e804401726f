import { completionsOf } from '../../domain/search/operators.ts';
import { functionWordsOf } from '../../domain/search/question-language.ts';
import { foldedWord, wordsOf } from '../../domain/text/words/words.ts';
import type { Store, Stores } from '../../store/store.ts';

type SuggestionKind = 'operator' | 'query' | 'tag' | 'phrase' | 'title';

export interface Suggestion {
  /** Of an operator: the whole query with it. */
  text: string;
  kind: SuggestionKind;
  id?: string;
}

export type SuggestionService = ReturnType<typeof createSuggestionService>;

/** Maximum number of titles and headings to read: the newest say enough, and reading them takes no time. */
const maxNames = 300;
const maxPhraseLength = 4;
/** A phrase has to occur in at least this many titles and headings. */
const minPlaces = 2;
const maxPhrases = 20;
/** Limit of each kind. When they do not reach the overall limit, the remaining suggestions follow in the same order. */
const maxOfAKind: Readonly<Record<SuggestionKind, number>> = {
  operator: 4,
  query: 3,
  tag: 3,
  phrase: 3,
  title: 10,
};

export function createSuggestionService(stores: Stores) {
  return {
    /** Completions of typed text: words of the library and past questions. */
    async suggest(account: string, typed: string, limit: number): Promise<{ suggestions: Suggestion[] }> {
      const store = await stores.open(account);
      const operators = await completedOperators(store, typed);
      const { titles, tags, headings } = await store.listNamesLike(typed, maxNames);
      const start = fold(typed);
      const queries = (await store.listPastQueries())
        .map(({ text, times }) => ({ text, times, at: ` ${fold(text)}`.indexOf(` ${start}`) }))
        .filter(({ at, text }, _, all) => at !== -1 && !all.some((longer) => isHalfTyped(text, longer.text)));
      const names = [...titles.map(({ title }) => title), ...headings];
      const all: Suggestion[] = [
        ...operators.map((text) => ({ text, kind: 'operator' as const })),
        // First the questions that match from the first letter, then the frequent ones; both say more than recency. The
        // sort is stable.
        ...queries
          .sort((a, b) => Number(b.at === 0) - Number(a.at === 0) || b.times - a.times)
          .slice(0, limit)
          .map(({ text }) => ({ text, kind: 'query' as const })),
        ...tags.map((text) => ({ text, kind: 'tag' as const })),
        ...frequentPhrases(names, start).map((text) => ({ text, kind: 'phrase' as const })),
        ...titles.map(({ id, title }) => ({ text: title, kind: 'title' as const, id })),
      ];
      return { suggestions: choose(all, limit) };
    },
    async forgetQueries(account: string): Promise<{ forgotten: number }> {
      return { forgotten: await (await stores.open(account)).forgetQueries() };
    },
  };
}

/** The typed text with its last operator or value completed from the library. */
async function completedOperators(store: Store, typed: string): Promise<string[]> {
  // A single letter is the beginning of a word.
  if (!/[\p{L}:]{2}$/u.test(typed)) return [];
  const [, tag] = /\btag:"?([^":]*)$/iu.exec(typed) ?? [];
  const known = {
    ...(tag !== undefined && { tag: (await store.listNamesLike(tag, maxNames)).tags }),
    ...(/\blist:[^:]*$/iu.test(typed) && { list: (await store.listLists()).map(({ name }) => name) }),
  };
  return completionsOf(typed, typed.length, known).map(({ text, start }) => typed.slice(0, start) + text);
}

/** Whether a question was asked while its last word was still being typed: a longer one goes on within the word. */
function isHalfTyped(text: string, longer: string): boolean {
  return longer.startsWith(text) && /^[\p{L}\p{N}]/u.test(longer.slice(text.length));
}

function fold(text: string): string {
  return wordsOf(text)
    .map(({ text: word }) => foldedWord(word))
    .join(' ');
}

/** Removes duplicates and takes some of every kind before many of one. */
function choose(all: readonly Suggestion[], limit: number): Suggestion[] {
  const seen = new Set<string>();
  const distinct = all.filter(({ text }) => {
    const key = fold(text) || text;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  const counts = { operator: 0, query: 0, tag: 0, phrase: 0, title: 0 };
  const first = distinct.filter(({ kind }) => (counts[kind] += 1) <= maxOfAKind[kind]);
  const rest = distinct.filter((one) => !first.includes(one));
  return [...first, ...rest].slice(0, limit);
}

/** Phrases of two to four words that begin with the typed text (folded) in several names; most frequent first. */
function frequentPhrases(names: readonly string[], start: string): string[] {
  if (start === '') return [];
  const places = new Map<string, { text: string; count: number; words: number }>();
  const [firstWord = ''] = start.split(' ');
  for (const name of new Set(names)) {
    const isFunctionWord = functionWordsOf(name);
    const words = wordsOf(name).map((word) => ({ ...word, folded: foldedWord(word.text) }));
    const found = new Set<string>();
    for (const [index, word] of words.entries()) {
      if (!word.folded.startsWith(firstWord)) continue;
      for (let length = 2; length <= maxPhraseLength; length += 1) {
        const last = words[index + length - 1];
        if (last === undefined) break;
        const key = words
          .slice(index, index + length)
          .map(({ folded }) => folded)
          .join(' ');
        const text = name.slice(word.start, last.start + last.text.length);
        if (/[.!?:;|()]/.test(text)) break;
        if (!key.startsWith(start) || isFunctionWord(last.folded) || found.has(key)) continue;
        found.add(key);
        places.set(key, { text, count: (places.get(key)?.count ?? 0) + 1, words: length });
      }
    }
  }
  const frequent = [...places.entries()]
    .filter(([, { count }]) => count >= minPlaces)
    .sort(([, a], [, b]) => b.count - a.count || b.words - a.words)
    .slice(0, maxPhrases);
  return (
    frequent
      // Of "deep" and "deep sleep" in the same places, keep the longer: it says more.
      .filter(
        ([key, { count }]) => !frequent.some(([other, more]) => more.count >= count && other.startsWith(`${key} `)),
      )
      .map(([, { text }]) => text)
  );
}
