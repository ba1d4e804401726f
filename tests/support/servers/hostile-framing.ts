import { constants, deflateSync, gzipSync } from 'node:zlib';

/** An answer of a server that knows HTTP well enough to abuse it. */
export interface HostileAnswer {
  name: string;
  head: string;
  /** Follows the head once. */
  body?: () => Uint8Array;
  /** Sent again and again, as fast as it is taken, until the connection is closed. */
  endless?: () => string | Uint8Array;
  /** Sent each second until the connection is closed. */
  drip?: string;
}

const ok = 'HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n';
const chunked = `${ok}Transfer-Encoding: chunked\r\n\r\n`;

function chunks(content: string): string {
  return `${content.length.toString(16)}\r\n${content}\r\n`;
}

/** Answers that never end, each of which has hardly any content. */
export const endlessAnswers: readonly HostileAnswer[] = [
  { name: 'endless 103 answers', head: '', endless: () => 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(2_000) },
  {
    name: 'endless 103 answers of many headers',
    head: '',
    endless: () => `HTTP/1.1 103 Early Hints\r\n${'Link: </a.css>\r\n'.repeat(1_000)}\r\n`.repeat(4),
  },
  { name: 'chunks of one byte', head: chunked, endless: () => chunks('a').repeat(10_000) },
  { name: 'a chunk extension without end', head: `${chunked}5;`, endless: () => 'a=b;'.repeat(16_000) },
  {
    name: 'chunk extensions of 16 KB',
    head: chunked,
    endless: () => `1;${'a'.repeat(16_000)}\r\na\r\n`.repeat(4),
  },
  { name: 'headers without end', head: 'HTTP/1.1 200 OK\r\n', endless: () => 'a: b\r\n'.repeat(10_000) },
  { name: 'a header without end', head: 'HTTP/1.1 200 OK\r\na: ', endless: () => 'b'.repeat(60_000) },
  { name: 'a status line without end', head: 'HTTP/1.1 200 ', endless: () => 'b'.repeat(60_000) },
  { name: 'trailers without end', head: `${chunked}1\r\na\r\n0\r\n`, endless: () => 'a: b\r\n'.repeat(10_000) },
  { name: 'line ends before the answer', head: '', endless: () => '\r\n'.repeat(30_000) },
];

/** Bits, the lowest first. */
function bytesOfBits(bits: string): Uint8Array {
  return Uint8Array.from({ length: bits.length / 8 }, (_, at) =>
    Number.parseInt(
      Array.from(bits.slice(at * 8, at * 8 + 8))
        .toReversed()
        .join(''),
      2,
    ),
  );
}

/** 49 MB of deflate blocks that hold nothing but the tables to decode it. */
export function emptyBlocks(): Uint8Array {
  const number = (value: number, width: number): string =>
    [...value.toString(2).padStart(width, '0')].toReversed().join('');
  // The code of the code lengths has two words of one bit: 0 for a length of 1, 1 for a row of zeros (18).
  const lengths = [0, 0, 1, ...Array.from({ length: 14 }, () => 0), 1].map((length) => number(length, 3)).join('');
  const zeros = (count: number): string => `1${number(count - 11, 7)}`;
  const block = `0${number(2, 2)}${number(0, 5)}${number(0, 5)}${number(14, 4)}${lengths}${zeros(138)}${zeros(118)}00${'0'}`;
  return Buffer.concat([Uint8Array.of(0x78, 0x9c), Buffer.alloc(49 * 1024 * 1024, bytesOfBits(block.repeat(4)))]);
}

/** As many zeros as may be content, in some 40 KB, and the same empty blocks behind them. */
export function contentBeforeEmptyBlocks(): Uint8Array {
  const zeros = deflateSync(Buffer.alloc(33_000_000), { finishFlush: constants.Z_SYNC_FLUSH });
  return Buffer.concat([zeros, emptyBlocks().subarray(2)]);
}

function encoded(name: string, encoding: string, body: () => Uint8Array): HostileAnswer {
  return { name, head: `${ok}Content-Encoding: ${encoding}\r\nConnection: close\r\n\r\n`, body };
}

/** Small bodies that take seconds to decompress to nothing. */
export const emptyBodies: readonly HostileAnswer[] = [
  encoded('empty deflate blocks in gzip in gzip', 'deflate, gzip, gzip', () => gzipSync(gzipSync(emptyBlocks()))),
  encoded('empty deflate blocks in deflate', 'deflate, deflate', () => deflateSync(emptyBlocks())),
  encoded('empty members of gzip in gzip', 'gzip, gzip', () =>
    gzipSync(Buffer.alloc(40_000_000, gzipSync(Buffer.alloc(0)))),
  ),
  encoded('empty brotli blocks in gzip', 'br, gzip', () =>
    gzipSync(Buffer.concat([Uint8Array.of(0x0c), Buffer.alloc(40_000_000, 0x06)])),
  ),
  encoded('empty zstd blocks in gzip', 'zstd, gzip', () =>
    gzipSync(Buffer.concat([Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0, 0), Buffer.alloc(40_000_000)])),
  ),
];

/** Answers with content, in the slowest way in which it can be sent. */
export const slowAnswers: readonly HostileAnswer[] = [
  { name: '50 MB in chunks of twelve bytes', head: chunked, endless: () => chunks('<p>twelve</p>').repeat(3_000) },
  { name: 'a page without end', head: `${ok}\r\n`, endless: () => '<p>twelve</p>'.repeat(5_000) },
  { name: 'a page of a byte a second', head: `${ok}\r\n<p>One word`, drip: 'a' },
  {
    name: 'answers behind the answer',
    head: `${ok}Content-Length: 2\r\n\r\nhi`,
    endless: () => `${ok}\r\n`.repeat(1_000),
  },
];
