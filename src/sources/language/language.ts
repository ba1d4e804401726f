import type { Block } from '../../domain/records/texts/document.ts';
import { isVisiblyEnglish, isVisiblyNotEnglish } from '../../domain/search/question-language.ts';
import { plainText } from '../../domain/text/plain-text.ts';

/** BCP 47 allows longer tags, but no real language tag is longer. */
const maxTagLength = 35;

/** The canonical form (`en-GB`) of a claimed language; null for an invalid tag. */
export function languageTag(claimed: string | null | undefined): string | null {
  const tag = claimed?.trim().replaceAll('_', '-') ?? '';
  // `und` means that the language is undetermined.
  if (tag.length > maxTagLength || !/^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i.test(tag) || /^und\b/i.test(tag)) return null;
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch (error) {
    // The pattern matches, but the tag is invalid, such as `en-us-us`.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const maxSampleLength = 5_000;
const maxSampled = 400;

export function languageOfBlocks(blocks: readonly Block[]): Promise<string | null> {
  const sample = blocks.slice(0, maxSampled).map(({ text }) => plainText(text));
  return detectLanguage(sample.join('\n'));
}

/** Shorter samples give no reliable result. In some scripts, each character carries more information. */
const minLetters = 40;
const minIdeographs = 10;

/**
 * The language of a text (ISO 639-1), detected from the text itself; null when it is too short or too mixed. Loading
 * the detector takes a third of a second and 90 MB, so call this only in a reading process.
 */
export async function detectLanguage(text: string): Promise<string | null> {
  const sample = text.slice(0, maxSampleLength);
  const letters = sample.match(/\p{L}/gu)?.length ?? 0;
  const ideographs = sample.match(
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu,
  );
  if (letters < minLetters && (ideographs?.length ?? 0) < minIdeographs) return null;
  const { eld } = await import('eld/extrasmall');
  const found = eld.detect(sample);
  if (found.language === '' || !found.isReliable()) return null;
  if (found.language === 'en') return 'en';
  if (letters > maxUnsureLetters) return found.language;
  // A short text with foreign names looks like the language of the names. Its function words are English ones.
  const { [found.language]: best = 0, en = 0 } = found.getScores();
  if (en < best * nearShare) return found.language;
  if (isVisiblyEnglish(sample)) return 'en';
  return isVisiblyNotEnglish(sample) ? found.language : null;
}

/** The detector is sure of longer texts. */
const maxUnsureLetters = 500;
/** From this share of the best score on, a text may be English as well. */
const nearShare = 0.93;
