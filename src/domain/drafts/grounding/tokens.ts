import { numbersBeforeUnits, numberWords, unitsByWord } from './units.ts';
import { irregular } from './word-lists.ts';
import { stemOf } from '../../text/words/porter.ts';

/** A word or number of an instruction, or of the text that it is compared with. */
export interface GroundingToken {
  /** In lower case, without accents. */
  word: string;
  stem: string;
  /** The possible values of a number: `1.200` has two. Empty for other words. */
  numbers: readonly number[];
  /** Letters followed by digits: WD-40. */
  isCode: boolean;
  isCapital: boolean;
  /** The first word of a sentence, or after a colon. */
  isFirst: boolean;
  isAcronym: boolean;
  /** A run of a script without spaces. */
  isRun: boolean;
  /** Index of its clause in the text, counted from 0. */
  clause: number;
}

const unspaced = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]`;
/* Linear: the alternatives are bounded or simple runs, and none has a part that could match in two ways. */
const pieces = new RegExp(
  [
    String.raw`(?<number>\d{1,3}(?:[ \u00a0\u202f]\d{3}){1,4}(?![\d])|\d+(?:[.,:]\d+){0,8})`,
    String.raw`(?<run>${unspaced}+)`,
    String.raw`(?<code>(?:(?!${unspaced})\p{L}){1,20}-?\d[\p{L}\d]{0,20})`,
    String.raw`(?<word>(?:(?!${unspaced})[\p{L}\p{M}])+)`,
    String.raw`(?<sign>[$€£¥%])`,
    String.raw`(?<end>[,;:!?()\n—–。，、；：！？«»"“”]|\.(?=\s|$))`,
  ].join('|'),
  'gu',
);
/** After these characters a new sentence begins. */
const sentenceEnds = '.:!?\n—–(';
/** Conjunctions begin a clause as a comma does. */
const conjunctions = new Set('and but then und aber oder et mais puis y pero'.split(' '));
/** `don't` is one token; other apostrophes separate two (`l'eau`). */
const contraction = /n[’']t\b/gi;

export function tokensOf(text: string): GroundingToken[] {
  const tokens: GroundingToken[] = [];
  let clause = 0;
  let isFirst = true;
  for (const { 0: found, groups = {} } of inOneSpelling(text).matchAll(pieces)) {
    if (groups['end'] !== undefined) {
      clause += 1;
      isFirst ||= sentenceEnds.includes(found);
      continue;
    }
    const word = bare(found);
    if (conjunctions.has(word)) clause += 1;
    const isNumber = groups['number'] !== undefined;
    // "très" is not "tres" (three).
    const count = found.includes('è') ? undefined : numberWords.get(word);
    tokens.push({
      word,
      stem: isNumber ? word : stemOfWord(word),
      numbers: isNumber ? readings(found) : count === undefined ? [] : [count],
      isCode: groups['code'] !== undefined,
      isCapital: /^\p{Lu}/u.test(found),
      isFirst,
      isAcronym: /^[A-Z]{2,5}s?$/.test(found),
      isRun: groups['run'] !== undefined,
      clause,
    });
    isFirst = false;
  }
  return tokens.map((token, at) => {
    const count = unitsByWord.has(tokens[at + 1]?.word ?? '') ? numbersBeforeUnits.get(token.word) : undefined;
    return count === undefined ? token : { ...token, numbers: [count] };
  });
}

/** Writes fractions as decimals and ranges with "to", and splits `3x8` and `don't`. */
function inOneSpelling(text: string): string {
  return text
    .replaceAll(fractionSign, (_, whole: string | undefined, sign: string) =>
      String(Number(whole ?? 0) + (fractionSigns.get(sign) ?? 0)),
    )
    .normalize('NFKC')
    .replaceAll(fraction, (_, whole: string | undefined, over: string, under: string) =>
      String(Number(whole ?? 0) + Number(over) / Number(under)),
    )
    .replaceAll(product, ' × ')
    .replaceAll(dashOfRange, ' to ')
    .replaceAll(contraction, 'nt');
}

const fractionSigns: ReadonlyMap<string, number> = new Map([
  ['½', 1 / 2],
  ['⅓', 1 / 3],
  ['⅔', 2 / 3],
  ['¼', 1 / 4],
  ['¾', 3 / 4],
  ['⅛', 1 / 8],
]);
const fractionSign = /(?:(?<![\d.,])(\d{1,3}) ?)?([½⅓⅔¼¾⅛])/gu;
const fraction = /(?<![\d/.,])(?:(\d{1,3}) )?([1-3])\/([23458])(?![\d/])/g;
const product = /(?<=\d) ?[x×](?= ?\d)|\bx(?=\d)/gi;
const dashOfRange = /(?<=\d) ?[-–—] ?(?=[$€£]?\d)/g;

/** Lower case, without the diacritics of Latin, Greek and Cyrillic letters. In other scripts marks are kept. */
function bare(word: string): string {
  const small = word.toLowerCase();
  if (!/[^\0-\x7f]/.test(small)) return small;
  return small
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFC');
}

export function stemOfWord(word: string): string {
  return stemOf(irregular.get(word) ?? word);
}

/** The possible values of a number: `1,200` means 1200 in some countries and 1.2 in others. */
function readings(number: string): number[] {
  const spaceless = number.replaceAll(/[ \u00a0\u202f]/g, '');
  const whole = /^\d{1,3}(?:[.,]\d{3})+$/.test(spaceless) ? [Number(spaceless.replaceAll(/[.,]/g, ''))] : [];
  // Half past six is written 6:30 or 6.30.
  const fraction = Number(spaceless.replace(/[,:]/, '.'));
  return Number.isNaN(fraction) ? whole : [...whole, fraction];
}

/** Whether two words are related: same stem, same beginning, or one within the other as in compounds. */
export function areAkin(one: GroundingToken, other: GroundingToken): boolean {
  if (one.stem === other.stem || one.word === other.word) return true;
  const [shorter, longer] = one.word.length < other.word.length ? [one.word, other.word] : [other.word, one.word];
  if (shorter.length < 4) return false;
  const rest = longer.length - shorter.length;
  if (shorter.length >= 5 && rest >= 3 && (longer.startsWith(shorter) || longer.endsWith(shorter))) return true;
  let shared = 0;
  while (shared < shorter.length && shorter[shared] === longer[shared]) shared += 1;
  return shared >= 4 && shared >= longer.length * 0.6;
}
