import type { Block } from '../domain/records/document.ts';
import { plainText } from '../domain/text/plain-text.ts';

/** BCP 47 allows longer ones; none that says a language is. */
const maxTagLength = 35;

/** A language tag in its canonical form (`en-GB`), from what a page, file or video claims; null for what is none. */
export function languageTag(claimed: string | null | undefined): string | null {
  const tag = claimed?.trim().replaceAll('_', '-') ?? '';
  // `und` is the tag for not knowing.
  if (tag.length > maxTagLength || !/^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i.test(tag) || /^und\b/i.test(tag)) return null;
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch (error) {
    // Well-formed by its looks, and still none: `en-us-us`.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const maxSampleLength = 5_000;
/** Blocks from which the language of a file is told. */
const maxSampled = 400;

/** The language of a document by the beginning of its text; see `detectLanguage`. */
export function languageOfBlocks(blocks: readonly Block[]): Promise<string | null> {
  const sample = blocks.slice(0, maxSampled).map(({ text }) => plainText(text));
  return detectLanguage(sample.join('\n'));
}

/** Below these a guess would be one: letters, or characters of scripts that say more in each. */
const minLetters = 40;
const minIdeographs = 10;

/**
 * The language that a text is written in (ISO 639-1), told from the text itself; null when it is too short or mixed
 * to tell. Loading the detector takes a third of a second and 90 MB, so this belongs into a reading process.
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
  return found.language !== '' && found.isReliable() ? found.language : null;
}
