import { afterAll, beforeAll } from 'vitest';
import { openPostgresStores } from '../../src/store/postgres/open.ts';
import { PostgresServer, type TestDatabase } from '../support/postgres/server.ts';
import { controlContract } from './control/control-contract.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start();
});
afterAll(() => server.stop());

controlContract('postgres', () => {
  let database: TestDatabase;
  return {
    async open(clock) {
      database = await server.createDatabase();
      return openPostgresStores({ url: database.url, clock });
    },
    remove: () => database.drop(),
  };
});
