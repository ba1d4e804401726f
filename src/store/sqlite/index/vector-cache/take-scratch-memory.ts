import type { SharedMemory } from './kernel-interface.ts';
import { ownersAt, places, type ScratchMemory, type sizesOf } from './shared-vector-layout.ts';

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
