import type { Clock } from '../../domain/clock.ts';
import type { Log } from '../../workers/log.ts';
import type { Store } from '../../store/store.ts';

/** While jobs run, an account's maintenance is looked for at most this often. */
const betweenLooksMs = 250;
const retryMs = 60_000;

export interface MaintenanceParts {
  /** Does an account's maintenance (`Store.hasMaintenance`), in small writes. */
  doMaintenance: (store: Store, signal: AbortSignal) => Promise<void>;
  clock: Clock;
  log: Log;
}

/** When the maintenance of each account is looked for and done: at most one run at a time for each account. */
export class MaintenanceTurns {
  readonly #parts: MaintenanceParts;
  /** Running (infinity) or failed: no further attempt before this time (`Clock.elapsed`). */
  readonly #notBefore = new Map<string, number>();
  /** By account, `Clock.elapsed`. */
  readonly #lookedAt = new Map<string, number>();

  constructor(parts: MaintenanceParts) {
    this.#parts = parts;
  }

  /** @param isBusy whether jobs run. The end of the last one comes here again */
  async isDue(store: Store, isBusy: boolean): Promise<boolean> {
    const notBefore = this.#notBefore.get(store.accountId) ?? Number.NEGATIVE_INFINITY;
    if (this.#parts.clock.elapsed() < notBefore) return false;
    return this.#mayLook(store.accountId, isBusy) && store.hasMaintenance();
  }

  /** Looking takes as long as claiming a job, so it is not done at every claim. */
  #mayLook(accountId: string, isBusy: boolean): boolean {
    const now = this.#parts.clock.elapsed();
    const lookedAt = this.#lookedAt.get(accountId) ?? Number.NEGATIVE_INFINITY;
    if (isBusy && now - lookedAt < betweenLooksMs) return false;
    this.#lookedAt.set(accountId, now);
    return true;
  }

  /** Never rejects. Two processes may do the same tasks: each write checks what is left. */
  async run(store: Store, signal: AbortSignal): Promise<void> {
    const { clock, doMaintenance, log } = this.#parts;
    const { accountId } = store;
    this.#notBefore.set(accountId, Number.POSITIVE_INFINITY);
    try {
      await doMaintenance(store, signal);
      this.#notBefore.delete(accountId);
    } catch (error) {
      this.#notBefore.set(accountId, clock.elapsed() + retryMs);
      if (!signal.aborted)
        log.warn({ err: error, accountId }, 'maintenance of this account failed and is tried again in a minute');
    }
  }
}
