export interface Decoded {
  /** WHATWG name of the encoding. */
  charset: string;
  text: string;
}

/**
 * Decodes text whose encoding is decided in this order: a byte order mark that is there, the charset that HTTP
 * declared, strict UTF-8, the page's own `meta` or XML declaration, windows-1252. The mark goes first because its bytes
 * mean nothing in any other encoding, so a header that contradicts it is wrong (browsers do the same); where the two
 * agree, the order does not matter.
 */
export function decodeText(bytes: Uint8Array, declaredType: string | null): Decoded {
  const marked = byteOrderMark(bytes);
  if (marked !== null) return decode(bytes, marked);
  const http = knownEncoding(/;\s*charset\s*=\s*["']?([^\s"';]+)/i.exec(declaredType ?? '')?.[1]);
  if (http !== null) return decode(bytes, http);
  const meta = knownEncoding(declaredInside(bytes));
  // ISO-2022-JP is ASCII with escapes, so it would pass for UTF-8.
  if (meta === 'iso-2022-jp' && bytes.includes(0x1b)) return decode(bytes, meta);
  const utf8 = strictUtf8(bytes);
  if (utf8 !== null) return { charset: 'utf-8', text: utf8 };
  return decode(bytes, meta ?? 'windows-1252');
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

function strictUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** Pages name their encoding near the beginning; browsers look at 1,024 bytes, careless pages need more. */
const prescanBytes = 8_192;

function declaredInside(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, prescanBytes)).replaceAll(/<!--.*?-->/gs, '');
  const label =
    /^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([^"']+)["']/i.exec(start)?.[1] ??
    /<meta\s[^>]{0,400}?charset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(start)?.[1];
  // A page that could be read this far is not in UTF-16, whatever it says.
  return label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label;
}
