import { threadId } from 'node:worker_threads';
import { chooseScanBuild, openScanKernel, type Address, type ScanKernel, type SharedMemory } from './scan-kernel.ts';
import { candidatesFor } from '../quantize.ts';
import { bytesOfQuery, bytesOfTop, widthOf } from './scan-layout.ts';

/*
 * How vectors lie in a memory that threads share: a header, a place for the search of each thread, and blocks of rows. Rows are only ever
 * appended, and marked when they no longer count, so that a thread can search the rows it has seen counted while another
 * appends. Who appends or marks holds the lock.
 *
 *   header   width, dimensions, rows, marked rows, state, lock (32 bits each); at 64 the last change applied, the largest passage
 *   kernel   from 1024 on what every instance of it writes there again, its constants (scripts/build.mjs says where)
 *   places   at 128 the thread that has each (32 bits); from 4096 on the places: query, found, top, mask
 *   blocks   of 4096 rows: components, factors (float32), passages (float64), items (uint32), whether a row counts (a byte)
 */

const pageBytes = 65_536;
const mostPages = 65_536;
const placesAt = 4_096;
const places = 64;
export const rowsPerBlock = 4_096;

/** The longest list that can be asked for. */
export const mostHits = 5_000;

const field = { width: 0, dimensions: 1, rows: 2, marked: 3, state: 4, lock: 5 } as const;
/** Whole numbers up to 2^53 in two halves, the low one first. */
const longsAt = 64;
const long = { lastChange: 0, largestPassage: 2 } as const;
const ownersAt = 128;

/** `retired`: no longer to be used, and to be made anew. `refused`: there is no room for that many vectors. */
export const rowsState = { empty: 0, filled: 1, retired: 2, refused: 3 } as const;
export type RowsState = (typeof rowsState)[keyof typeof rowsState];

export interface NewRows {
  count: number;
  /** `dimensions` bytes a row. */
  components: Uint8Array;
  passages: readonly number[];
  /** The items' keys. */
  items: readonly number[];
}

export interface Block {
  /** Of its first row. */
  first: number;
  rows: Address;
  factors: Address;
  /** One byte for each row: 0 for those that no longer count. */
  counts: Address;
}

export interface Place {
  query: Address;
  /** For what is looked at more closely. */
  found: Address;
  top: Address;
  mask: Address;
}

const aligned = (bytes: number): number => Math.ceil(bytes / 64) * 64;
/** Thread 0 has a place, too. */
const self = threadId + 1;

function sizesOf(width: number) {
  const found = aligned(bytesOfQuery(width));
  const top = found + aligned(bytesOfTop(candidatesFor(mostHits)));
  const mask = top + aligned(bytesOfTop(mostHits));
  const place = mask + rowsPerBlock;
  return { found, top, mask, place, block: rowsPerBlock * (width + 17), blocksAt: placesAt + places * place };
}

/** What this many rows take, bytes. */
export function bytesOfRows(rows: number, dimensions: number): number {
  return rows * (widthOf(dimensions) + 17);
}

/**
 * Makes an empty memory for vectors of so many dimensions. It reserves addresses, and takes what is written.
 * @throws {RangeError} when there are no addresses left
 */
export function createRows(dimensions: number): SharedMemory {
  const width = widthOf(dimensions);
  const initial = Math.ceil(sizesOf(width).blocksAt / pageBytes);
  const memory: SharedMemory = new WebAssembly.Memory({ initial, maximum: mostPages, shared: true });
  const header = new Int32Array(memory.buffer, 0, 2);
  header[field.width] = width;
  header[field.dimensions] = dimensions;
  return memory;
}

/** What is known of the rows without a kernel, in any thread. */
export function stateOfRows(memory: SharedMemory): { state: RowsState; rows: number; bytes: number } {
  const header = new Int32Array(memory.buffer, 0, 6);
  const rows = Atomics.load(header, field.rows);
  const bytes = rows * ((header[field.width] ?? 0) + 17);
  return { state: Atomics.load(header, field.state) as RowsState, rows, bytes };
}

/** Lets go of the rows for good, in every thread that has them. */
export function retireRows(memory: SharedMemory): void {
  Atomics.store(new Int32Array(memory.buffer, 0, 6), field.state, rowsState.retired);
}

