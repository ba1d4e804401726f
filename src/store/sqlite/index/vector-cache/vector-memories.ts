import type { RowLimits } from './fill-rows.ts';
import { scanBuild, type SharedMemory } from './scan-kernel.ts';
import { createRows, freeOfThread, retireRows, rowsState, stateOfRows } from './shared-vector-layout.ts';

/** Each memory reserves some gigabytes of addresses, and a process has a limited number of addresses. */
const maxMemories = 32;

/** A memory with its limits, for a search in any thread. */
export interface VectorMemory {
  /** Unique among the memories of this process. */
  id: number;
  memory: SharedMemory;
  limits: RowLimits;
}

/**
 * The vector memories of this process, one per account and embedder. The least recently used are released first. Lives in the main
 * thread, which gives other threads the memory that a search needs.
 */
export class VectorMemories {
  readonly limits: RowLimits;
  readonly #memories = new Map<string, VectorMemory>();
  #lastId = 0;

  /** @param limits for all vectors together; with 0 bytes, none are kept in memory */
  constructor(limits: RowLimits) {
    this.limits = limits;
  }

  /**
   * Null when no memory is available: search the file instead. Returns a new memory when the previous one is retired.
   */
  get(accountId: string, embedderName: string, dimensions: number): VectorMemory | null {
    if (this.limits.maxBytes === 0 || typeof WebAssembly === 'undefined') return null;
    const key = `${accountId} ${dimensions} ${embedderName}`;
    const known = this.#memories.get(key);
    this.#memories.delete(key);
    const isUsable = known !== undefined && stateOfRows(known.memory).state !== rowsState.retired;
    const memory = isUsable ? known : this.#create(dimensions);
    if (memory === null) return null;
    this.#memories.set(key, memory);
    this.#makeRoom();
    return memory;
  }

  /** Gives up all memories of an account that was closed or removed. */
  forget(accountId: string): void {
    for (const key of this.#memories.keys()) if (key.startsWith(`${accountId} `)) this.#giveUp(key);
  }

  clear(): void {
    for (const key of this.#memories.keys()) this.#giveUp(key);
  }

  /** Call for a thread that has ended while it may have been searching. */
  threadEnded(threadId: number): void {
    for (const { memory } of this.#memories.values()) freeOfThread(memory, threadId);
  }

  #create(dimensions: number): VectorMemory | null {
    if (scanBuild() === null) return null;
    try {
      this.#lastId += 1;
      return { id: this.#lastId, memory: createRows(dimensions), limits: this.limits };
    } catch (error) {
      // No addresses are left: give up the least recently used memory. A search without memory is slower, not wrong.
      if (!(error instanceof RangeError)) throw error;
      const [oldest] = this.#memories.keys();
      if (oldest !== undefined) this.#giveUp(oldest);
      return null;
    }
  }

  /** The most recently used memory stays, however large it is: it was requested when there was room for it. */
  #makeRoom(): void {
    const sizes = [...this.#memories].map(([key, { memory }]) => ({ key, bytes: stateOfRows(memory).bytes }));
    let bytes = sizes.reduce((sum, size) => sum + size.bytes, 0);
    for (const [index, size] of sizes.slice(0, -1).entries()) {
      if (bytes <= this.limits.maxBytes && sizes.length - index <= maxMemories) return;
      this.#giveUp(size.key);
      bytes -= size.bytes;
    }
  }

  #giveUp(key: string): void {
    const known = this.#memories.get(key);
    if (known !== undefined) retireRows(known.memory);
    this.#memories.delete(key);
  }
}
