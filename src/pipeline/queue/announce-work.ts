import type { Clock } from '../../domain/clock.ts';
import type { Store, Stores } from '../../store/store.ts';

import { AppError } from '../../errors.ts';
import type { HostTurns } from '../../fetching/host-turns.ts';

/** How often all work is announced again: for items whose time in the trash is over, and for a `control.db` from a backup. */
const everyMs = 5 * 60_000;

interface AnnouncingParts {
  clock: Clock;
  stores: Pick<Stores, 'control' | 'open'>;
  /** Whether this process does what is due for all processes: one of them in each span of time. */
  takeTurn: (name: string, everyMs: number) => Promise<boolean>;
  isStopped: () => boolean;
}

export class WorkAnnouncements {
  readonly #parts: AnnouncingParts;
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(parts: AnnouncingParts) {
    this.#parts = parts;
  }

  /** Announces all work now. Stopped work is resumed the next time. */
  async announce(): Promise<void> {
    const { clock, stores, isStopped } = this.#parts;
    if (await announceAllWork(stores, clock.now(), isStopped)) this.#lastAt = clock.elapsed();
  }

  /** Announces all work when it is time to, unless another process does. */
  async announceWhenDue(): Promise<void> {
    const { clock, takeTurn } = this.#parts;
    if (clock.elapsed() - this.#lastAt < everyMs) return;
    if (await takeTurn('work announced', everyMs)) await this.announce();
    else this.#lastAt = clock.elapsed();
  }
}

/** Announces work that a crash or another process lost. @returns false when stopped before all were looked at */
async function announceAllWork(
  { control, open }: AnnouncingParts['stores'],
  now: number,
  isStopped: () => boolean,
): Promise<boolean> {
  const known = new Set((await control.accountsWithWork()).map((entry) => entry.accountId));
  const hasWork = async (store: Store): Promise<boolean> => {
    await noteFailedItems(control, store);
    const sourceDueAt = await store.nextSourceDueAt();
    if (sourceDueAt !== null && sourceDueAt <= now) return true;
    return (await store.hasMaintenance()) || (await store.nextJobDueAt()) !== null;
  };
  for (const { id } of await control.listAccounts()) {
    if (isStopped()) return false;
    if (known.has(id)) continue;
    // An account that cannot be opened counts as having work: taking its jobs will report the error.
    if (
      await open(id)
        .then(hasWork)
        .catch(() => true)
    )
      await control.announceWork(id);
  }
  return true;
}

/** Keeps an account's failures in `control.db`, for figures of all accounts. */
export async function noteFailedItems(control: Stores['control'], store: Store): Promise<void> {
  await control.noteFailedItems(store.accountId, (await store.countJobs()).failed);
}

interface WaitingParts {
  stores: Stores;
  hosts: Pick<HostTurns, 'busyHosts'>;
}

/**
 * Whether any account has jobs that cannot be claimed now and can be soon: jobs that another process holds, or that wait
 * for a busy host, such as for the pause after a request.
 */
export async function haveUnclaimableWork({ stores, hosts }: WaitingParts): Promise<boolean> {
  if (await areClaimedElsewhere(stores)) return true;
  return (await stores.control.accountsWithWork()).some(({ accountId }) => hosts.busyHosts(accountId).length > 0);
}

async function areClaimedElsewhere(stores: Stores): Promise<boolean> {
  for (const { accountId } of await stores.control.accountsWithWork()) {
    const endsAt = await stores
      .open(accountId)
      .then((store) => store.nextLeaseEndsAt())
      .catch((error: unknown) => {
        if (!isAccountRemoved(error)) throw error;
        return null;
      });
    if (endsAt !== null) return true;
  }
  return false;
}

/** An account can be removed at any time, also while it is served. */
export function isAccountRemoved(error: unknown): boolean {
  return error instanceof AppError && error.code === 'not_found';
}
