import { isAscii } from 'node:buffer';
import { TextDecoder } from 'node:util';

/**
 * Decodes text. The encoding is decided at the first bytes outside ASCII: UTF-16 by its byte order mark or its zeros, UTF-8, the
 * file's own declaration, or the usual encoding of older programs' tables. Invalid bytes are replaced. Bytes that turn out to be
 * UTF-8 later are read as such: a few broken ones may come first.
 */
export async function* textChunks(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let declared: string | null | undefined;
  for await (const chunk of bytes) {
    declared ??= declaredEncoding(chunk);
    if (decoder === undefined && !isUtf16(chunk) && isAscii(chunk)) {
      yield Buffer.from(chunk).toString('latin1');
      continue;
    }
    decoder ??= new TextDecoder(encodingOf(chunk, declared));
    if (isOfOneByte(decoder) && !isAscii(chunk) && isUtf8(chunk, declared)) decoder = new TextDecoder('utf-8');
    const text = decoder.decode(chunk, { stream: true });
    if (text !== '') yield text;
  }
  const rest = decoder?.decode() ?? '';
  if (rest !== '') yield rest;
}

export async function* utf8Chunks(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8');
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

function isOfOneByte({ encoding }: TextDecoder): boolean {
  return !encoding.startsWith('utf-');
}

export function decodeHead(bytes: Uint8Array, declared = declaredEncoding(bytes)): string {
  return new TextDecoder(encodingOf(bytes, declared)).decode(bytes, { stream: true });
}

function encodingOf(chunk: Uint8Array, declared: string | null): string {
  const wide = isUtf16(chunk);
  if (wide !== null) return wide;
  if (isUtf8(chunk, declared)) return 'utf-8';
  return declared !== null && declared !== 'utf-8'
    ? declared
    : hasCyrillicWords(chunk)
      ? 'windows-1251'
      : 'windows-1252';
}

/** By the byte order mark; without one, every other byte of most texts is zero. */
function isUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, 64);
  if (sample.length < 8) return null;
  const zeros = [0, 0];
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (even === 0 && odd * 3 > sample.length) return 'utf-16le';
  return odd === 0 && even * 3 > sample.length ? 'utf-16be' : null;
}

/** Allowed replacement characters for broken UTF-8 bytes, for each whole character outside ASCII. */
const mayBeBroken = { declared: 1, undeclared: 0.1 };

/** UTF-8, with a few broken bytes at most. A character may be cut in two at either end. */
function isUtf8(bytes: Uint8Array, declared: string | null): boolean {
  const text = new TextDecoder('utf-8').decode(bytes, { stream: true });
  let [replaced, whole] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 0xfffd) replaced += 1;
    else if (unit >= 0x80) whole += 1;
  }
  // Another program may have replaced broken bytes before: then the text contains the character itself.
  const written = replaced === 0 ? 0 : countReplacements(bytes);
  const share = declared === 'utf-8' ? mayBeBroken.declared : mayBeBroken.undeclared;
  return replaced - written <= (whole + written) * share;
}

const replacement = Buffer.from('\ufffd');

function countReplacements(bytes: Uint8Array): number {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let count = 0;
  for (let at = text.indexOf(replacement); at !== -1; at = text.indexOf(replacement, at + 3)) count += 1;
  return count;
}

/** The encoding declared in the head of a page or of XML; null without a known one. */
function declaredEncoding(head: Uint8Array): string | null {
  const text = Buffer.from(head.subarray(0, 2_048)).toString('latin1').trimStart().toLowerCase();
  if (!text.startsWith('<')) return null;
  const name = text.startsWith('<?xml') ? 'encoding=' : 'charset=';
  const at = text.indexOf(name);
  return encodingNamed(at === -1 ? undefined : /^["']?([\w-]{1,30})/.exec(text.slice(at + name.length))?.[1]);
}

/** Null for a name that is not known. */
export function encodingNamed(label: string | undefined): string | null {
  try {
    return label === undefined ? null : new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

/** Latin letters with accents are isolated; Cyrillic words consist of letters outside ASCII. */
function hasCyrillicWords(bytes: Uint8Array): boolean {
  let [inRuns, all, run] = [0, 0, 0];
  for (const byte of bytes) {
    if (byte >= 0xc0) {
      all += 1;
      run += 1;
      if (run === 3) inRuns += 3;
      else if (run > 3) inRuns += 1;
    } else run = 0;
  }
  return inRuns * 2 > all;
}

/** Splits text into lines. Longer lines than `maxLength` are cut. */
export async function* textLines(chunks: AsyncIterable<string>, maxLength = 100_000): AsyncGenerator<string> {
  let line = '';
  /** A line break of two characters may be cut in two. */
  let isAfterReturn = false;
  for await (const chunk of chunks) {
    const text = isAfterReturn && chunk.startsWith('\n') ? chunk.slice(1) : chunk;
    isAfterReturn = chunk.endsWith('\r');
    const parts = text.split(/\r\n|\r|\n/);
    for (const [index, part] of parts.entries()) {
      if (index > 0) {
        yield line;
        line = '';
      }
      if (line.length < maxLength) line += part.slice(0, maxLength - line.length);
    }
  }
  if (line !== '') yield line;
}
