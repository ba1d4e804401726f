import type { Store } from '../../store/store.ts';

export type CountsByCode = Record<string, number>;

export interface RetriedItems {
  queued: CountsByCode;
  /** All items that had failed before the call, whether or not their code was asked for. */
  failed: CountsByCode;
}

/** Items in one transaction, which other writes wait for. */
const retriedAtOnce = 64;

/** An item that fails again meanwhile is not queued twice. @param codes absent: all failures */
export async function retryFailed(store: Store, codes?: readonly string[]): Promise<RetriedItems> {
  const failed = await store.listFailed();
  const wanted = codes === undefined ? failed : failed.filter(({ code }) => codes.includes(code));
  const queued: string[] = [];
  for (let start = 0; start < wanted.length; start += retriedAtOnce) {
    const some = wanted.slice(start, start + retriedAtOnce);
    const isQueued = await Promise.all(some.map(({ id }) => store.retryContent(id)));
    queued.push(...some.filter((_, index) => isQueued[index]).map(({ code }) => code));
  }
  return { queued: countByCode(queued), failed: countByCode(failed.map(({ code }) => code)) };
}

function countByCode(codes: readonly string[]): CountsByCode {
  const counts = new Map<string, number>();
  for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1);
  return Object.fromEntries([...counts].toSorted(([, a], [, b]) => b - a));
}

export function sumOf(counts: CountsByCode): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** As in "12 timeout, 3 not_found". */
export function listedByCode(counts: CountsByCode): string {
  return Object.entries(counts)
    .map(([code, count]) => `${count} ${code}`)
    .join(', ');
}
