import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { brokenAnswer, tooLarge } from './fetch-failures.ts';

const gunzip = promisify(zlib.gunzip);
const inflate = promisify(zlib.inflate);
const inflateRaw = promisify(zlib.inflateRaw);
const brotliDecompress = promisify(zlib.brotliDecompress);
const zstdDecompress = promisify(zlib.zstdDecompress);

/** Maximum number of stacked encodings. More than two have no honest use. */
const maxLayers = 3;

/**
 * Reverses a Content-Encoding. The output of each layer is limited to `maxBytes`, so that a decompression bomb costs no
 * more memory than an honest page.
 * @throws {ProcessingError} `too_large`, or `http_error` for bytes that cannot be decompressed
 */
export async function decompress(bytes: Uint8Array, contentEncoding: string, maxBytes: number): Promise<Uint8Array> {
  const layers = contentEncoding
    .toLowerCase()
    .split(',')
    .map((layer) => layer.trim())
    .filter((layer) => layer !== '' && layer !== 'identity');
  if (layers.length > maxLayers) throw brokenAnswer();
  let inner = bytes;
  for (const layer of layers.toReversed()) inner = await undo(inner, layer, maxBytes);
  return inner;
}

async function undo(bytes: Uint8Array, encoding: string, maxBytes: number): Promise<Uint8Array> {
  if (bytes.length === 0) return bytes;
  const options = { maxOutputLength: maxBytes };
  try {
    switch (encoding) {
      case 'gzip':
      case 'x-gzip':
        // Some servers declare gzip and then send the body uncompressed.
        return bytes[0] === 0x1f && bytes[1] === 0x8b ? await gunzip(bytes, options) : bytes;
      case 'deflate':
        // The standard means zlib, but servers often send raw deflate.
        return isZlib(bytes) ? await inflate(bytes, options) : await inflateRaw(bytes, options);
      case 'br':
        return await brotliDecompress(bytes, options);
      case 'zstd':
        return await zstdDecompress(bytes, options);
      default:
        throw brokenAnswer();
    }
  } catch (error) {
    if (error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE')
      throw tooLarge(maxBytes);
    throw error;
  }
}

function isZlib(bytes: Uint8Array): boolean {
  const [first = 0, second = 0] = bytes;
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}
