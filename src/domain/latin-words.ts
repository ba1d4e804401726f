/*
 * Most texts are of Latin letters. Cutting those into words needs no Unicode properties, and walking over their characters
 * takes a tenth of the time that a pattern takes.
 */

/** Up to U+024F and what no part of a word is: quotation marks and dashes, signs of money, arrows, boxes, symbols. */
const latin = /^[\0-\u024f\u2000-\u206f\u20a0-\u20cf\u2190-\u245f\u2500-\u2775\u2794-\u2bff]*$/;
const firstBeyond = 0x250;

/** Whether a character is a letter or a number, by its code. */
const isWordCharacter = new Uint8Array(firstBeyond);
const isLetter = new Uint8Array(firstBeyond);
for (let code = 0; code < firstBeyond; code += 1) {
  const character = String.fromCharCode(code);
  if (/[\p{L}\p{N}\p{Co}\p{M}]/u.test(character)) isWordCharacter[code] = 1;
  if (/\p{L}/u.test(character)) isLetter[code] = 1;
}

/**
 * Where the words of a text begin and end, in turns: runs of letters and numbers.
 * @returns null when it has characters beyond the Latin ones
 */
export function latinWords(text: string): number[] | null {
  if (!latin.test(text)) return null;
  const edges: number[] = [];
  let isInside = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const isPart = code < firstBeyond ? (isWordCharacter[code] ?? 0) : 0;
    if (isPart !== isInside) edges.push(at);
    isInside = isPart;
  }
  if (isInside === 1) edges.push(text.length);
  return edges;
}

/**
 * The same of those words alone that may begin so.
 * @param beginnings 1 for the codes of ASCII characters that a word may begin with; others it may begin with in any case
 */
export function latinWordsBeginning(text: string, beginnings: Uint8Array): number[] | null {
  if (!latin.test(text)) return null;
  const edges: number[] = [];
  let isInside = false;
  let isWanted = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const isPart = code < firstBeyond && isWordCharacter[code] === 1;
    if (isPart === isInside) continue;
    isInside = isPart;
    if (isPart) isWanted = code >= beginnings.length || beginnings[code] === 1;
    if (isWanted) edges.push(at);
  }
  if (isInside && isWanted) edges.push(text.length);
  return edges;
}

/** As `latin`, without the characters that join others to a word. */
const latinUnjoined = /^[\0-\u024f\u2000-\u200b\u200e-\u206f]*$/;

/**
 * How many words a person would count: an apostrophe between letters is part of a word, and no number stands behind it.
 * @returns null when it has characters beyond the Latin ones
 */
export function countLatinWords(text: string): number | null {
  if (!latinUnjoined.test(text)) return null;
  let count = 0;
  let isInside = false;
  let isAfterApostrophe = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isWordCharacter[code] === 1) {
      if (isInside && !isAfterApostrophe) continue;
      if (!isInside || isLetter[code] === 0) {
        count += 1;
        isAfterApostrophe = false;
      }
      isInside = true;
    } else if (isInside) {
      isInside = (code === 0x27 || code === 0x2019) && isLetter[text.charCodeAt(at + 1)] === 1;
      isAfterApostrophe = isInside;
    }
  }
  return count;
}