/** Frees what a thread held that has ended, however it ended. */
export function freeOfThread(memory: SharedMemory, endedThreadId: number): void {
  const [header, owners] = [new Int32Array(memory.buffer, 0, 6), new Int32Array(memory.buffer, ownersAt, places)];
  for (let place = 0; place < places; place += 1) Atomics.compareExchange(owners, place, endedThreadId + 1, 0);
  Atomics.compareExchange(header, field.lock, endedThreadId + 1, 0);
  Atomics.notify(header, field.lock);
}

/** The rows of a memory, as this thread sees them. */
export class VectorRows {
  readonly memory: SharedMemory;
  readonly kernel: ScanKernel;
  readonly width: number;
  readonly dimensions: number;
  readonly #sizes: ReturnType<typeof sizesOf>;
  readonly #header: Int32Array;
  readonly #longs: Uint32Array;
  #place: Place | null = null;

  constructor(memory: SharedMemory, build = chooseScanBuild()) {
    this.memory = memory;
    this.kernel = openScanKernel(build, memory);
    this.#header = new Int32Array(memory.buffer, 0, 6);
    this.#longs = new Uint32Array(memory.buffer, longsAt, 4);
    this.width = this.#header[field.width] ?? 0;
    this.dimensions = this.#header[field.dimensions] ?? 0;
    this.#sizes = sizesOf(this.width);
  }

