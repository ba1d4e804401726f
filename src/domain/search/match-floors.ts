/**
 * Scores of the best passage, words and meaning fused, that tell whether anything saved is close to a question: below
 * `weak` nothing is; below `doubtful` only when few of its words are found. Whatever its words are, a passage with a cosine of
 * `meaning` is close; absent when it is not measured. `foreign` is for a question in a language
 * that the model does not know; absent when it is not measured. `bench/answers.ts` measures them.
 */
export interface MatchFloors {
  weak: number;
  doubtful: number;
  meaning?: number | undefined;
  foreign?: number | undefined;
}
