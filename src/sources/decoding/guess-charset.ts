import { decodeAs, latinPages, otherPages } from './encodings.ts';

/* How much words look like words of some language. All encodings agree on words in ASCII. */

const europe = {
  ca: 'àéèíïóòúüç·',
  cs: 'áčďéěíňóřšťúůýž',
  da: 'æøåé',
  de: 'äöüßé',
  en: 'éèïñç',
  es: 'áéíñóúüºª',
  et: 'äöõüšž',
  eu: 'ñü',
  fi: 'äöåšž',
  fr: 'àâæçéèêëîïôœùûüÿ',
  hr: 'čćđšž',
  hu: 'áéíóöőúüű',
  is: 'áðéíóúýþæö',
  it: 'àéèìíîóòùú',
  lt: 'ąčęėįšųūž',
  lv: 'āčēģīķļņšūž',
  ms: 'é',
  nl: 'áéèëïíóöüú',
  no: 'æøåéèêóòâô',
  pl: 'ąćęłńóśźż',
  pt: 'áàâãçéêíóôõúüºª',
  ro: 'ăâîşţșț',
  sk: 'áäčďéíĺľňóôŕšťúýž',
  sl: 'čšž',
  sq: 'çë',
  sv: 'åäöé',
  tl: 'ñ',
  tr: 'çğıöşüâîû',
  vi: 'àáảãạăằắẳẵặâầấẩẫậđèéẻẽẹêềếểễệìíỉĩịòóỏõọôồốổỗộơờớởỡợùúủũụưừứửữựỳýỷỹỵ',
  be: 'абвгдеёжзійклмнопрстуўфхцчшыьэюя',
  bg: 'абвгдежзийклмнопрстуфхцчшщъьюя',
  ru: 'абвгдеёжзийклмнопрстуфхцчшщъыьэюя',
  sr: 'абвгдђежзијклљмнњопрстћуфхцчџш',
  uk: 'абвгґдеєжзиіїйклмнопрстуфхцчшщьюя',
};

/** By language: whether a word has a letter outside ASCII that is foreign to it. */
const foreign: ReadonlyMap<string, (word: string) => boolean> = new Map<string, (word: string) => boolean>([
  ...Object.entries(europe).map(([language, letters]) => [language, hasOthers(letters)] as const),
  ['el', (word) => /(?![\0-\u007f]|\p{Script=Greek})\p{L}/u.test(word)],
  ['he', (word) => /(?![\0-\u007f]|\p{Script=Hebrew})\p{L}/u.test(word)],
  ['th', (word) => /(?![\0-\u007f]|\p{Script=Thai})\p{L}/u.test(word)],
  ...['ar', 'fa', 'ur', 'ku'].map(
    (language) => [language, (word: string) => /(?![\0-\u007f]|\p{Script=Arabic})\p{L}/u.test(word)] as const,
  ),
]);

function hasOthers(letters: string): (word: string) => boolean {
  const own = new Set(letters + letters.toUpperCase());
  return (word) => [...word].some((char) => char > '\u007f' && !own.has(char) && /\p{L}/u.test(char));
}

interface Detector {
  detect(text: string): { getScores(): Readonly<Record<string, number>> };
}

/** Words in one call of the detector, which reads no more than 350 bytes of UTF-8. */
const wordsPerCall = 12;
const declaredWeight = 1.1;
/** Penalty for an error: slightly less than a usual word gains. */
const faultCost = 80;

