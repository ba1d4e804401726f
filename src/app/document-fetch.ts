import type { Clock } from '../domain/clock.ts';
import type { Resource } from '../domain/records/resource.ts';
import type { HostTurns } from '../fetching/host-turns.ts';
import { lazily } from '../domain/lazily.ts';

const usualMaxBytes = 16 * 1024;
const timeoutMs = 5_000;

export interface DocumentFetch {
  fetch(url: string, signal: AbortSignal): Promise<Resource>;
  close(): Promise<void>;
}

/**
 * Fetches the documents that describe assistants. Strangers choose their addresses, so private networks are refused
 * whatever the settings allow for saved pages, and no redirect is followed.
 * @param limits of documents of another kind
 */
export function createDocumentFetch(
  clock: Clock,
  version: string,
  hosts: HostTurns,
  { maxBytes = usualMaxBytes, allowPrivateAddresses = false } = {},
): DocumentFetch {
  const fetcher = lazily(async () => {
    const { createFetcher } = await import('../fetching/fetch.ts');
    return createFetcher({
      allowPrivateAddresses,
      maxBytes,
      timeoutMs,
      maxRedirects: 0,
      userAgent: `Commonplace/${version}`,
      clock,
      hosts,
    });
  });
  return {
    fetch: async (url, signal) => (await fetcher.get()).fetch(url, signal, { headers: { accept: 'application/json' } }),
    close: async () => fetcher.made()?.then((one) => one.close()),
  };
}
