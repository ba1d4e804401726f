import { candidatesFor } from '../quantize.ts';
import { bytesOfQuery, bytesOfTop, type MemoryAddress, type SharedMemory, widthOf } from './scan-kernel.ts';

/*
 * The layout of vectors in a memory that threads share: a header, a place for each thread's search, blocks of rows.
 * Rows are only appended, and marked when they no longer count. So a thread can search the rows that were counted
 * when it began, while another thread appends. The thread that appends or marks holds the lock.
 *
 *   header   width, dimensions, rows, marked rows, state, lock, the file's schema version (32 bits each). At 64: the
 *            last change applied, the largest passage id
 *   kernel   from 1024 on: constants that every kernel instance writes again (scripts/build.mjs says where)
 *   places   at 128: the thread that holds each place (32 bits)
 *   places   at 4096, for each: query, found, top, mask
 *   blocks   of 4096 rows: components, factors (float32), passages (float64), items (uint32), whether a row counts (a
 *            byte)
 */

export const pageBytes = 65_536;
export const maxPages = 65_536;
const placesAt = 4_096;
export const places = 64;
export const rowsPerBlock = 4_096;

export const maxHits = 5_000;

export const field = {
  width: 0,
  dimensions: 1,
  rows: 2,
  marked: 3,
  state: 4,
  lock: 5,
  schema: 6,
} as const;
export const fields = 7;
/** Integers up to 2^53 in two 32-bit halves, the low half first. */
export const longsAt = 64;
export const long = { lastChange: 0, largestPassage: 2 } as const;
export const ownersAt = 128;

/** `retired`: must not be used any more; a new memory replaces it. `refused`: there is no room for that many vectors. */
export const rowsState = { empty: 0, filled: 1, retired: 2, refused: 3 } as const;
export type RowsState = (typeof rowsState)[keyof typeof rowsState];

export interface VectorBlock {
  /** The number of its first row. */
  first: number;
  rows: MemoryAddress;
  factors: MemoryAddress;
  /** One byte per row: 0 for rows that no longer count. */
  counts: MemoryAddress;
}

export interface ScratchMemory {
  query: MemoryAddress;
  /** The list of rows to compare more closely. */
  found: MemoryAddress;
  top: MemoryAddress;
  mask: MemoryAddress;
}

const aligned = (bytes: number): number => Math.ceil(bytes / 64) * 64;
export function sizesOf(width: number) {
  const found = aligned(bytesOfQuery(width));
  const top = found + aligned(bytesOfTop(candidatesFor(maxHits)));
  const mask = top + aligned(bytesOfTop(maxHits));
  const place = mask + rowsPerBlock;
  const block = rowsPerBlock * bytesOfRow(width);
  return { found, top, mask, place, placesAt, block, blocksAt: placesAt + places * place };
}

const bytesOfRow = (width: number): number => width + 17;

type Sizes = Pick<ReturnType<typeof sizesOf>, 'block' | 'blocksAt'>;

export function rowsOf({ blocksAt, block }: Sizes, index: number): MemoryAddress {
  return blocksAt + index * block;
}

/** The passage ids follow the rows and their factors. */
export function passagesOf(rows: MemoryAddress, width: number): MemoryAddress {
  return rows + rowsPerBlock * (width + 4);
}

export function itemsOf(passages: MemoryAddress): MemoryAddress {
  return passages + 8 * rowsPerBlock;
}

export function blockAt(
  sizes: Sizes,
  width: number,
  index: number,
): VectorBlock & { passages: MemoryAddress; items: MemoryAddress } {
  const rows = rowsOf(sizes, index);
  const factors = rows + rowsPerBlock * width;
  const passages = passagesOf(rows, width);
  const items = itemsOf(passages);
  const counts = items + 4 * rowsPerBlock;
  return { first: index * rowsPerBlock, rows, factors, passages, items, counts };
}

export function bytesOfRows(rows: number, dimensions: number): number {
  return rows * bytesOfRow(widthOf(dimensions));
}

/**
 * Creates an empty memory for vectors of this many dimensions. It reserves addresses; memory is used only where it is
 * written.
 * @throws {RangeError} when no addresses are left
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

/** The state and size of the rows, read without a kernel, in any thread. */
export function stateOfRows(memory: SharedMemory): { state: RowsState; rows: number; bytes: number } {
  const header = new Int32Array(memory.buffer, 0, fields);
  const rows = Atomics.load(header, field.rows);
  const bytes = rows * bytesOfRow(header[field.width] ?? 0);
  return { state: Atomics.load(header, field.state) as RowsState, rows, bytes };
}

/** Retires the rows permanently, in every thread that has them. */
export function retireRows(memory: SharedMemory): void {
  Atomics.store(new Int32Array(memory.buffer, 0, fields), field.state, rowsState.retired);
}

/** Frees the places and the lock that a thread held, after it has ended in any way. */
export function freeOfThread(memory: SharedMemory, endedThreadId: number): void {
  const [header, owners] = [new Int32Array(memory.buffer, 0, fields), new Int32Array(memory.buffer, ownersAt, places)];
  for (let place = 0; place < places; place += 1) Atomics.compareExchange(owners, place, endedThreadId + 1, 0);
  Atomics.compareExchange(header, field.lock, endedThreadId + 1, 0);
  Atomics.notify(header, field.lock);
}

/**
 * Takes one of the memory's places for search buffers, for as long as the thread lives. Null when other threads hold all of
 * them.
 * @param self number of this thread, never 0; the same thread gets the same place again
 */
export function takeScratchMemory(
  memory: SharedMemory,
  { placesAt, place: size, found, top, mask }: ReturnType<typeof sizesOf>,
  self: number,
): ScratchMemory | null {
  const owners = new Int32Array(memory.buffer, ownersAt, places);
  for (let place = 0; place < places; place += 1) {
    const owner = Atomics.compareExchange(owners, place, 0, self);
    if (owner !== 0 && owner !== self) continue;
    const query = placesAt + place * size;
    return { query, found: query + found, top: query + top, mask: query + mask };
  }
  return null;
}
