import { VectorCache } from './vector-cache.ts';
import type { VectorMemory } from './vector-memories.ts';

/** One thread's view of the memories that it was given. A view goes when its memory is retired. */
export class AttachedCaches {
  readonly #caches = new Map<number, VectorCache>();

  /** @param embedder the key of the one whose vectors the memory is for */
  of(given: VectorMemory | null, embedder: number): VectorCache | null {
    if (given === null) return null;
    for (const [id, cache] of this.#caches) if (cache.isRetired) this.#caches.delete(id);
    // The same memory comes as another object each time that it is sent to a thread.
    let cache = this.#caches.get(given.id);
    if (cache === undefined) {
      cache = new VectorCache(given.memory, { embedder, ...given.limits });
      this.#caches.set(given.id, cache);
    }
    return cache;
  }
}