/** How much the words resemble those of the most similar language. About 100 per word in a clear case. */
function languageScore(eld: Detector, words: readonly string[], declared: string | null): number {
  const sums = new Map<string, number>();
  // An isolated byte above ASCII is a capital or another single letter in some encoding. Words of one lower-case letter exist.
  const longer = words.filter(
    (word) => /\p{Ll}|\p{L}\p{M}*\p{L}/u.test(word) && !impossible.some((pattern) => pattern.test(word)),
  );
  for (let at = 0; at < longer.length; at += wordsPerCall) {
    const some = longer.slice(at, at + wordsPerCall);
    for (const [language, scaled] of Object.entries(eld.detect(some.join(' ')).getScores())) {
      // The detector gives `mean / (mean + 25)`.
      const mean = (25 * scaled) / Math.max(1e-9, 1 - scaled);
      sums.set(language, (sums.get(language) ?? 0) + mean * some.length);
    }
  }
  // Letters unique to a language decide where the detector knows few words.
  let best = Number.NEGATIVE_INFINITY;
  for (const [language, others] of foreign) {
    const strange = words.filter(others).length;
    const score = (sums.get(language) ?? 0) * (language === declared ? declaredWeight : 1) - strange * faultCost;
    best = Math.max(best, score);
  }
  return best;
}

/**
 * Patterns that hardly occur in English pages and in program messages in 40 languages, by the position of bytes above ASCII in
 * words. A match does not count as a word: the detector would recognise the letters around it.
 */
const impossible: readonly RegExp[] = [
  // a capital letter after a small one
  /\p{Ll}\p{M}*\p{Lu}/u,
  // between letters, what is no hyphen, quotation mark or space
  /[\p{L}\p{M}][^\p{L}\p{M}\p{Nd}\p{Pd}\p{Pi}\p{Pf}\p{Cf}·\u00a0]+\p{L}|\p{Script=Latin}[“”«»]+\p{Script=Latin}/u,
  // control characters, undefined ones, frames of old screens, rare signs of mathematics, accents on their own
  /[\u0080-\u009f\u2500-\u259f\ufffd\p{Co}¤¦¬◊∂∑∏∫√≈⁄]|(?![\u0384\u0385])\p{Sk}/u,
  // inverted marks that begin no word
  /[¡¿](?![\p{L}¡¿])/u,
  // currencies and thousandths without a number
  /(?<!\p{Nd}\u00a0?)[¥¢‰](?!\u00a0?\p{Nd})/u,
  // daggers and trade marks at the beginning of a word, daggers and copyright at the end
  /[†‡®™¶]\p{L}|\p{L}[†‡]|\p{Ll}©/u,
];

const faults: readonly RegExp[] = [
  ...impossible,
  // a vowel sign of another script on a Latin letter
  /[a-z][\u0591-\u05c7\u064b-\u065f]/iu,
  // nothing but capital letters
  /^[^\p{L}]*\p{Lu}{4,}[^\p{L}]*$/u,
  // an isolated capital letter that is not a word of French, Italian, Portuguese, Swedish, Polish or Hungarian
  /^(?![ÀÈÉÓÔÖÅŐ])[^\p{L}]*(?![A-Z])\p{Lu}[^\p{L}]*$/u,
  // an accent without a vowel
  /(?:^|[^\p{L}\p{M}]|[b-df-hj-np-tv-xz])\p{M}/iu,
];

function oddness(word: string): number {
  const isMixed = word.split(/[\p{P}\p{Z}]/u).some((part) => /[a-z]/i.test(part) && otherScript.test(part));
  return (isMixed ? 1 : 0) + faults.filter((pattern) => pattern.test(word)).length;
}

const otherScript = /(?!\p{Script=Latin})\p{L}/u;

/*
 * Guesses the encoding of bytes that do not declare it, or declare a wrong one. The words with bytes outside ASCII are
 * decoded with each encoding. The right encoding is the one with which they look most like words of some language. The
 * frequencies of letters come from the language detector, which reads every text anyway.
 */

/** Encodings in which one character may take several bytes. Few bytes are valid in them by chance. */
interface MultiByte {
  charset: string;
  common: RegExp;
  /** The script that the letters outside ASCII should belong to. */
  script: RegExp;
  /** Minimum share of the common characters among the letters outside ASCII in real text. */
  least: number;
}

