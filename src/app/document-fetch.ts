import type { Clock } from '../domain/clock.ts';
import type { Resource } from '../domain/records/resource.ts';
import type { FetchProcess, FetchSettings } from '../fetching/fetch-process.ts';
import type { HostTurns } from '../fetching/host-turns.ts';

const usualMaxBytes = 16 * 1024;
const timeoutMs = 5_000;
/** These documents take turns as those of an account apart: strangers name them, and hold up no account. */
const accountId = 'documents of assistants';

export type FetchDocument = (url: string, signal: AbortSignal) => Promise<Resource>;

/**
 * Fetches the documents that describe assistants. Strangers choose their addresses, so private networks are refused
 * whatever the settings allow for saved pages, and no redirect is followed.
 * @param limits of documents of another kind
 */
export function createDocumentFetch(
  fetching: FetchProcess,
  clock: Clock,
  version: string,
  hosts: HostTurns,
  { maxBytes = usualMaxBytes, allowPrivateAddresses = false, proxies }: Partial<FetchSettings> = {},
): FetchDocument {
  const fetcher = fetching.createFetcher({
    allowPrivateAddresses,
    maxBytes,
    timeoutMs,
    maxRedirects: 0,
    proxies,
    userAgent: `Commonplace/${version}`,
    clock,
    hosts,
  });
  return (url, signal) => fetcher.fetch(url, signal, { headers: { accept: 'application/json' } }, accountId);
}
