import { decodeAs } from '../src/sources/decoding/encodings.ts';

const tables = new Map<string, ReadonlyMap<string, readonly number[]>>();

/**
 * Encodes text, for which Node has only decoders. `known` is the text without the characters that the encoding lacks.
 * Characters of more than two bytes count as lacking.
 */
export function encodeText(text: string, charset: string): { bytes: Uint8Array; known: string } {
  const table = tableOf(charset);
  const bytes: number[] = [];
  let known = '';
  // Vietnamese has its accents as characters of their own in windows-1258.
  const spelled = charset === 'windows-1258' ? spellAccents(text) : text;
  for (const char of spelled) {
    const code = char < '\u0080' ? [char.charCodeAt(0)] : table.get(char);
    if (code === undefined) continue;
    bytes.push(...code);
    known += char;
  }
  return { bytes: new Uint8Array(bytes), known };
}

function tableOf(charset: string): ReadonlyMap<string, readonly number[]> {
  const before = tables.get(charset);
  if (before !== undefined) return before;
  const table = new Map<string, number[]>();
  const isWide = /^(?:shift_jis|euc-|gb|big5|johab)/.test(charset);
  for (let lead = 0x80; lead < 0x100; lead += 1) {
    const one = decodeAs(charset, new Uint8Array([lead]));
    if (one !== '\ufffd' && one !== '' && !table.has(one)) table.set(one, [lead]);
    for (let trail = isWide ? 0x31 : 0xff; trail < 0xff; trail += 1) {
      const two = decodeAs(charset, new Uint8Array([lead, trail]));
      if (two.length === 1 && two !== '\ufffd' && !table.has(two)) table.set(two, [lead, trail]);
    }
  }
  tables.set(charset, table);
  return table;
}

/** Takes tone marks off their vowels, and leaves the circumflex, breve and horn on them. */
function spellAccents(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/([aeo])([\u0323]?)(\u0302|\u0306|\u031b)/giu, (_all, letter: string, dot: string, sign: string) => {
      const base = `${letter}${sign}`.normalize('NFC');
      return `${base}${dot}`;
    })
    .replaceAll(
      /(u)([\u0323]?)\u031b/giu,
      (_all, letter: string, dot: string) => `${`${letter}\u031b`.normalize('NFC')}${dot}`,
    );
}
