import { createHash } from 'node:crypto';
import type { Transfer } from '../../store/transfer.ts';
import { type ActionMerge, mergesOf, restoreAllMerges } from '../merged-actions.ts';

export interface LibraryComparison {
  items: number;
  /** SHA-256 over all items of the first library, their texts and the hashes of their originals. */
  digest: string;
  /** Ids of items that are not the same in both, because they were changed while they were copied, or cannot be copied. */
  differing: string[];
}

/** Items of which the digest is looked up together. */
const batchSize = 8;

/**
 * Reads both libraries and compares them by hash. Merged actions are made one again, where both of them are there: that
 * needs all items.
 * @param ids of the items of the first one
 */
export async function compareLibraries(
  from: Transfer,
  to: Transfer,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<LibraryComparison> {
  const whole = createHash('sha256');
  const differing: string[] = [];
  const merges: ActionMerge[] = [];
  for (let at = 0; at < ids.length; at += batchSize) {
    signal.throwIfAborted();
    const batch = ids.slice(at, at + batchSize);
    const read = await Promise.all(
      batch.map(async (id) => {
        const [one, other] = await Promise.all([from.readToExport(id), to.readToExport(id)]);
        return { id, digests: [digestOf(one), digestOf(other)], merged: one === null ? [] : mergesOf(one) };
      }),
    );
    for (const { id, digests, merged } of read) {
      whole.update(`${id} ${digests[0]}\n`);
      if (digests[0] === digests[1]) continue;
      differing.push(id);
      merges.push(...merged);
    }
  }
  await restoreAllMerges(to, merges);
  return {
    items: ids.length,
    digest: whole.digest('hex'),
    differing: merges.length === 0 ? differing : await stillDiffering(from, to, differing),
  };
}

async function stillDiffering(from: Transfer, to: Transfer, ids: readonly string[]): Promise<string[]> {
  const differing: string[] = [];
  for (const id of ids)
    if (digestOf(await from.readToExport(id)) !== digestOf(await to.readToExport(id))) differing.push(id);
  return differing;
}

/** SHA-256 in hexadecimal: the same for records of the same content, whatever the order of their keys. */
export function digestOf(record: unknown): string {
  return createHash('sha256').update(JSON.stringify(record, sorted)).digest('hex');
}

function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
