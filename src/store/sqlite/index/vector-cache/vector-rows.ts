import { threadId } from 'node:worker_threads';
import {
  type VectorBlock,
  blockAt,
  field,
  fields,
  long,
  itemsOf,
  longsAt,
  maxPages,
  passagesOf,
  pageBytes,
  type ScratchMemory,
  rowsOf,
  rowsPerBlock,
  type RowsState,
  sizesOf,
  stateOfRows,
  takeScratchMemory,
} from './shared-vector-layout.ts';
import { scanBuild, openScanKernel, type MemoryAddress, type ScanKernel, type SharedMemory } from './scan-kernel.ts';

/** One more than the thread id: 0 means that no thread holds a lock or a place, and thread 0 needs them, too. */
const self = threadId + 1;

export interface NewRows {
  count: number;
  /** `dimensions` bytes per row. */
  components: Uint8Array;
  passages: readonly number[];
  /** The keys of the items. */
  items: readonly number[];
}

/** One thread's view of the rows in a memory. */
export class VectorRows {
  readonly memory: SharedMemory;
  readonly kernel: ScanKernel;
  readonly width: number;
  readonly dimensions: number;
  readonly #sizes: ReturnType<typeof sizesOf>;
  readonly #header: Int32Array;
  readonly #longs: Uint32Array;
  #place: ScratchMemory | null = null;

  constructor(memory: SharedMemory) {
    this.memory = memory;
    const build = scanBuild();
    if (build === null) throw new Error('a machine without SIMD has no vectors in memory');
    this.kernel = openScanKernel(build, memory);
    this.#header = new Int32Array(memory.buffer, 0, fields);
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

  get bytes(): number {
    return stateOfRows(this.memory).bytes;
  }

  /** The file's schema version when the rows were filled. */
  get schema(): number {
    return Atomics.load(this.#header, field.schema);
  }

  set schema(schema: number) {
    Atomics.store(this.#header, field.schema, schema);
  }

  /** The rows include the changes up to this id in `vector_changes`. */
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

  /** Runs `work` with the lock, unless another thread holds it. Returns whether it ran. */
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

  /** Waits until the thread that holds the lock releases it or ends, for at most a tenth of a second. */
  waitForOther(): void {
    const holder = Atomics.load(this.#header, field.lock);
    if (holder !== 0 && holder !== self) Atomics.wait(this.#header, field.lock, holder, 100);
  }

  /** Removes all rows. Requires the lock, and rows that were never searched. */
  clear(): void {
    Atomics.store(this.#header, field.rows, 0);
    Atomics.store(this.#header, field.marked, 0);
    this.#writeLong(long.largestPassage, 0);
  }

  /** This thread's search buffers; null when other threads hold all places. */
  get place(): ScratchMemory | null {
    this.#place ??= takeScratchMemory(this.memory, this.#sizes, self);
    return this.#place;
  }

  /** Adds the rows listed at `found` to the list at `top`, scored with the query in 16 bits. */
  refine({ query, found, top }: ScratchMemory): void {
    this.kernel.refine(found, this.#sizes.blocksAt, this.#sizes.block, this.width, query, top);
  }

  /** The blocks that hold the rows up to `count`. */
  *blocks(count: number): Generator<VectorBlock & { count: number; passages: Float64Array; items: Uint32Array }> {
    for (let first = 0; first < count; first += rowsPerBlock) {
      const block = blockAt(this.#sizes, this.width, first / rowsPerBlock);
      const here = Math.min(rowsPerBlock, count - first);
      const passages = new Float64Array(this.memory.buffer, block.passages, here);
      yield { ...block, count: here, passages, items: new Uint32Array(this.memory.buffer, block.items, here) };
    }
  }

  /** Adds to each row its passage and item. */
  owned<Row extends { row: number }>(found: readonly Row[]): (Row & { passageId: number; item: number })[] {
    // Create one view: accessing a shared memory's buffer takes longer than reading from it.
    const view = new DataView(this.memory.buffer);
    return found.map((one) => {
      const at = one.row % rowsPerBlock;
      const passages = passagesOf(rowsOf(this.#sizes, (one.row - at) / rowsPerBlock), this.width);
      const passageId = view.getFloat64(passages + 8 * at, true);
      return { ...one, passageId, item: view.getUint32(itemsOf(passages) + 4 * at, true) };
    });
  }

  /** Appends rows. Requires the lock. False when the memory cannot grow. */
  append({ count, components, passages, items }: NewRows): boolean {
    const first = this.count;
    if (!this.#makeRoom(first + count)) return false;
    let largest = this.largestPassage;
    for (let done = 0; done < count;) {
      const row = first + done;
      const block = blockAt(this.#sizes, this.width, Math.floor(row / rowsPerBlock));
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

  #writeComponents(at: MemoryAddress, components: Uint8Array, from: number, count: number): void {
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
    if (needed > maxPages) return false;
    // Grow by a tenth more than needed: unwritten pages take no memory, and growing often blocks the other threads.
    this.memory.grow(Math.min(maxPages, Math.ceil(needed * 1.1)) - present);
    return true;
  }

  /** Marks those of the first `count` rows that belong to these passages. Requires the lock. */
  mark(passages: ReadonlySet<number>, count: number): void {
    const first = passages.values().reduce((a, b) => Math.min(a, b), Infinity);
    const last = passages.values().reduce((a, b) => Math.max(a, b), 0);
    let marked = 0;
    for (const block of this.blocks(count)) {
      const counts = new Uint8Array(this.memory.buffer, block.counts, block.count);
      for (let row = 0; row < block.count; row += 1) {
        const passage = block.passages[row] ?? 0;
        if (passage < first || passage > last || counts[row] === 0 || !passages.has(passage)) continue;
        counts[row] = 0;
        marked += 1;
      }
    }
    Atomics.add(this.#header, field.marked, marked);
  }
}
