import { setImmediate } from 'node:timers/promises';
import type { Store } from '../../store/store.ts';

/*
 * Related items of a whole library at once. For each item, `related` asks the index about each of its passages, which takes
 * longer for ten thousand items than everything else in an export. Here an item is the mean of some of its vectors. The signs of the
 * means are compared first, all with all, and the cosine decides among the nearest.
 */

/** Items of a larger library are not compared: the time grows with the square of their number. */
const maxItems = 20_000;
const sampledPassages = 8;
const maxRelated = 5;
/** Candidates whose cosine is compared. */
const maxCandidates = 24;
/** Mean vectors of items on one subject are nearer than this. */
const minCosine = 0.5;

/** The ids of items related to each, nearest first. Empty without vectors, and for a library of more than 20,000 items. */
export async function findRelated(
  store: Store,
  embedderId: string | null,
  items: readonly { id: string }[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const related = new Map<string, string[]>();
  if (embedderId === null || items.length > maxItems) return related;
  const ids: string[] = [];
  const means: Float32Array[] = [];
  for (const { id } of items) {
    signal.throwIfAborted();
    const mean = meanOf(await store.sampleItem(id, embedderId, sampledPassages));
    if (mean === null) continue;
    ids.push(id);
    means.push(mean);
  }
  const signs = means.map(signsOf);
  for (const [at, mean] of means.entries()) {
    const own = signs[at];
    if (own === undefined) continue;
    const near = nearestBySigns(signs, own, at)
      .map((other) => ({ id: ids[other] ?? '', cosine: dot(mean, means[other]) }))
      .filter(({ cosine }) => cosine >= minCosine)
      .sort((a, b) => b.cosine - a.cosine)
      .slice(0, maxRelated);
    if (near.length > 0)
      related.set(
        ids[at] ?? '',
        near.map(({ id }) => id),
      );
    if (at % 200 === 0) await setImmediate();
    signal.throwIfAborted();
  }
  return related;
}

/** The direction of the mean; null without any vector. */
function meanOf(sample: readonly { vector: Float32Array | null }[]): Float32Array | null {
  const [first, ...others] = sample.flatMap(({ vector }) => (vector === null ? [] : [vector]));
  if (first === undefined) return null;
  const sum = Float32Array.from(first);
  for (const vector of others) for (let at = 0; at < sum.length; at += 1) sum[at] = (sum[at] ?? 0) + (vector[at] ?? 0);
  const length = Math.sqrt(dot(sum, sum));
  return length === 0 ? null : sum.map((component) => component / length);
}

function dot(a: Float32Array, b: Float32Array | undefined): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b?.[at] ?? 0);
  return sum;
}

function signsOf(vector: Float32Array): Uint32Array {
  const signs = new Uint32Array(Math.ceil(vector.length / 32));
  for (let at = 0; at < vector.length; at += 1)
    if ((vector[at] ?? 0) > 0) signs[at >> 5] = (signs[at >> 5] ?? 0) | (1 << (at & 31));
  return signs;
}

function bitCount(value: number): number {
  let bits = value - ((value >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The items that differ in the fewest signs, at most `maxCandidates`; equal ones in the order of saving. */
function nearestBySigns(all: readonly Uint32Array[], own: Uint32Array, self: number): number[] {
  const byDistance: number[][] = [];
  let found = 0;
  let limit = own.length * 32;
  for (let other = 0; other < all.length; other += 1) {
    const signs = all[other];
    if (signs === undefined || other === self) continue;
    let distance = 0;
    for (let at = 0; at < own.length; at += 1) distance += bitCount((own[at] ?? 0) ^ (signs[at] ?? 0));
    if (distance > limit) continue;
    (byDistance[distance] ??= []).push(other);
    found += 1;
    // The farthest ones are dropped when there are enough nearer ones.
    while (found - (byDistance[limit]?.length ?? 0) >= maxCandidates) {
      found -= byDistance[limit]?.length ?? 0;
      byDistance.length = Math.min(byDistance.length, limit);
      limit -= 1;
    }
  }
  return byDistance.flat().slice(0, maxCandidates);
}
