import type { Clock } from '../../domain/clock.ts';

/**
 * Renews a lease until the work has ended, three times in its length, so that a renewal that fails (a busy file) is made
 * up for by the next one.
 * @param renew whether the lease is still ours; true as well when that could not be asked
 * @param onLost called when another worker has it, at most once
 */
export async function keepLease(
  clock: Pick<Clock, 'sleep'>,
  leaseMs: number,
  ended: AbortSignal,
  renew: () => Promise<boolean>,
  onLost: () => void,
): Promise<void> {
  while (!ended.aborted) {
    await clock.sleep(leaseMs / 3, ended).catch(() => undefined);
    if (ended.aborted) return;
    if (await renew()) continue;
    onLost();
    return;
  }
}
