import { TextDecoder } from 'node:util';

/** Decodes text as UTF-16 when it begins with that byte order mark, else as UTF-8. Invalid bytes are replaced. */
export async function* textChunks(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  for await (const chunk of bytes) {
    decoder ??= new TextDecoder(encodingOf(chunk));
    const text = decoder.decode(chunk, { stream: true });
    if (text !== '') yield text;
  }
  const rest = decoder?.decode() ?? '';
  if (rest !== '') yield rest;
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/** The first characters of a text, decoded from its first bytes. */
export function decodeHead(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes, { stream: true });
}

/** Splits text into lines. Longer lines than `maxLength` are cut. */
export async function* textLines(chunks: AsyncIterable<string>, maxLength = 100_000): AsyncGenerator<string> {
  let line = '';
  for await (const chunk of chunks) {
    const parts = chunk.split(/\r\n|\r|\n/);
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
