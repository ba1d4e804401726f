/*
 * How much words look like words of some language. Only the words with characters outside ASCII are looked at: all
 * encodings agree on the others.
 */

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

/** The language detector, as far as it is used here. */
export interface Detector {
  detect(text: string): { getScores(): Readonly<Record<string, number>> };
}

/** Words in one call of the detector, which reads no more than 350 bytes of UTF-8. */
const wordsPerCall = 12;
/** Factor for the language that the page declares. */
const declaredWeight = 1.1;
/** What a fault costs: a little less than a usual word gains. */
export const faultCost = 80;

/** How much the words look like those of the language that they resemble most. About 100 a word in a clear case. */
export function languageScore(eld: Detector, words: readonly string[], declared: string | null): number {
  const sums = new Map<string, number>();
  // A sign that stands alone is a capital or another single letter in some encoding. Words of one small letter exist.
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
  // Letters of their own tell languages apart where few words are known to the detector.
  let best = Number.NEGATIVE_INFINITY;
  for (const [language, others] of foreign) {
    const strange = words.filter(others).length;
    const score = (sums.get(language) ?? 0) * (language === declared ? declaredWeight : 1) - strange * faultCost;
    best = Math.max(best, score);
  }
  return best;
}

/**
 * Patterns that hardly occur in English pages and in messages of programs in 40 languages, by where signs stand in words. A
 * match does not count as a word: the detector would recognise the letters around the sign.
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
  // a capital letter that stands alone, and is no word of French, Italian, Portuguese, Swedish, Polish or Hungarian
  /^(?![ÀÈÉÓÔÖÅŐ])[^\p{L}]*(?![A-Z])\p{Lu}[^\p{L}]*$/u,
  // an accent without a vowel
  /(?:^|[^\p{L}\p{M}]|[b-df-hj-np-tv-xz])\p{M}/iu,
];

/** How many things in a word are unlikely in any language. */
export function oddness(word: string): number {
  const isMixed = word.split(/[\p{P}\p{Z}]/u).some((part) => /[a-z]/i.test(part) && otherScript.test(part));
  return (isMixed ? 1 : 0) + faults.filter((pattern) => pattern.test(word)).length;
}

const otherScript = /(?!\p{Script=Latin})\p{L}/u;