  get state(): RowsState {
    return Atomics.load(this.#header, field.state) as RowsState;
  }

  set state(state: RowsState) {
    Atomics.store(this.#header, field.state, state);
  }

  get count(): number {
    return Atomics.load(this.#header, field.rows);
  }

  get marked(): number {
    return Atomics.load(this.#header, field.marked);
  }

  /** The id in `vector_changes` up to which the rows are as the file says. */
  get lastChange(): number {
    return this.#readLong(long.lastChange);
  }

  set lastChange(id: number) {
    this.#writeLong(long.lastChange, id);
  }

  get largestPassage(): number {
    return this.#readLong(long.largestPassage);
  }

  #readLong(at: number): number {
    return Atomics.load(this.#longs, at + 1) * 2 ** 32 + Atomics.load(this.#longs, at);
  }

  #writeLong(at: number, value: number): void {
    Atomics.store(this.#longs, at + 1, Math.floor(value / 2 ** 32));
    Atomics.store(this.#longs, at, value >>> 0);
  }

  /** Does it with the lock, unless another thread has the lock; whether it did. */
  tryAlone(work: () => void): boolean {
    if (Atomics.compareExchange(this.#header, field.lock, 0, self) !== 0) return false;
    try {
      work();
    } finally {
      Atomics.store(this.#header, field.lock, 0);
      Atomics.notify(this.#header, field.lock);
    }
    return true;
  }

  /** Waits until the thread that has the lock gives it back or ends, a tenth of a second at most. */
  waitForOther(): void {
    const holder = Atomics.load(this.#header, field.lock);
    if (holder !== 0 && holder !== self) Atomics.wait(this.#header, field.lock, holder, 100);
  }

  /** Forgets all rows. Only before they were ever searched, and with the lock. */
  clear(): void {
    Atomics.store(this.#header, field.rows, 0);
    Atomics.store(this.#header, field.marked, 0);
    this.#writeLong(long.largestPassage, 0);
  }

  /** Where this thread lays out its searches; null when too many threads have one. */
  get place(): Place | null {
    this.#place ??= this.#takePlace();
    return this.#place;
  }

  #takePlace(): Place | null {
    const owners = new Int32Array(this.memory.buffer, ownersAt, places);
    for (let place = 0; place < places; place += 1) {
      const owner = Atomics.compareExchange(owners, place, 0, self);
      if (owner !== 0 && owner !== self) continue;
      const query = placesAt + place * this.#sizes.place;
      const { found, top, mask } = this.#sizes;
      return { query, found: query + found, top: query + top, mask: query + mask };
    }
    return null;
  }

  #block(index: number): Block & { passages: Address; items: Address } {
    const rows = this.#sizes.blocksAt + index * this.#sizes.block;
    const factors = rows + rowsPerBlock * this.width;
    const passages = factors + 4 * rowsPerBlock;
    const items = passages + 8 * rowsPerBlock;
    return { first: index * rowsPerBlock, rows, factors, passages, items, counts: items + 4 * rowsPerBlock };
  }

  /** Adds to the list at `top` the rows of the list at `found`, by the query in 16 bits. */
  refine({ query, found, top }: Place): void {
    this.kernel.refine(found, this.#sizes.blocksAt, this.#sizes.block, this.width, query, top);
  }

  /** The blocks that hold the first `count` rows. */
  *blocks(count: number): Generator<Block & { count: number; passages: Float64Array; items: Uint32Array }> {
    for (let first = 0; first < count; first += rowsPerBlock) {
      const block = this.#block(first / rowsPerBlock);
      const here = Math.min(rowsPerBlock, count - first);
      const passages = new Float64Array(this.memory.buffer, block.passages, here);
      yield { ...block, count: here, passages, items: new Uint32Array(this.memory.buffer, block.items, here) };
    }
  }

  /** Whose vector a row is. */
  ownerOf(row: number): { passageId: number; item: number } {
    const block = this.#block(Math.floor(row / rowsPerBlock));
    const at = row % rowsPerBlock;
    const [passageId = 0] = new Float64Array(this.memory.buffer, block.passages + 8 * at, 1);
    const [item = 0] = new Uint32Array(this.memory.buffer, block.items + 4 * at, 1);
    return { passageId, item };
  }

  /** Appends rows, with the lock. False when the memory cannot grow any more. */
  append({ count, components, passages, items }: NewRows): boolean {
    const first = this.count;
    if (!this.#makeRoom(first + count)) return false;
    let largest = this.largestPassage;
    for (let done = 0; done < count;) {
      const row = first + done;
      const block = this.#block(Math.floor(row / rowsPerBlock));
      const at = row % rowsPerBlock;
      const here = Math.min(count - done, rowsPerBlock - at);
      this.#writeComponents(block.rows + at * this.width, components, done, here);
      this.kernel.measure(block.rows + at * this.width, block.factors + 4 * at, here, this.width);
      new Float64Array(this.memory.buffer, block.passages + 8 * at, here).set(passages.slice(done, done + here));
      new Uint32Array(this.memory.buffer, block.items + 4 * at, here).set(items.slice(done, done + here));
      new Uint8Array(this.memory.buffer, block.counts + at, here).fill(1);
      for (let index = done; index < done + here; index += 1) largest = Math.max(largest, passages[index] ?? 0);
      done += here;
    }
    this.#writeLong(long.largestPassage, largest);
    Atomics.store(this.#header, field.rows, first + count);
    return true;
  }

  #writeComponents(at: Address, components: Uint8Array, from: number, count: number): void {
    const { dimensions, width } = this;
    const target = new Uint8Array(this.memory.buffer, at, count * width);
    if (width === dimensions) return target.set(components.subarray(from * width, (from + count) * width));
    for (let row = 0; row < count; row += 1) {
      target.set(components.subarray((from + row) * dimensions, (from + row + 1) * dimensions), row * width);
    }
  }

  #makeRoom(rows: number): boolean {
    const needed = Math.ceil((this.#sizes.blocksAt + Math.ceil(rows / rowsPerBlock) * this.#sizes.block) / pageBytes);
    const present = this.memory.buffer.byteLength / pageBytes;
    if (needed <= present) return true;
    if (needed > mostPages) return false;
    // What is not written takes no memory, and growing often holds up the other threads.
    this.memory.grow(Math.min(mostPages, Math.ceil(needed * 1.1)) - present);
    return true;
  }

  /** Marks those of the first `count` rows that are of these passages, with the lock. */
  mark(passages: ReadonlySet<number>, count: number): void {
    const least = passages.values().reduce((a, b) => Math.min(a, b), Infinity);
    const most = passages.values().reduce((a, b) => Math.max(a, b), 0);
    let marked = 0;
    for (const block of this.blocks(count)) {
      const counts = new Uint8Array(this.memory.buffer, block.counts, block.count);
      for (let row = 0; row < block.count; row += 1) {
        const passage = block.passages[row] ?? 0;
        if (passage < least || passage > most || counts[row] === 0 || !passages.has(passage)) continue;
        counts[row] = 0;
        marked += 1;
      }
    }
    Atomics.add(this.#header, field.marked, marked);
  }
}
