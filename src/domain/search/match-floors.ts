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

/** Explanations of a weak match for an assistant. */
export const weakHints = {
  nothingClose:
    'Nothing saved is close to this question; what is listed is only the nearest. Say that nothing was found, unless a passage does answer.',
  nothingFound: 'Nothing saved is close to this question.',
  nothingFits:
    'Nothing that fits the filters is close to this question. Ask again without them before saying that nothing was found.',
  wordsAlone:
    'Nothing saved has many of these words, and only words were compared. Ask again in other words, or in the language of what was saved, before saying that nothing was found.',
};