const kana = /[\u3041-\u3096\u30a1-\u30fa]/g;
const han = /[\u4e00-\u9fff\u3041-\u3096\u30a1-\u30fc]/g;
const hangul = /[다이는에의을가고지로하은도한를서사기]/g;
const hanzi = /[\u4e00-\u9fff]/g;

/** Kana have the same codes in two of them. */
const multiByte: readonly MultiByte[] = [
  { charset: 'shift_jis', common: kana, script: han, least: 0.2 },
  { charset: 'euc-jp', common: kana, script: han, least: 0.2 },
  ...['euc-kr', 'johab'].map((charset) => ({ charset, common: hangul, script: /[\uac00-\ud7a3]/g, least: 0.15 })),
  { charset: 'gb18030', common: /[的一是不了在人有我他这个们中来上大为和国时]/g, script: hanzi, least: 0.04 },
  { charset: 'big5', common: /[的一是不了在人有我他這個們中來上大為和國時]/g, script: hanzi, least: 0.04 },
];

/** The first one counts if several give the same words. */
const usualCharsets =
  'windows-1252 windows-1251 windows-1250 windows-1254 windows-1253 windows-1255 windows-1256 windows-1257 iso-8859-2 koi8-u'.split(
    ' ',
  );
const rareCharsets = (
  'iso-8859-15 macintosh iso-8859-5 iso-8859-7 iso-8859-6 windows-874 windows-1258 iso-8859-4 iso-8859-13 ibm866 ' +
  'x-mac-cyrillic'
).split(' ');
const oldCharsets = [...latinPages, ...otherPages];
/** Required gain of a rare encoding over a usual one: less than the score of one word. An old one must gain more. */
const costs = [
  { charsets: usualCharsets, cost: 0 },
  { charsets: rareCharsets, cost: 60 },
  { charsets: oldCharsets, cost: 100 },
];

/** Size of the sample in bytes that is tried with multi-byte encodings. Its last character may be cut in two. */
const sampleBytes = 100_000;
const minLetters = 20;

/** The most likely encoding of bytes that are not UTF-8; windows-1252 when nothing points to another. */
export async function guessCharset(bytes: Uint8Array): Promise<string> {
  const wide = guessMultiByte(bytes);
  if (wide !== null) return wide;
  const words = wordsOutsideAscii(bytes);
  if (words.length === 0) return 'windows-1252';
  const { eld } = await import('eld/extrasmall');
  const declared = declaredLanguage(bytes);
  const encoded = Uint8Array.from(words.join(' '), (char) => char.charCodeAt(0));
  const texts = new Map<string, { charset: string; cost: number }>();
  for (const { charsets, cost } of costs) {
    for (const charset of charsets) {
      const text = decodeAs(charset, encoded);
      if (!texts.has(text)) texts.set(text, { charset, cost });
    }
  }
  const candidates = [...texts].flatMap(([text, { charset, cost }]) => {
    const decoded = text.split(' ');
    if (!writesWords(charset, decoded)) return [];
    return { charset, cost, decoded, odd: decoded.reduce((sum, word) => sum + oddness(word), 0) };
  });
  const minOdd = Math.min(...candidates.map(({ odd }) => odd));
  let best = { charset: 'windows-1252', score: Number.NEGATIVE_INFINITY };
  for (const { charset, cost, decoded, odd } of candidates) {
    // Words with as many faults cannot win, and scores take time.
    if (odd > minOdd + words.length) continue;
    const score = languageScore(eld, decoded, declared) - odd * faultCost - cost;
    if (score > best.score) best = { charset, score };
  }
  return best.charset;
}

const latinCharsets: ReadonlySet<string> = new Set(
  'windows-1252 windows-1250 windows-1254 windows-1257 windows-1258 iso-8859-2 iso-8859-4 iso-8859-13 iso-8859-15 macintosh'.split(
    ' ',
  ),
);
/** Share of the words with letters of another script that must have several in a row. */
const minShareOfRuns = 1 / 3;

