import { isAscii, isUtf8 } from 'node:buffer';
import { guessCharset } from './guess-charset.ts';

export interface Decoded {
  /** WHATWG name of the encoding. */
  charset: string;
  text: string;
}

/**
 * Decodes text whose encoding is decided in this order: a byte order mark that is there, strict UTF-8 with letters outside ASCII, which no
 * other encoding looks like, the charset that HTTP declared, the page's own `meta` or XML declaration, UTF-8 with a broken byte here and
 * there, what the bytes look like. Browsers believe a declaration whatever the bytes are; a reader of wrong letters is no better for it.
 * Only the decision looks at the bytes more than once; they are decoded once, so that a large resource is in memory as text once.
 */
export function decodeText(bytes: Uint8Array, declaredType: string | null): Decoded {
  const marked = byteOrderMark(bytes);
  if (marked !== null) return decode(bytes, marked);
  const http = knownEncoding(/;\s*charset\s*=\s*["']?([^\s"';]+)/i.exec(declaredType ?? '')?.[1]);
  const isWide = http?.startsWith('utf-16') === true;
  // ISO-2022-JP is ASCII with escapes, so it would pass for UTF-8.
  if (!isWide && isEscapedJapanese(bytes)) return decode(bytes, 'iso-2022-jp');
  if (isUtf8(bytes) && (http === null || (!isWide && !isAscii(bytes)))) return decode(bytes, 'utf-8');
  const declared = http ?? knownEncoding(declaredInside(bytes));
  if (declared !== null && declared !== 'utf-8') return decode(bytes, declared);
  return decode(bytes, isMostlyUtf8(bytes) ? 'utf-8' : guessCharset(bytes));
}

/** The escapes to and from Japanese characters (RFC 1468), which no other text has. */
function isEscapedJapanese(bytes: Uint8Array): boolean {
  if (!bytes.includes(0x1b)) return false;
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, latestMetaBytes));
  return start.includes('\u001b$B') && start.includes('\u001b(');
}

/** Of what tells UTF-8 with faults from another encoding, in bytes. */
const faultSampleBytes = 2_000_000;

/** Whether so little of it is broken that it is UTF-8 with faults, not another encoding. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, faultSampleBytes);
  // Where the sample cuts a character in two, the decoder waits for the rest of it.
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

/** The encoding that a byte order mark at the beginning names, else null. */
export function byteOrderMark(bytes: Uint8Array): string | null {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return null;
}

function decode(bytes: Uint8Array, charset: string): Decoded {
  return { charset, text: new TextDecoder(charset).decode(bytes) };
}

function knownEncoding(label: string | undefined): string | null {
  if (label === undefined) return null;
  try {
    return new TextDecoder(label).encoding;
  } catch (error) {
    if (error instanceof RangeError) return null; // a name that no browser knows either
    throw error;
  }
}

/** Pages name their encoding near the beginning; browsers look at 1,024 bytes, careless pages have scripts in front of it. */
const latestMetaBytes = 200_000;

function declaredInside(bytes: Uint8Array): string | undefined {
  const start = withoutComments(new TextDecoder('latin1').decode(bytes.subarray(0, latestMetaBytes)));
  const label = /^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([^"']+)["']/i.exec(start)?.[1] ?? metaCharset(start);
  // A page that could be read this far is not in UTF-16, whatever it says.
  return label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label;
}

/** Characters of a `meta` tag in which its charset is looked for. */
const maxMetaLength = 500;

/** Each tag is looked at by itself: a pattern would look from each `<meta` over all that follow. */
function metaCharset(html: string): string | undefined {
  for (const { index } of html.matchAll(/<meta\s/gi)) {
    const [tag = ''] = html.slice(index, index + maxMetaLength).split('>', 1);
    const label = /charset\s*=\s*(?:["']\s*)?([^\s"'/;]+)/i.exec(tag)?.[1];
    if (label !== undefined) return label;
  }
  return undefined;
}

/** In one pass: a pattern would look from each opening that is not closed to the end. */
function withoutComments(html: string): string {
  const [before = '', ...rest] = html.split('<!--');
  return [
    before,
    ...rest.map((part) => {
      const end = part.indexOf('-->');
      return end === -1 ? '' : part.slice(end + 3);
    }),
  ].join('');
}
