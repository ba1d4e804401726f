import { AppError } from '../../errors.ts';
import type { HostTurns } from '../../fetching/host-turns.ts';
import type { Stores } from '../../store/store.ts';

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
