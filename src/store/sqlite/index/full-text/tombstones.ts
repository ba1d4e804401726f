import type { SqliteFile } from '../../files/sqlite-file.ts';
import { UnsupportedIndexFormat } from './unsupported-index-format.ts';
import type { IndexSegment } from './structure.ts';

/** Whether a row is deleted, although the segment still has its postings. */
export type IsDeleted = (row: number) => boolean;

const header = 8;

/** Null when nothing was deleted. The hash table is spread over pages and read in place. */
export function readTombstones(file: SqliteFile, { id, tombstonePages }: IndexSegment): IsDeleted | null {
  if (tombstonePages === 0) return null;
  const pages = file
    .all<{ block: Uint8Array }>(
      `SELECT block FROM passage_words_data
       WHERE id BETWEEN (? + 65536) << 37 AND ((? + 65536) << 37) + ? - 1 ORDER BY id`,
      id,
      id,
      tombstonePages,
    )
    .map(({ block }) => new DataView(block.buffer, block.byteOffset, block.byteLength));
  if (pages.length !== tombstonePages) throw new UnsupportedIndexFormat('deleted rows missing');
  return (row) => {
    const page = pages[row % tombstonePages];
    return page !== undefined && has(page, row, Math.floor(row / tombstonePages));
  };
}

function has(page: DataView, row: number, hash: number): boolean {
  const width = page.getUint8(0) === 4 ? 4 : 8;
  const slots = page.byteLength > 16 ? Math.floor((page.byteLength - header) / width) : 1;
  let slot = hash % slots;
  for (let looked = 0; looked <= slots; looked += 1) {
    const at = header + slot * width;
    const found = width === 4 ? page.getUint32(at) : page.getUint32(at) * 2 ** 32 + page.getUint32(at + 4);
    if (found === 0) return false;
    if (found === row) return true;
    slot = (slot + 1) % slots;
  }
  return false;
}
