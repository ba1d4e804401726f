/** Words are collected from this many bytes at most: a page may begin with long scripts. */
const maxBytes = 2_000_000;
const maxWords = 240;
/** In bytes. Chinese and Thai write no spaces. */
const maxWordLength = 40;

/** The first words that have bytes outside ASCII, each of them once, with a character for each byte. */
export function wordsOutsideAscii(bytes: Uint8Array): string[] {
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

/** A row of one byte is no word but spaces or a line: one of them says as much. So does one digit of a number. */
function withoutFilling(word: string): string {
  return word.replaceAll(/([\u0080-\u00ff])\1{2,}/g, '$1').replaceAll(/\d+/g, '0');
}

function isLetterOrDigit(byte: number): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x30 && byte <= 0x39);
}
