import type { RowLimits } from './fill-rows.ts';
import type { SharedMemory } from './kernel-interface.ts';
import { createRows, freeOfThread, retireRows, rowsState, stateOfRows } from './shared-vector-layout.ts';

/** Each reserves some gigabytes of addresses, of which a process has a limited number. */
const maxMemories = 32;

/** A memory and what may be done with it, for a search in any thread. */
export interface VectorMemory {
  /** Of this memory and no other in this process. */
  id: number;
  memory: SharedMemory;
  limits: RowLimits;
}

/**
 * The memories of this process in which accounts' vectors lie, one for each account and embedder, those used least
 * recently given up first. Lives in the main thread, which gives other threads the memory that a search needs.
 */
export class VectorMemories {
  readonly limits: RowLimits;
  readonly #memories = new Map<string, VectorMemory>();
  #lastId = 0;

  /** @param limits of all vectors together; 0 bytes: none are kept in memory */
  constructor(limits: RowLimits) {
    this.limits = limits;
  }

  /** Null when there is none to be had: the file has to be asked. Another one than before when that is no longer to be used. */
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

  /** Gives up all memories of an account, which was closed or removed. */
  forget(accountId: string): void {
    for (const key of this.#memories.keys()) if (key.startsWith(`${accountId} `)) this.#giveUp(key);
  }

  /** Gives up all. */
  clear(): void {
    for (const key of this.#memories.keys()) this.#giveUp(key);
  }

  /** To be called for a thread that has ended while it may have been searching. */
  threadEnded(threadId: number): void {
    for (const { memory } of this.#memories.values()) freeOfThread(memory, threadId);
  }

  #create(dimensions: number): VectorMemory | null {
    try {
      this.#lastId += 1;
      return { id: this.#lastId, memory: createRows(dimensions), limits: this.limits };
    } catch (error) {
      // No addresses left: one fewer is needed. A search without it is slower, not wrong.
      if (!(error instanceof RangeError)) throw error;
      const [oldest] = this.#memories.keys();
      if (oldest !== undefined) this.#giveUp(oldest);
      return null;
    }
  }

  /** The one used last stays, however large it is: it was asked for when there was room for it. */
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
