import { localAccountId } from '../../src/domain/records/account.ts';
import { SharedPlaces } from '../../src/domain/turns/shared-places.ts';
import { lookupPlaces } from '../../src/fetching/address-guard.ts';
import { fetchResource, largeBodyPlaces } from '../../src/fetching/fetch.ts';
import type { Fetcher, FetchSettings } from '../../src/fetching/fetch-process.ts';
import type { Network } from '../../src/fetching/transport.ts';

/** Fetches in the test's own process, so that a test can choose the network and the clock. */
export function fetcherHere(
  { clock, hosts, ...limits }: FetchSettings,
  network?: Network,
  places = new SharedPlaces(largeBodyPlaces),
): Fetcher {
  const lookups = new SharedPlaces(lookupPlaces);
  return {
    async fetch(url, signal, request = {}, accountId = localAccountId, known) {
      const pieces: Uint8Array[] = [];
      const take = (piece: Uint8Array): Promise<void> => {
        pieces.push(piece);
        return Promise.resolve();
      };
      const task = { url, request, known, accountId, limits };
      const resource = await fetchResource(task, { clock, hosts, places, lookups, take, network }, signal);
      return { ...resource, bytes: Buffer.concat(pieces), fetchedAt: new Date(clock.now()).toISOString() };
    },
  };
}
