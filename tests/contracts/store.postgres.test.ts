import { afterAll, beforeAll } from 'vitest';
import { openPostgresStores } from '../../src/store/postgres/open.ts';
import type { Store, Stores } from '../../src/store/store.ts';
import { PostgresServer, type TestDatabase } from '../support/postgres/server.ts';
import { storeContract } from './store-contract.ts';

let server: PostgresServer;
let database: TestDatabase;
beforeAll(async () => {
  server = await PostgresServer.start();
  database = await server.createDatabase();
});
afterAll(() => server.stop());

storeContract('postgres', () => {
  return {
    async open(clock) {
      const stores = await openPostgresStores({ url: database.url, clock });
      const missing = (store: object) =>
        new Proxy(store, {
          get(target, key) {
            if (key in target || key === 'then') return (target as never)[key];
            throw new Error(`MISSING ${String(key)}`);
          },
        });
      return {
        ...stores,
        open: async (w: unknown) =>
          missing(await stores.open(typeof w === 'string' ? w : (w as { account: string }).account)) as Store,
      } as unknown as Stores;
    },
    remove: () => database.empty(),
  };
});
