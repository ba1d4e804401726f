import S3rver from '@20minutes/s3rver';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProviderFetch } from '../../../src/fetching/provider-fetch.ts';
import {
  type ObjectStore,
  objectStoreBase,
  type ObjectStoreOptions,
  parseObjectStoreUrl,
} from '../../../src/store/postgres/blobs/object-store.ts';
import { openS3ObjectStore } from '../../../src/store/postgres/blobs/s3-object-store.ts';
import type { Clock } from '../../../src/domain/clock.ts';

/** Signatures carry the time of day, and the server has its own. Waits end at once. */
export const impatientClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  uptime: () => performance.now(),
  sleep: async (_ms, signal) => signal?.throwIfAborted(),
};

/** What the relay does with the next request in place of passing it on: false leaves it to the server. */
export type Fault = (asked: IncomingMessage, answer: ServerResponse) => boolean;

/** A real S3 server, and a relay in front of it that can fail. */
export class S3Server {
  readonly #folder: string;
  readonly #s3: S3rver;
  readonly #relay: Server;
  readonly #opened: { close(): Promise<void> }[] = [];
  readonly url: string;
  /** Methods and paths of what was asked. */
  readonly asked: string[] = [];
  readonly #faults: Fault[] = [];

  private constructor(folder: string, s3: S3rver, relay: Server, url: string) {
    this.#folder = folder;
    this.#s3 = s3;
    this.#relay = relay;
    this.url = url;
  }

  static async start(): Promise<S3Server> {
    const folder = await mkdtemp(join(tmpdir(), 's3-'));
    const s3 = new S3rver({
      address: '127.0.0.1',
      port: 0,
      silent: true,
      directory: folder,
      serviceEndpoint: 'objects.test',
      configureBuckets: [{ name: 'books', configs: [] }],
    });
    const { port } = await s3.run();
    const relay = createServer();
    relay.listen(0, '127.0.0.1');
    await once(relay, 'listening');
    const address = relay.address();
    if (address === null || typeof address === 'string') throw new Error('a relay without a port');
    const server = new S3Server(folder, s3, relay, `http://S3RVER:S3RVER@127.0.0.1:${address.port}/books/library`);
    relay.on('request', (asked: IncomingMessage, answer: ServerResponse) => server.#pass(port, asked, answer));
    return server;
  }

  #pass(port: number, asked: IncomingMessage, answer: ServerResponse): void {
    const { method, url, headers } = asked;
    this.asked.push(`${method} ${url}`);
    if (this.#faults.shift()?.(asked, answer) === true) return;
    const passed = request({ host: '127.0.0.1', port, method, path: url, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  }

  /** Of the next requests, one after the other. */
  failNext(...faults: Fault[]): void {
    this.#faults.splice(0, Infinity, ...faults);
  }

  open(more: Partial<ObjectStoreOptions> = {}, clock: Clock = impatientClock): ObjectStore {
    const options = { ...parseObjectStoreUrl(this.url), ...more };
    const provider = createProviderFetch(objectStoreBase(options), 5_000, -1);
    this.#opened.push(provider);
    return openS3ObjectStore(options, { fetch: provider.fetch, clock });
  }

  async stop(): Promise<void> {
    for (const opened of this.#opened) await opened.close();
    this.#relay.closeAllConnections();
    this.#relay.close();
    await this.#s3.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
