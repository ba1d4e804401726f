import type { HostTurns } from '../../fetching/host-turns.ts';

/** Fetches of one account at one host. A further job would only hold a place while it waits for the host. */
const maxFetchesAtHost = 2;

/** Running fetches, including those that have not sent a request to their host yet. */
export class HostFetches {
  readonly #hosts: Pick<HostTurns, 'busyHosts'>;
  readonly #running = new Set<{ accountId: string; host: string }>();

  constructor(hosts: Pick<HostTurns, 'busyHosts'>) {
    this.#hosts = hosts;
  }

  /** @returns to be called when the fetch has ended */
  begin(accountId: string, host: string): () => void {
    const fetch = { accountId, host };
    this.#running.add(fetch);
    return () => void this.#running.delete(fetch);
  }

  /** Hosts from which the account is to fetch nothing more for now. */
  busyHosts(accountId: string): string[] {
    const counts = new Map<string, number>();
    for (const one of this.#running)
      if (one.accountId === accountId) counts.set(one.host, (counts.get(one.host) ?? 0) + 1);
    const own = [...counts].filter(([, count]) => count >= maxFetchesAtHost).map(([host]) => host);
    return [...new Set([...own, ...this.#hosts.busyHosts(accountId)])];
  }
}
