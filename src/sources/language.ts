const longestSample = 5_000;
/** Below these a guess would be one: letters, or characters of scripts that say more in each. */
const fewestLetters = 40;
const fewestIdeographs = 10;

/**
 * The language that a text is written in (ISO 639-1), told from the text itself; null when it is too short or mixed
 * to tell. Loading the detector takes a third of a second and 90 MB, so this belongs into a worker thread.
 */
export async function detectLanguage(text: string): Promise<string | null> {
  const sample = text.slice(0, longestSample);
  const letters = sample.match(/\p{L}/gu)?.length ?? 0;
  const ideographs = sample.match(
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu,
  );
  if (letters < fewestLetters && (ideographs?.length ?? 0) < fewestIdeographs) return null;
  const { eld } = await import('eld/extrasmall');
  const found = eld.detect(sample);
  return found.language !== '' && found.isReliable() ? found.language : null;
}