/**
 * Whether letters of the encoding's script form words. Quotation marks, dashes and signs between Latin words look like single
 * letters of some script in one encoding or another, but no script is written letter by letter, and an encoding without
 * a word of its script has no advantage over a Latin one.
 */
function writesWords(charset: string, words: readonly string[]): boolean {
  if (latinPages.includes(charset))
    return words.filter(isLatinWord).length > Math.max(1, words.length * minShareOfRuns);
  if (latinCharsets.has(charset)) return true;
  const others = words.filter((word) => /(?!\p{Script=Latin})\p{L}/u.test(word));
  const runs = others.filter((word) => /(?:(?!\p{Script=Latin})[\p{L}\p{M}]){3}/u.test(word));
  return runs.length >= others.length * minShareOfRuns && runs.length > 0;
}

/** Whether a word has a letter outside ASCII beside others. In a code page of DOS, signs of other encodings are letters. */
function isLatinWord(word: string): boolean {
  return /\p{L}{3}/u.test(word) && /(?![\0-\u007f])\p{Script=Latin}/u.test(word);
}

function guessMultiByte(bytes: Uint8Array): string | null {
  const sample = bytes.subarray(0, sampleBytes);
  const isCut = sample.length < bytes.length;
  let best = { charset: '', score: 0 };
  for (const { charset, common, script, least } of multiByte) {
    const letters = lettersOf(sample, charset, isCut);
    if (letters === null || letters.length < minLetters) continue;
    const own = letters.match(script)?.length ?? 0;
    const usual = letters.match(common)?.length ?? 0;
    const score = (usual / letters.length / least) * (own / letters.length);
    if (own > letters.length * 0.8 && usual >= letters.length * least && score > best.score) best = { charset, score };
  }
  return best.charset === '' ? null : best.charset;
}

/** The letters outside ASCII when decoded with an encoding; null when the bytes are invalid in it. */
function lettersOf(sample: Uint8Array, charset: string, isCut: boolean): string | null {
  const text = decodeAs(charset, sample, isCut);
  const isValid = !(charset === 'johab' && isCut ? text.slice(0, -1) : text).includes('\ufffd');
  return isValid ? text.replaceAll(/[\0-\u007f]|[^\p{L}]/gu, '') : null;
}

function declaredLanguage(bytes: Uint8Array): string | null {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 4_000));
  const tag = start.slice(Math.max(0, start.search(/<html\b/i))).split('>', 1)[0] ?? '';
  return (/^<html\b/i.test(tag) ? /\slang\s*=\s*["']?([a-z]{2})/i.exec(tag)?.[1]?.toLowerCase() : undefined) ?? null;
}

/** Words are collected from this many bytes at most: a page may begin with long scripts. */
const maxBytes = 2_000_000;
const maxWords = 240;
/** In bytes. Chinese and Thai write no spaces. */
const maxWordLength = 40;

/** The first words that have bytes outside ASCII, each of them once, with a character for each byte. */
function wordsOutsideAscii(bytes: Uint8Array): string[] {
  const words = new Set<string>();
  const end = Math.min(bytes.length, maxBytes);
  let start = 0;
  let isOutside = false;
  for (let at = 0; at <= end && words.size < maxWords; at += 1) {
    const byte = at === end ? 0x20 : (bytes[at] ?? 0x20);
    if (byte >= 0x80) isOutside = true;
    else if (!isLetterOrDigit(byte)) {
      if (isOutside) {
        const word = bytes.subarray(start, Math.min(at, start + maxWordLength));
        words.add(withoutFilling(Buffer.from(word.buffer, word.byteOffset, word.length).toString('latin1')));
      }
      start = at + 1;
      isOutside = false;
    }
  }
  return [...words];
}

/** A row of one byte is not a word but spaces or a line: one of them says as much. So does one digit of a number. */
function withoutFilling(word: string): string {
  return word.replaceAll(/([\u0080-\u00ff])\1{2,}/g, '$1').replaceAll(/\d+/g, '0');
}

function isLetterOrDigit(byte: number): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x30 && byte <= 0x39);
}
