import { localAccountId } from '../../src/domain/records/account.ts';
import { ProcessingError } from '../../src/errors.ts';
import { SharedPlaces } from '../../src/domain/turns/shared-places.ts';
import { lookupPlaces } from '../../src/fetching/address-guard.ts';
import { fetchResource, largeBodyPlaces } from '../../src/fetching/fetch.ts';
import type { Fetcher, FetchSettings } from '../../src/fetching/fetch-process.ts';
import type { Network } from '../../src/fetching/transport.ts';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

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

/** A local web server for one test. */
export interface Site {
  url(path: string): string;
  server: Server;
  close(): Promise<void>;
}

export async function serveSite(answer: RequestListener, host = '127.0.0.1'): Promise<Site> {
  const server = createServer({ maxHeaderSize: 256 * 1024 }, answer);
  await new Promise<void>((resolve) => {
    server.listen(0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: (path) => `http://${host}:${port}${path}`,
    server,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** What a call that must fail fails with. */
export async function failure(call: Promise<unknown>): Promise<ProcessingError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof ProcessingError) return error;
  throw new Error('it did not fail as expected', { cause: error });
}
