import type { CountSliceTokens, WordPiece } from '../../models/embedding/index.ts';
import { isVisiblyEnglish } from '../../domain/search/question-language.ts';
import { charactersPerToken } from '../../domain/text/token-budget.ts';
import type { SourceText } from '../text-worker/text-protocol.ts';

/*
 * Passages are sized for the model in the package, whose words are English: it cuts a Russian word into letters, so 250
 * of its tokens are two sentences of Russian and ten of English. Texts that it never reads are sized by characters.
 */

/** How the tokens of a text's slices are counted when it is split. */
export function counterFor(
  { language, transcript }: Pick<SourceText, 'language' | 'transcript'>,
  wordPiece: Pick<WordPiece, 'countSlicesOf'>,
): CountSliceTokens {
  const primary = language?.toLowerCase().split(/[-_]/, 1)[0] ?? null;
  const sample = transcript.text.slice(0, sampleLength);
  const isRead = primary === 'en' || (primary === null ? isMostlyLatin(sample) : isVisiblyEnglish(sample));
  const { text } = transcript;
  return isRead ? wordPiece.countSlicesOf(text) : (start, end) => countByCharacters(text.slice(start, end));
}

const sampleLength = 2_000;

function isMostlyLatin(text: string): boolean {
  const letters = text.match(/\p{L}/gu) ?? [];
  return letters.filter((letter) => /\p{Script=Latin}/u.test(letter)).length >= letters.length / 2;
}

/** A character of these scripts says as much as a few letters, and stands for about one token of any model. */
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
/** Vowel signs and the like, which Indian scripts write beside or over letters. */
const marks = /\p{M}/gu;

function countByCharacters(text: string): number {
  if (/^[\0-\u02ff]*$/.test(text)) return Math.ceil(text.length / charactersPerToken);
  const denseCount = text.match(dense)?.length ?? 0;
  const markCount = text.match(marks)?.length ?? 0;
  return Math.ceil(denseCount + (text.length - denseCount - markCount) / charactersPerToken);
}
