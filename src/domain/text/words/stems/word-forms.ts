import { arabicStem, isArabic } from '../arabic.ts';
import { foldedLetters, foldedWord } from '../words.ts';
import { type StemmedLanguage, stemmedLanguage, stemmerOf } from './stemmers.ts';

/*
 * Words of the index: of a passage in a language with a stemmer, the stems of its words; of others the words themselves,
 * which the index stems by the rules of English. Languages that share a script share one index, so a question's word is
 * looked up in every form that a passage of the account may have it in.
 */

/** The languages of an account's documents that have a stemmer. */
export type IndexedLanguages = readonly StemmedLanguage[];

const scripts = ['latin', 'greek', 'cyrillic', 'armenian', 'devanagari', 'tamil'] as const;
type Script = (typeof scripts)[number];

/** The script of a letter by its code; undefined for Arabic, which has its own stemmer, and for all others. */
function scriptOf(code: number): Script | undefined {
  if (code < 0x250 || (code >= 0x1e00 && code < 0x1f00)) return 'latin';
  if (code < 0x370) return undefined;
  if (code < 0x400 || (code >= 0x1f00 && code < 0x2000)) return 'greek';
  if (code < 0x530) return 'cyrillic';
  if (code < 0x590) return 'armenian';
  if (code >= 0x900 && code < 0x980) return 'devanagari';
  return code >= 0xb80 && code < 0xc00 ? 'tamil' : undefined;
}

/** A language that is written in one script is one of Latin letters unless it is listed here. */
const scriptsOfLanguages: Partial<Record<StemmedLanguage, readonly Script[]>> = {
  ar: [],
  bg: ['cyrillic'],
  el: ['greek'],
  hi: ['devanagari'],
  hy: ['armenian'],
  ne: ['devanagari'],
  ru: ['cyrillic'],
  sr: ['cyrillic', 'latin'],
  ta: ['tamil'],
  uk: ['cyrillic'],
};

/** The language whose stemmer is used for words of a script in a text of another language, or of an unknown one. */
const ofScript: Partial<Record<Script, StemmedLanguage>> = {
  armenian: 'hy',
  cyrillic: 'ru',
  devanagari: 'hi',
  greek: 'el',
  tamil: 'ta',
};

function writes(language: StemmedLanguage, script: Script): boolean {
  return scriptsOfLanguages[language]?.includes(script) ?? script === 'latin';
}

/** Longer words are not words of a language, and stemmers take more than linear time. */
const maxStemmedLength = 40;
const minStemmedLength = 3;
/**
 * Letters of a stem in alphabets: what follows in longer stems is mostly an ending that the stemmer does not know, or the
 * next part of a compound. In eleven collections of nine languages, six gave .014 more nDCG@10 than whole stems, five and seven .012
 * (docs/decisions/languages.md). In Devanagari and Tamil, six characters are two or three syllables: those stems stay whole.
 */
const maxStemLetters = 6;
const syllabic: ReadonlySet<StemmedLanguage> = new Set(['hi', 'ne', 'ta']);

const onlyLetters = /^[\p{L}\p{M}]+$/u;

function wholeStem(language: StemmedLanguage, word: string): string {
  // Turkish has a capital for each of its two letters i.
  const lower = language === 'tr' ? word.toLocaleLowerCase('tr') : word.toLowerCase();
  const found = onlyLetters.test(lower) ? stemmerOf(language)(lower.replaceAll('ё', 'е')) : lower;
  return foldedLetters(found === '' ? lower : found);
}

/** Stemming a word takes some microseconds, and the words of a text repeat. */
const maxKnown = 20_000;
const known = new Map<StemmedLanguage, Map<string, string>>();

function stemIn(language: StemmedLanguage, word: string): string {
  const stems = known.get(language) ?? new Map<string, string>();
  known.set(language, stems);
  let stem = stems.get(word);
  if (stem === undefined) {
    const whole = wholeStem(language, word);
    stem = syllabic.has(language) ? whole : whole.slice(0, maxStemLetters);
    if (stems.size >= maxKnown) stems.clear();
    stems.set(word, stem);
  }
  return stem;
}

/**
 * The indexed form of a word in a text of this language, except for English endings and the accents of Latin letters, which the
 * index itself handles.
 * @param word in NFKC
 */
export function indexedWord(word: string, language: StemmedLanguage | null): string {
  const script = scriptOf(word.charCodeAt(0));
  if (script === undefined && isArabic(word)) return arabicStem(foldedWord(word));
  if (script !== undefined && word.length >= minStemmedLength && word.length <= maxStemmedLength) {
    const own = language !== null && writes(language, script) ? language : ofScript[script];
    if (own !== undefined) return stemIn(own, word);
  }
  return foldedLetters(word);
}

/** Endings that stemmers know by their accents, which many people leave out in questions. */
const accentedEndings: Partial<Record<StemmedLanguage, readonly (readonly [typed: string, written: string])[]>> = {
  es: [
    ['cion', 'ción'],
    ['sion', 'sión'],
  ],
  pt: [
    ['cao', 'ção'],
    ['sao', 'são'],
    ['coes', 'ções'],
    ['soes', 'sões'],
  ],
};

function withAccent(word: string, language: StemmedLanguage): string | null {
  const ending = accentedEndings[language]?.find(([typed]) => word.toLowerCase().endsWith(typed));
  return ending === undefined ? null : word.slice(0, -ending[0].length) + ending[1];
}

/** The distinct forms in which the index may hold a word of a question, beside `indexedWord(word, null)`. */
export function furtherForms(word: string, languages: IndexedLanguages): string[] {
  const script = scriptOf(word.charCodeAt(0));
  const first = indexedWord(word, null).toLowerCase();
  const forms = new Set<string>();
  if (script !== undefined) {
    for (const language of languages) {
      if (!writes(language, script)) continue;
      forms.add(indexedWord(word, language));
      const accented = withAccent(word, language);
      if (accented !== null) forms.add(indexedWord(accented, language));
    }
  }
  forms.delete(first);
  return [...forms];
}

/** Whether the stem of a word may begin with other letters than the word. */
export function mayChangeBeginning(language: StemmedLanguage | null): boolean {
  return language === 'ga' || language === 'id' || language === 'ar';
}

export { type StemmedLanguage, stemmedLanguage };
