import { VectorCache } from './vector-cache.ts';
import type { VectorMemory } from './vector-memories.ts';

/** One thread's views of the memories that it was given. A view is dropped once its memory is retired. */
export class AttachedVectorCaches {
  readonly #caches = new Map<number, VectorCache>();

  /** @param embedder key of the embedder whose vectors the memory holds */
  of(given: VectorMemory | null, embedder: number): VectorCache | null {
    if (given === null) return null;
    for (const [id, cache] of this.#caches) if (cache.isRetired) this.#caches.delete(id);
    // Look up by id: each time a memory is sent to a thread, it arrives as a new object.
    let cache = this.#caches.get(given.id);
    if (cache === undefined) {
      cache = new VectorCache(given.memory, { embedder, ...given.limits });
      this.#caches.set(given.id, cache);
    }
    return cache;
  }
}
