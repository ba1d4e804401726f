/*
 * Text as a browser compares it when it looks for a fragment: letter case, accents and the form of quotation marks do not
 * count (https://wicg.github.io/scroll-to-text-fragment/ asks for the base characters only, and so does Chromium's finder).
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

/** What each unit is folded to, as far as it was met: 0 where it was not. */
const foldedUnits = new Uint16Array(0x1_0000);
const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
/** A longer text is not taken apart as a whole. */
const maxByUnits = 4_000_000;
/** What is not ASCII shows early in nearly every text that has any. */
const early = 512;
const beyondAscii = /[^\0-\x7f]/;

/** As long as `text`, unit by unit, so that an offset into one is an offset into the other. */
export function foldText(text: string): string {
  const hasOthers =
    beyondAscii.test(text.length > early ? text.slice(0, early) : text) ||
    // As many bytes as units: all of it is ASCII, which nothing tells as quickly of a long text.
    (text.length > early && Buffer.byteLength(text) !== text.length);
  if (!hasOthers) return text.toLowerCase();
  return isLittleEndian && text.length <= maxByUnits ? foldUnits(text) : foldMatches(text);
}

/** Unit by unit, where a pattern would take several times as long. */
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
  // Of the characters that are left as they are, none gets longer in lower case: those are in the table.
  return text.replaceAll(/[^\0-\x7f]/g, foldCharacter).toLowerCase();
}
