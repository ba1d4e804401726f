/*
 * Folds text as a browser does to find a text fragment: letter case, accents and the form of quotation marks are
 * ignored (https://wicg.github.io/scroll-to-text-fragment/ compares base characters only, and so does Chromium).
 */

const folded = new Map<string, string>([
  ['İ', 'i'],
  ['’', "'"],
  ['‘', "'"],
  ['‛', "'"],
  ['“', '"'],
  ['”', '"'],
  ['„', '"'],
  ['\u00a0', ' '],
]);

function foldCharacter(character: string): string {
  const known = folded.get(character);
  if (known !== undefined) return known;
  const [base = character, ...marks] = character.normalize('NFD');
  const isAccented = base.length === 1 && marks.length > 0 && marks.every((mark) => /\p{Mn}/u.test(mark));
  const lower = (isAccented ? base : character).toLowerCase();
  const result = lower.length === 1 ? lower : character;
  folded.set(character, result);
  return result;
}

/** Cache of the folded form of each UTF-16 unit; 0 when not computed yet. */
const foldedUnits = new Uint16Array(0x1_0000);
const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
/** Longer texts are not copied to an array of UTF-16 units. */
const maxByUnits = 4_000_000;
/** Nearly every text with non-ASCII characters has one among this many characters at its start. */
const early = 512;
const beyondAscii = /[^\0-\x7f]/;

/** Folds a text unit by unit: the result has the same length, so offsets are valid in both. */
export function foldText(text: string): string {
  const hasOthers =
    beyondAscii.test(text.length > early ? text.slice(0, early) : text) ||
    // As many bytes as UTF-16 units: all ASCII. This is the fastest check for a long text.
    (text.length > early && Buffer.byteLength(text) !== text.length);
  if (!hasOthers) return text.toLowerCase();
  return isLittleEndian && text.length <= maxByUnits ? foldUnits(text) : foldMatches(text);
}

/** Folds unit by unit in a loop: a regular expression takes several times as long. */
function foldUnits(text: string): string {
  const bytes = Buffer.from(text, 'utf16le');
  const units = new Uint16Array(bytes.buffer, bytes.byteOffset, text.length);
  let hasPairs = false;
  for (let at = 0; at < units.length; at += 1) {
    const code = units[at] ?? 0;
    let unit = foldedUnits[code] ?? 0;
    if (unit === 0) {
      unit = foldMatches(String.fromCharCode(code)).charCodeAt(0);
      foldedUnits[code] = unit;
    }
    if ((code & 0xf800) === 0xd800) hasPairs = true;
    units[at] = unit;
  }
  const folded = bytes.toString('utf16le');
  return hasPairs ? folded.toLowerCase() : folded;
}

function foldMatches(text: string): string {
  // Every other character keeps its length in lower case: exceptions are in the table.
  return text.replaceAll(/[^\0-\x7f]/g, foldCharacter).toLowerCase();
}
