import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import zlib from 'node:zlib';
import { brokenAnswer, paddedAnswer, tooLarge } from './fetch-failures.ts';
import { isPadded, type Wire } from './wire.ts';

/** Bodies up to this size, as sent and after decompression, are read at once. Nine out of ten pages are smaller. */
const maxSmallBytes = 2 * 1024 * 1024;
/** Maximum number of stacked encodings. More than two have no honest use. */
const maxLayers = 3;
/** One step of reading or decompressing. It takes some 15 ms at most, whatever the bytes are. */
const blockBytes = 64 * 1024;
/** The limit of RFC 9659 for the web. */
const maxZstdWindowLog = 23;

export interface BodyReader {
  /** Limit for the body, both as sent and after decompression. */
  readonly maxBytes: number;
  /** Called again and again for a large body; it is read on when the promise resolves. */
  beforeLarge(): Promise<void>;
  take(piece: Uint8Array): Promise<void>;
}

/**
 * Reads a response body piece by piece and reverses its Content-Encoding. No layer may have more output than `maxBytes`, so that
 * a decompression bomb costs no more memory than an honest page, nor much more input than output.
 * @throws {ProcessingError} `too_large`, or `http_error` for bytes that cannot be decompressed; also the errors of the
 * stream
 */
export async function readBody(
  body: Readable,
  contentEncoding: string,
  wire: Wire,
  { maxBytes, beforeLarge, take }: BodyReader,
): Promise<void> {
  const layers = contentEncoding
    .toLowerCase()
    .split(',')
    .map((layer) => layer.trim())
    .filter((layer) => layer !== '' && layer !== 'identity')
    .toReversed();
  if (layers.length > maxLayers) {
    body.on('error', () => undefined).destroy();
    throw brokenAnswer();
  }
  const limited = async function* (source: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Uint8Array> {
    let length = 0;
    for await (const block of source) {
      length += block.byteLength;
      // Throwing inside the loop destroys the body and so closes the connection.
      if (length > limit) throw tooLarge(limit);
      if (length > maxSmallBytes) await beforeLarge();
      yield block;
    }
  };
  let content = limited(inBlocks(body, wire), maxBytes);
  const decoders: Transform[] = [];
  for (const layer of layers) content = limited(undo(content, layer, decoders), maxBytes);
  for await (const block of content) await take(block);
}

/** Copies the body into blocks of one size: a buffer for each of a million small chunks would take a hundred times its bytes. */
async function* inBlocks(body: Readable, wire: Wire): AsyncGenerator<Uint8Array> {
  let block = Buffer.allocUnsafe(blockBytes);
  let filled = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    wire.noteContent(chunk.length);
    for (let at = 0; at < chunk.length;) {
      const copied = chunk.copy(block, filled, at);
      at += copied;
      filled += copied;
      if (filled < blockBytes) continue;
      yield block;
      block = Buffer.allocUnsafe(blockBytes);
      filled = 0;
    }
  }
  if (filled > 0) yield block.subarray(0, filled);
}

/** @param decoders the decoders of the outer layers, to which its own is added */
async function* undo(
  source: AsyncGenerator<Uint8Array>,
  encoding: string,
  decoders: Transform[],
): AsyncGenerator<Uint8Array> {
  const first = await source.next();
  if (first.done === true) return;
  const decoder = decoderOf(encoding, first.value);
  if (decoder === null) {
    yield first.value;
    return yield* source;
  }
  // A body hardly gets smaller when it is compressed twice. A large inner layer was made to be slow.
  const maxReceived = decoders.push(decoder) > 1 ? maxSmallBytes : Number.POSITIVE_INFINITY;
  let received = first.value.byteLength;
  let given = 0;
  const input = async function* (): AsyncGenerator<Uint8Array> {
    yield first.value;
    for await (const block of source) {
      received += block.byteLength;
      if (received > maxReceived || isPadded(received, given)) throw paddedAnswer();
      yield block;
    }
  };
  // The decoder fails with the same error.
  pipeline(input, decoder).catch(() => undefined);
  for await (const block of decoder as AsyncIterable<Uint8Array>) {
    // Much content from little input pays for no padding behind it.
    given = Math.min(given + block.byteLength, received);
    yield block;
  }
}

/** Null for content that is not encoded, whatever the server says. */
function decoderOf(encoding: string, [first = 0, second = 0]: Uint8Array): Transform | null {
  const options = { chunkSize: blockBytes };
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      // Some servers declare gzip and then send the body uncompressed.
      return first === 0x1f && second === 0x8b ? zlib.createGunzip(options) : null;
    case 'deflate': {
      // The standard means zlib, but servers often send raw deflate.
      const isZlib = (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
      return isZlib ? zlib.createInflate(options) : zlib.createInflateRaw(options);
    }
    case 'br':
      return zlib.createBrotliDecompress(options);
    case 'zstd':
      return zlib.createZstdDecompress({
        ...options,
        params: { [zlib.constants.ZSTD_d_windowLogMax]: maxZstdWindowLog },
      });
    default:
      throw brokenAnswer();
  }
}
