import { functionWordsOf } from './question-language.ts';
import { stemOf } from '../text/words/porter.ts';
import { foldedWord, wordsOf } from '../text/words/words.ts';

const maxWords = 16;
/** A word of the title counts as this many occurrences in the text. */
const titleWeight = 4;

/** The keywords of a text: its most frequent words that are not stop words, the most frequent first. */
export function keywordsOf(title: string, texts: readonly string[]): string[] {
  const counts = new Map<string, { word: string; count: number }>();
  const count = (text: string, weight: number) => {
    const isFunctionWord = functionWordsOf(text);
    for (const { text: word } of wordsOf(text)) {
      const folded = foldedWord(word);
      if (folded.length < 3 || isFunctionWord(folded) || /^\d+$/.test(folded)) continue;
      const stem = stemOf(folded);
      counts.set(stem, { word, count: (counts.get(stem)?.count ?? 0) + weight });
    }
  };
  count(title, titleWeight);
  for (const text of texts) count(text, 1);
  return [...counts.values()]
    .sort((a, b) => b.count - a.count)
    .slice(0, maxWords)
    .map(({ word }) => word);
}
