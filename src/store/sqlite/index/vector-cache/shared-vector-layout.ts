import type { Address, SharedMemory } from './kernel-interface.ts';
import { bytesOfQuery, bytesOfTables, bytesOfTop, widthOf } from './scan-layout.ts';

/*
 * How vectors lie in a memory that threads share: a header, a place for the search of each thread, and blocks of rows. Rows are only ever
 * appended, and marked when they no longer count, so that a thread can search the rows it has seen counted while another
 * appends. Who appends or marks holds the lock.
 *
 *   header   width, dimensions, rows, marked rows, state, lock, and of bits (bits.ts): one of how many rows is looked at, rows when that
 *            was measured, rows that have bits, the file's schema (32 bits each); at 64 the last change applied, the largest passage
 *   kernel   from 1024 on what every instance of it writes there again, its constants (scripts/build.mjs says where)
 *   places   at 128 the thread that has each (32 bits)
 *   centre   at 4096, of the bits (float32)
 *   places   query, tables, found, top, mask of each
 *   blocks   of 4096 rows: components, factors (float32), passages (float64), items (uint32), whether a row counts (a byte); and bits,
 *            with their slopes and offsets (float32), which take memory when they are written
 */

export const pageBytes = 65_536;
export const maxPages = 65_536;
export const centreAt = 4_096;
export const places = 64;
export const rowsPerBlock = 4_096;

/** The longest list that can be asked for. */
export const maxHits = 5_000;
/** Of the rows that are looked at more closely, at once. */
export const maxFound = 16_384;

export const field = {
  width: 0,
  dimensions: 1,
  rows: 2,
  marked: 3,
  state: 4,
  lock: 5,
  oneOf: 6,
  measured: 7,
  coded: 8,
  schema: 9,
} as const;
export const fields = 10;
/** Whole numbers up to 2^53 in two halves, the low one first. */
export const longsAt = 64;
export const long = { lastChange: 0, largestPassage: 2 } as const;
export const ownersAt = 128;

/** `retired`: no longer to be used, and to be made anew. `refused`: there is no room for that many vectors. */
export const rowsState = { empty: 0, filled: 1, retired: 2, refused: 3 } as const;
export type RowsState = (typeof rowsState)[keyof typeof rowsState];

export interface Block {
  /** Of its first row. */
  first: number;
  rows: Address;
  factors: Address;
  /** One byte for each row: 0 for those that no longer count. */
  counts: Address;
  codes: Address;
  slopes: Address;
  offsets: Address;
}

export interface Place {
  query: Address;
  /** What signs are looked up in. */
  tables: Address;
  /** For what is looked at more closely. */
  found: Address;
  top: Address;
  mask: Address;
}

const aligned = (bytes: number): number => Math.ceil(bytes / 64) * 64;
export function sizesOf(width: number) {
  const tables = aligned(bytesOfQuery(width));
  const found = tables + aligned(bytesOfTables(width));
  const top = found + aligned(bytesOfTop(maxFound));
  const mask = top + aligned(bytesOfTop(maxHits));
  const place = mask + rowsPerBlock;
  const placesAt = centreAt + aligned(4 * width);
  const block = rowsPerBlock * (bytesOfRow(width) + bytesOfBits(width));
  return { tables, found, top, mask, place, placesAt, block, blocksAt: placesAt + places * place };
}

const bytesOfRow = (width: number): number => width + 17;
export const bytesOfBits = (width: number): number => width / 4 + 8;

type Sizes = Pick<ReturnType<typeof sizesOf>, 'block' | 'blocksAt'>;

export function rowsOf({ blocksAt, block }: Sizes, index: number): Address {
  return blocksAt + index * block;
}

/** Whose the rows are stands behind them and their factors. */
export function passagesOf(rows: Address, width: number): Address {
  return rows + rowsPerBlock * (width + 4);
}

export function itemsOf(passages: Address): Address {
  return passages + 8 * rowsPerBlock;
}

export function blockAt(sizes: Sizes, width: number, index: number): Block & { passages: Address; items: Address } {
  const rows = rowsOf(sizes, index);
  const factors = rows + rowsPerBlock * width;
  const passages = passagesOf(rows, width);
  const items = itemsOf(passages);
  const counts = items + 4 * rowsPerBlock;
  const codes = counts + rowsPerBlock;
  const slopes = codes + (rowsPerBlock * width) / 4;
  const offsets = slopes + 4 * rowsPerBlock;
  return { first: index * rowsPerBlock, rows, factors, passages, items, counts, codes, slopes, offsets };
}

/** What this many rows take without bits, bytes. */
export function bytesOfRows(rows: number, dimensions: number): number {
  return rows * bytesOfRow(widthOf(dimensions));
}

/**
 * Makes an empty memory for vectors of so many dimensions. It reserves addresses, and takes what is written.
 * @throws {RangeError} when there are no addresses left
 */
export function createRows(dimensions: number): SharedMemory {
  const width = widthOf(dimensions);
  const initial = Math.ceil(sizesOf(width).blocksAt / pageBytes);
  const memory: SharedMemory = new WebAssembly.Memory({ initial, maximum: maxPages, shared: true });
  const header = new Int32Array(memory.buffer, 0, 2);
  header[field.width] = width;
  header[field.dimensions] = dimensions;
  return memory;
}

/** What is known of the rows without a kernel, in any thread. */
export function stateOfRows(memory: SharedMemory): { state: RowsState; rows: number; bytes: number } {
  const header = new Int32Array(memory.buffer, 0, fields);
  const rows = Atomics.load(header, field.rows);
  const width = header[field.width] ?? 0;
  const bytes = rows * bytesOfRow(width) + Atomics.load(header, field.coded) * bytesOfBits(width);
  return { state: Atomics.load(header, field.state) as RowsState, rows, bytes };
}

/** Lets go of the rows for good, in every thread that has them. */
export function retireRows(memory: SharedMemory): void {
  Atomics.store(new Int32Array(memory.buffer, 0, fields), field.state, rowsState.retired);
}

/** Frees what a thread held that has ended, however it ended. */
export function freeOfThread(memory: SharedMemory, endedThreadId: number): void {
  const [header, owners] = [new Int32Array(memory.buffer, 0, fields), new Int32Array(memory.buffer, ownersAt, places)];
  for (let place = 0; place < places; place += 1) Atomics.compareExchange(owners, place, endedThreadId + 1, 0);
  Atomics.compareExchange(header, field.lock, endedThreadId + 1, 0);
  Atomics.notify(header, field.lock);
}
