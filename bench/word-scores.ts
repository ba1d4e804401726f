/*
 * How much of a page's true text was got, as the corpora's README defines it: NFKC, lower case, Unicode words (Han, Kana and Thai by
 * character), as multisets.
 */

const wordPattern = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}_]+/gu;

export function wordsOf(text: string): string[] {
  return text.normalize('NFKC').toLowerCase().match(wordPattern) ?? [];
}

export interface WordScore {
  f1: number;
  precision: number;
  recall: number;
  /** How many words the truth has, and how many of its words are missing and of ours too many. */
  truth: number;
  missing: number;
  surplus: number;
}

export function scoreWords(got: readonly string[], truth: readonly string[]): WordScore {
  const left = new Map<string, number>();
  for (const word of truth) left.set(word, (left.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of got) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    shared += 1;
  }
  const both = got.length + truth.length;
  return {
    f1: both === 0 ? 1 : (2 * shared) / both,
    precision: both === 0 ? 1 : shared / Math.max(1, got.length),
    recall: both === 0 ? 1 : shared / Math.max(1, truth.length),
    truth: truth.length,
    missing: truth.length - shared,
    surplus: got.length - shared,
  };
}

/** Why a page scores as it does, in a few words. */
export function explain({ f1, precision, recall, truth, missing, surplus }: WordScore): string {
  const scores = `${f1.toFixed(2)} (p ${precision.toFixed(2)} r ${recall.toFixed(2)})`;
  return `${scores}, of ${truth} words ${missing} missing, ${surplus} too many`;
}

export function mean(values: readonly number[]): string {
  return values.length === 0 ? '–' : (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(3);
}

/** Of how many pages the reader warned that text may be missing, among those where it is and those that are read well. */
export function explainWarnings(pages: readonly { score: WordScore; isWarned: boolean }[]): string {
  const count = (those: typeof pages): string =>
    `${those.filter(({ isWarned }) => isWarned).length} of ${those.length}`;
  // A page whose text nobody labelled has no recall.
  const bad = pages.filter(({ score }) => score.truth > 0 && score.recall < 0.8);
  const good = pages.filter(({ score }) => score.f1 >= 0.9);
  return `warned of: ${count(bad)} pages with a recall below .8, ${count(good)} with an F1 of .9`;
}
