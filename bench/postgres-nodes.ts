import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { indexMethods } from '../src/app/index-methods.ts';
import { openPostgresStores } from '../src/store/postgres/open.ts';
import { startWorkerOf } from '../src/store/sqlite/threads/account-thread.ts';
import type { Stores } from '../src/store/store.ts';
import { createSystemClock } from '../src/workers/system-clock.ts';
import { PostgresServer } from '../tests/support/postgres/server.ts';

export const clock = createSystemClock();
const startWorker = startWorkerOf(new URL('../dist/app/library-worker.js', import.meta.url));

/**
 * A database on a socket of this machine, and nodes on it as a server has them. Each name is a node with its own copies.
 * @param settings of the PostgreSQL server
 */
export async function startNodes(settings: readonly string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-nodes-'));
  const server = await PostgresServer.start(settings);
  const database = await server.createDatabase();
  return {
    folder,
    server,
    database,
    openNode: async (name: string): Promise<Stores> =>
      (await openPostgresStores({
        url: database.url,
        clock,
        index: {
          folder: join(folder, name),
          maxBytes: 1e10,
          maxWaitMs: 60_000,
          indexMethods: indexMethods(),
          libraryThreads: { startWorker },
        },
      })) as unknown as Stores,
    async stop(): Promise<void> {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
