import { readSync, writeSync } from 'node:fs';

/*
 * The container of a backup: an uncompressed tar file (POSIX ustar), so that it can be unpacked without this program.
 * Each entry is compressed by itself, and each has a header that can be found again. So damage to one entry leaves the
 * others readable.
 */

const blockBytes = 512;
/** Larger sizes do not fit into the octal digits of a header. */
const maxOctalSize = 0o77777777777;

interface TarEntry {
  name: string;
  /** Where its bytes begin in the file. */
  offset: number;
  size: number;
}

export interface TarContents {
  entries: TarEntry[];
  /** Whether the file has damaged headers, or ends before its end mark. */
  isDamaged: boolean;
}

function headerOf(name: string, size: number, timeMs: number): Buffer {
  const header = Buffer.alloc(blockBytes);
  header.write(name, 0, 100, 'utf8');
  header.write('0000600\0', 100, 'latin1');
  header.write('0000000\0', 108, 'latin1');
  header.write('0000000\0', 116, 'latin1');
  if (size <= maxOctalSize) header.write(`${size.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
  else {
    // GNU tar's form of large sizes: a set first bit, and the number in base 256.
    header.writeUInt8(0x80, 124);
    header.writeBigUInt64BE(BigInt(size), 128);
  }
  header.write(
    `${Math.floor(timeMs / 1_000)
      .toString(8)
      .padStart(11, '0')}\0`,
    136,
    'latin1',
  );
  header.write('0', 156, 'latin1');
  header.write('ustar\u000000', 257, 'latin1');
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return header;
}

/** The sum of the header's bytes, with spaces in place of the checksum itself. */
function checksumOf(header: Buffer): number {
  let sum = 0;
  for (const [at, byte] of header.entries()) sum += at >= 148 && at < 156 ? 0x20 : byte;
  return sum;
}

/** Null when the block is not the header of a file. */
function parseHeader(header: Buffer): { name: string; size: number } | null {
  if (header.toString('latin1', 257, 262) !== 'ustar') return null;
  if (Number.parseInt(header.toString('latin1', 148, 154), 8) !== checksumOf(header)) return null;
  const end = header.indexOf(0);
  const name = header.toString('utf8', 0, end === -1 ? 100 : Math.min(end, 100));
  const size =
    (header.readUInt8(124) & 0x80) !== 0
      ? Number(header.readBigUInt64BE(128))
      : Number.parseInt(header.toString('latin1', 124, 135), 8);
  return Number.isSafeInteger(size) && size >= 0 ? { name, size } : null;
}

/** Writes the entries of a new tar file one after the other. */
export class TarWriter {
  readonly #file: number;
  readonly #timeMs: number;
  #end = 0;

  /** @param file descriptor of an empty file */
  constructor(file: number, timeMs: number) {
    this.#file = file;
    this.#timeMs = timeMs;
  }

  /** Writes an entry whose size is not known before its last byte. The header is written last. */
  async add(name: string, bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    const start = this.#end;
    let at = start + blockBytes;
    for await (const chunk of bytes) {
      writeAll(this.#file, chunk, at);
      at += chunk.length;
    }
    const size = at - start - blockBytes;
    const padding = (blockBytes - (size % blockBytes)) % blockBytes;
    writeAll(this.#file, Buffer.alloc(padding), at);
    writeAll(this.#file, headerOf(name, size, this.#timeMs), start);
    this.#end = at + padding;
  }

  /** Writes the end mark: two empty blocks. */
  finish(): void {
    writeAll(this.#file, Buffer.alloc(2 * blockBytes), this.#end);
  }
}

function writeAll(file: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done, bytes.length - done, position + done);
}

/** Finds the entries. After a damaged header it looks for the next one, so that all whole entries are found. */
export function readTar(file: number, size: number): TarContents {
  const entries: TarEntry[] = [];
  const header = Buffer.alloc(blockBytes);
  let isDamaged = false;
  for (let at = 0; at + blockBytes <= size;) {
    readSync(file, header, 0, blockBytes, at);
    const found = parseHeader(header);
    if (found !== null && at + blockBytes + found.size <= size) {
      entries.push({ name: found.name, offset: at + blockBytes, size: found.size });
      at += blockBytes + Math.ceil(found.size / blockBytes) * blockBytes;
      continue;
    }
    if (found === null && header.every((byte) => byte === 0)) return { entries, isDamaged };
    isDamaged = true;
    at += blockBytes;
  }
  return { entries, isDamaged: true };
}
