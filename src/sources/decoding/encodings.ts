import codePages from 'iconv-lite/encodings/sbcs-data-generated.js';

/* Decodes text in a named encoding: web encodings, UTF-32, the code pages of DOS, and Johab. */

/** The code pages of DOS that the web lacks, by the languages that were written with them. The first counts if several give the same text. */
export const latinPages = ['ibm850', 'ibm852', 'ibm857', 'ibm775', 'ibm437', 'ibm861', 'ibm865', 'ibm860', 'ibm863'];
export const otherPages = ['ibm855', 'ibm737', 'ibm862', 'ibm869'];
const pages = new Set([...latinPages, ...otherPages]);

/** The name of an encoding that `decodeAs` knows; null for others. */
export function knownEncoding(label: string | undefined): string | null {
  if (label === undefined) return null;
  const bare = label
    .trim()
    .toLowerCase()
    .replace(/^(?:cs|x-)?(?:ibm|cp|dos)[-_]?(?=\d)/, 'ibm');
  if (pages.has(bare)) return bare;
  if (/^(?:johab|ibm1361|ms1361|ks_c_5601-1992)$/.test(bare)) return 'johab';
  try {
    return new TextDecoder(label).encoding;
  } catch (error) {
    if (error instanceof RangeError) return null; // an unknown name, for browsers as well
    throw error;
  }
}

/**
 * Decodes bytes. Invalid ones become the replacement character.
 * @param isCut whether the last character may be cut in two, which is not an error then
 */
export function decodeAs(charset: string, bytes: Uint8Array, isCut = false): string {
  if (charset.startsWith('utf-32')) return decodeUtf32(bytes, charset);
  if (charset === 'johab') return decodeJohab(bytes);
  if (pages.has(charset)) return decodePage(bytes, charset.replace('ibm', 'cp'));
  return new TextDecoder(charset).decode(bytes, { stream: isCut });
}

function decodePage(bytes: Uint8Array, page: string): string {
  const chars = codePages[page]?.chars ?? '';
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  return text.replaceAll(/[\u0080-\u00ff]/g, (char) => chars[char.charCodeAt(0) - 0x80] ?? '\ufffd');
}

const pointsAtOnce = 4_096;

export function codePoints(bytes: Uint8Array, charset: string): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, i) => view.getUint32(i * 4, charset === 'utf-32le'));
}

function decodeUtf32(bytes: Uint8Array, charset: string): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += pointsAtOnce) {
    const points = codePoints(bytes.subarray(at, at + pointsAtOnce), charset);
    parts.push(String.fromCodePoint(...points.map((point) => (point > 0x10_ff_ff ? 0xff_fd : point))));
  }
  return parts
    .join('')
    .toWellFormed()
    .replace(/^\ufeff/, '');
}

/** The letters of syllables by the numbers of Johab (KS X 1001, annex 3); a space means no letter, a dot an invalid number. */
const initials = '. ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ';
const vowels = '.. ㅏㅐㅑㅒㅓ..ㅔㅕㅖㅗㅘㅙ..ㅚㅛㅜㅝㅞㅟ..ㅠㅡㅢㅣ';
const finals = '. ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁ.ㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ';
const orderOf = (letters: string): string => letters.replaceAll(/[. ]/g, '');

function decodeJohab(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    const [lead = 0, trail = 0] = [bytes[at], bytes[at + 1]];
    if (lead < 0x80) {
      parts.push(String.fromCharCode(lead));
      continue;
    }
    const char = lead < 0xd4 ? syllable(lead * 256 + trail) : sign(lead, trail);
    parts.push(char ?? '\ufffd');
    if (char !== null) at += 1;
  }
  return parts.join('');
}

/** Five bits each for the initial, the vowel and the final letter. */
function syllable(code: number): string | null {
  const letters = [initials[(code >> 10) & 31], vowels[(code >> 5) & 31], finals[code & 31]];
  const [initial = '.', vowel = '.', final = '.'] = letters;
  if ([initial, vowel, final].includes('.')) return null;
  if (initial === ' ' || vowel === ' ')
    return letters.filter((letter) => letter !== ' ').length === 1 ? letters.join('').trim() : null;
  const order = orderOf(initials).indexOf(initial) * 21 + orderOf(vowels).indexOf(vowel);
  return String.fromCharCode(0xac00 + order * 28 + orderOf(finals).indexOf(final) + 1);
}

/** Signs and Chinese characters, two rows of the other Korean encoding for each lead byte. */
function sign(lead: number, trail: number): string | null {
  const isSign = lead >= 0xd9 && lead <= 0xde;
  const isTrail = (trail >= 0x31 && trail <= 0x7e) || (trail >= 0x91 && trail <= 0xfe);
  if (!isTrail || !(isSign || (lead >= 0xe0 && lead <= 0xf9))) return null;
  const row = isSign ? (lead - 0xd9) * 2 : lead * 2 - 0x197;
  const cell = trail < 0x91 ? trail - 0x31 : trail - 0x43;
  const char = new TextDecoder('euc-kr').decode(new Uint8Array([row + (cell < 94 ? 0xa1 : 0xa2), (cell % 94) + 0xa1]));
  return char.length === 1 && char !== '\ufffd' ? char : null;
}
