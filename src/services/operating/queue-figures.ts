import type { Clock } from '../../domain/clock.ts';
import type { JobCounts } from '../../store/records.ts';
import type { Stores, Store } from '../../store/store.ts';

/** Waiting, running and failed jobs of all accounts of the data folder together. */
export interface QueueFigures extends JobCounts {
  accountsWithWork: number;
  /** Accounts with work that were never counted, for lack of time. They are missing from the figures. */
  uncounted: number;
  /** Age of the oldest of the figures. */
  ageMs: number;
}

/**
 * Counts the queues of all accounts in bounded time. Only accounts with work are opened, those with the oldest figures
 * first, until the time is over. The others with work keep their earlier figures. The failures of accounts without work
 * are read from `control.db`.
 */
export class QueueCounter {
  readonly #stores: Stores;
  readonly #clock: Clock;
  readonly #counted = new Map<string, { counts: JobCounts; at: number }>();

  constructor(stores: Stores, clock: Clock) {
    this.#stores = stores;
    this.#clock = clock;
  }

  /** @param maxMs no further account is opened after that time */
  async count(maxMs: number): Promise<QueueFigures> {
    const { control } = this.#stores;
    const withWork = (await control.accountsWithWork()).map(({ accountId }) => accountId);
    this.#forgetOthers(new Set(withWork));
    await this.#countSome(withWork, maxMs);
    return this.#add(withWork, await control.listFailedItems());
  }

  #forgetOthers(withWork: ReadonlySet<string>): void {
    for (const accountId of this.#counted.keys()) if (!withWork.has(accountId)) this.#counted.delete(accountId);
  }

  async #countSome(withWork: readonly string[], maxMs: number): Promise<void> {
    const began = this.#clock.elapsed();
    const at = (accountId: string) => this.#counted.get(accountId)?.at ?? Number.NEGATIVE_INFINITY;
    for (const accountId of withWork.toSorted((a, b) => at(a) - at(b) || (a < b ? -1 : 1))) {
      if (this.#clock.elapsed() - began >= maxMs) return;
      const counts = await this.#countOne(accountId);
      if (counts !== null) this.#counted.set(accountId, { counts, at: this.#clock.elapsed() });
    }
  }

  /** An account that cannot be used has no figures; `doctor` says which those are. */
  async #countOne(accountId: string): Promise<JobCounts | null> {
    try {
      return await (await this.#stores.open(accountId)).countJobs();
    } catch {
      return null;
    }
  }

  #add(
    withWork: readonly string[],
    failedBefore: readonly { accountId: string; code: string; items: number }[],
  ): QueueFigures {
    const counted = withWork.flatMap((accountId) => this.#counted.get(accountId) ?? []);
    const failed = new Map<string, number>();
    const addFailed = (code: string, items: number) => failed.set(code, (failed.get(code) ?? 0) + items);
    for (const { accountId, code, items } of failedBefore) if (!this.#counted.has(accountId)) addFailed(code, items);
    for (const { counts } of counted) for (const [code, items] of Object.entries(counts.failed)) addFailed(code, items);
    const sum = (of: (counts: JobCounts) => number) => counted.reduce((total, { counts }) => total + of(counts), 0);
    const dueAt = counted.flatMap(({ counts }) => counts.oldestDueAt ?? []);
    return {
      accountsWithWork: withWork.length,
      uncounted: withWork.length - counted.length,
      ageMs: counted.reduce((age, { at }) => Math.max(age, this.#clock.elapsed() - at), 0),
      waiting: sum(({ waiting }) => waiting),
      running: sum(({ running }) => running),
      background: sum(({ background }) => background),
      oldestDueAt: dueAt.length === 0 ? null : dueAt.reduce((a, b) => Math.min(a, b)),
      failed: Object.fromEntries([...failed].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))),
    };
  }
}

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
