/*
 * Guesses the encoding of bytes that do not declare it, or declare a wrong one. Each encoding is tried, and the text is
 * scored by the most frequent letters of the language. A wrong encoding gives letters, too, but seldom those.
 */

interface Candidate {
  charset: string;
  /** The most frequent letters of the script, which make up most of any text. */
  common: RegExp;
  /** The script that the letters outside ASCII should belong to. */
  script: RegExp;
  /** Minimum share of the common letters among the letters outside ASCII in real text. */
  least: number;
}

const kana = /[\u3041-\u3096\u30a1-\u30fa]/g;
const han = /[\u4e00-\u9fff\u3041-\u3096\u30a1-\u30fc]/g;
const cyrillic = /[\u0400-\u04ff]/g;

/**
 * Multi-byte encodings come first, since their bytes would be valid in any single-byte encoding. Kana have the same
 * codes in two of them.
 */
const candidates: readonly Candidate[] = [
  { charset: 'shift_jis', common: kana, script: han, least: 0.2 },
  { charset: 'euc-jp', common: kana, script: han, least: 0.2 },
  { charset: 'euc-kr', common: /[다이는에의을가고지로하은도한를서사기]/g, script: /[\uac00-\ud7a3]/g, least: 0.15 },
  {
    charset: 'gb18030',
    common: /[的一是不了在人有我他这个们中来上大为和国时]/g,
    script: /[\u4e00-\u9fff]/g,
    least: 0.04,
  },
  { charset: 'big5', common: /[的一是不了在人有我他這個們中來上大為和國時]/g, script: /[\u4e00-\u9fff]/g, least: 0.04 },
  { charset: 'windows-1251', common: /[оеаинтсрвл]/g, script: cyrillic, least: 0.45 },
  { charset: 'koi8-r', common: /[оеаинтсрвл]/g, script: cyrillic, least: 0.45 },
  { charset: 'windows-1253', common: /[αοιετσνηςρυπά]/g, script: /[\u0370-\u03ff]/g, least: 0.45 },
  { charset: 'windows-1255', common: /[יוהלאתרבמש]/g, script: /[\u05d0-\u05ea]/g, least: 0.45 },
  { charset: 'windows-1256', common: /[اليمنوترهعب]/g, script: /[\u0620-\u064a]/g, least: 0.45 },
];

/**
 * Encodings of languages in Latin script, chosen by the page's `lang` attribute: such text has too few letters outside
 * ASCII to guess from.
 */
const byLanguage: Readonly<Record<string, string>> = {
  ...Object.fromEntries('pl cs sk hu sl hr ro bs'.split(' ').map((language) => [language, 'iso-8859-2'])),
  tr: 'windows-1254',
  lt: 'windows-1257',
  lv: 'windows-1257',
  et: 'windows-1257',
};

/** Size of the tested sample in bytes. Its last character may be cut in two. */
const sampleBytes = 100_000;
const minLetters = 20;

/** The most likely encoding of bytes that are not UTF-8; windows-1252 when nothing points to another. */
export function guessCharset(bytes: Uint8Array): string {
  const sample = bytes.subarray(0, sampleBytes);
  const isCut = sample.length < bytes.length;
  let best = { charset: '', score: 0 };
  for (const { charset, common, script, least } of candidates) {
    const letters = lettersOf(sample, charset, isCut);
    if (letters === null || letters.length < minLetters) continue;
    const own = letters.match(script)?.length ?? 0;
    const usual = letters.match(common)?.length ?? 0;
    const score = (usual / letters.length / least) * (own / letters.length);
    if (own > letters.length * 0.8 && usual >= letters.length * least && score > best.score) best = { charset, score };
  }
  if (best.charset !== '') return best.charset;
  const start = new TextDecoder('latin1').decode(sample.subarray(0, 4_000));
  const tag = start.slice(Math.max(0, start.search(/<html\b/i))).split('>', 1)[0] ?? '';
  const language = /^<html\b/i.test(tag) ? /\slang\s*=\s*["']?([a-z]{2})/i.exec(tag)?.[1]?.toLowerCase() : undefined;
  return byLanguage[language ?? ''] ?? 'windows-1252';
}

/** The letters outside ASCII when decoded with an encoding; null when the bytes are invalid in it. */
function lettersOf(sample: Uint8Array, charset: string, isCut: boolean): string | null {
  try {
    const text = new TextDecoder(charset, { fatal: true }).decode(sample, { stream: isCut });
    return text.replaceAll(/[\0-\u007f]|[^\p{L}]/gu, '');
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
