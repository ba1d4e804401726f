import { isAscii, isUtf8 } from 'node:buffer';
import { codePoints, decodeAs, knownEncoding } from './encodings.ts';
import { guessCharset } from './guess-charset.ts';

export interface Decoded {
  /** WHATWG name of the encoding, if it has one. */
  charset: string;
  text: string;
}

/**
 * Decodes text. The encoding is decided in this order: a byte order mark; strict UTF-8 with characters outside ASCII,
 * which no other encoding produces; the charset that HTTP declared; the page's own `meta` or XML declaration; UTF-8
 * with a few broken bytes; a guess from the bytes. Browsers believe a declaration whatever the bytes are, but the wrong
 * letters would help no reader. Only the decision reads the bytes more than once. They are decoded once, so that a
 * large resource is in memory as text only once.
 */
export async function decodeText(bytes: Uint8Array, declaredType: string | null): Promise<Decoded> {
  const marked = byteOrderMark(bytes);
  if (marked !== null) return decode(bytes, marked);
  const http = knownEncoding(/;\s*charset\s*=\s*["']?([^\s"';]+)/i.exec(declaredType ?? '')?.[1]);
  const isWide = http?.startsWith('utf-16') === true;
  const wide = http === null ? wideCharset(bytes) : null;
  if (wide !== null) return decode(bytes, wide);
  // ISO-2022-JP is ASCII with escape sequences, so it would be valid UTF-8.
  if (!isWide && isEscapedJapanese(bytes)) return decode(bytes, 'iso-2022-jp');
  if (isUtf8(bytes) && (http === null || (!isWide && !isAscii(bytes)))) return decode(bytes, 'utf-8');
  const declared = http ?? knownEncoding(declaredInside(bytes));
  if (declared !== null && declared !== 'utf-8') return decode(bytes, declared);
  return decode(bytes, isMostlyUtf8(bytes) ? 'utf-8' : await guessCharset(bytes));
}

/** Detects the escape sequences to and from Japanese characters (RFC 1468), which no other text contains. */
function isEscapedJapanese(bytes: Uint8Array): boolean {
  if (!bytes.includes(0x1b)) return false;
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, latestMetaBytes));
  return start.includes('\u001b$B') && start.includes('\u001b(');
}

const faultSampleBytes = 2_000_000;

/** Whether so few bytes are invalid that the text is UTF-8 with errors rather than another encoding. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, faultSampleBytes);
  // With `stream`, the decoder does not report a character that the end of the sample cuts in two.
  const text = new TextDecoder('utf-8').decode(sample, { stream: sample.length < bytes.length });
  let broken = 0;
  let whole = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 0xfffd) broken += 1;
    else if (unit >= 0x80 && unit < 0xfffd) whole += 1;
  }
  return broken * 10 <= whole;
}

export function byteOrderMark(bytes: Uint8Array): string | null {
  const [first, second, third, fourth] = bytes;
  if (first === 0xff && second === 0xfe && third === 0 && fourth === 0 && bytes.length % 4 === 0) return 'utf-32le';
  if (first === 0 && second === 0 && third === 0xfe && fourth === 0xff) return 'utf-32be';
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return null;
}

const wideSampleBytes = 4_096;

/** UTF-16 or UTF-32 without a byte order mark: every other byte of most texts is zero, and the others are not. Null if it is not. */
export function wideCharset(bytes: Uint8Array): string | null {
  const sample = bytes.subarray(0, wideSampleBytes);
  for (const charset of ['utf-32le', 'utf-32be']) {
    const isWhole = bytes.length % 4 === 0 && bytes.length >= 16;
    if (isWhole && codePoints(sample, charset).every((point) => point >= 9 && point <= 0x10_ff_ff)) return charset;
  }
  const pairs = Math.floor(sample.length / 2);
  if (pairs < 4 || bytes.length % 2 === 1) return null;
  const zeros = [0, 0];
  for (let at = 0; at < pairs * 2; at += 1) if (sample[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (even === 0 && odd > pairs * 0.7) return 'utf-16le';
  return odd === 0 && even > pairs * 0.7 ? 'utf-16be' : null;
}

function decode(bytes: Uint8Array, charset: string): Decoded {
  return { charset, text: decodeAs(charset, bytes) };
}

/** Browsers look at 1,024 bytes, but careless pages put scripts before the declaration. */
const latestMetaBytes = 200_000;

function declaredInside(bytes: Uint8Array): string | undefined {
  const start = withoutComments(new TextDecoder('latin1').decode(bytes.subarray(0, latestMetaBytes)), '<!--', '-->');
  const label = /^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([^"']+)["']/i.exec(start)?.[1] ?? metaCharset(start);
  // A declaration that can be read as single bytes proves that the page is not in UTF-16.
  return label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label;
}

const maxMetaLength = 500;

/** Takes each tag separately: a single regular expression would scan from each `<meta` over all text after it. */
function metaCharset(html: string): string | undefined {
  for (const { index } of html.matchAll(/<meta\s/gi)) {
    const [tag = ''] = html.slice(index, index + maxMetaLength).split('>', 1);
    const label = /charset\s*=\s*(?:["']\s*)?([^\s"'/;]+)/i.exec(tag)?.[1];
    if (label !== undefined) return label;
  }
  return undefined;
}

/** Works in one pass: a regular expression would scan from each unclosed comment to the end. */
export function withoutComments(text: string, opening: string, closing: string): string {
  const [before = '', ...rest] = text.split(opening);
  const behind = rest.map((part) => {
    const end = part.indexOf(closing);
    return end === -1 ? '' : part.slice(end + closing.length);
  });
  return [before, ...behind].join('');
}
