import type { PassageId, RankedPassage } from '../domain/records/passage.ts';
import { containsPhrase } from '../domain/search/term-matches.ts';
import { plainText } from '../domain/text/plain-text.ts';
import type { IndexReader } from '../store/index-reader.ts';
import { read, type Steps } from '../store/steps.ts';

/* Which passages may answer a query, as their texts tell and the index cannot. */

/** The index matches words by their stems, but a phrase in quotation marks is meant literally. */
export function* havingPhrases(
  index: IndexReader,
  hits: readonly RankedPassage[],
  phrases: readonly string[],
): Steps<readonly RankedPassage[]> {
  if (phrases.length === 0) return hits;
  const passages = yield* read(index.readWording(hits.map(({ passageId }) => passageId)));
  const having = passages.filter(({ parts }) =>
    phrases.every((phrase) => parts.some((part) => containsPhrase(part, phrase))),
  );
  const ids = new Set(having.map(({ passageId }) => passageId));
  return hits.filter(({ passageId }) => ids.has(passageId));
}

const imageMark = '![';

/** The passages among these that show only pictures. */
export function* listPictures(index: IndexReader, passageIds: readonly PassageId[]): Steps<ReadonlySet<PassageId>> {
  const withImages = yield* read(index.readTextsWith(imageMark, passageIds));
  return new Set(withImages.filter(({ text }) => !saysWords(text)).map(({ passageId }) => passageId));
}

/**
 * In a passage of pictures alone, the model sees only their addresses, which are similar to any query about files and
 * codes.
 */
export function saysWords(text: string): boolean {
  return !text.includes(imageMark) || /[\p{L}\p{N}]/u.test(plainText(text));
}
