import { afterAll, beforeAll } from 'vitest';
import { openPostgresStores } from '../../src/store/postgres/open.ts';
import { PostgresServer, type TestDatabase } from '../support/postgres/server.ts';
import { controlContract } from './control/control-contract.ts';

let server: PostgresServer;
let database: TestDatabase;
beforeAll(async () => {
  server = await PostgresServer.start();
  database = await server.createDatabase();
});
afterAll(() => server.stop());

controlContract('postgres', () => ({
  open: (clock) => openPostgresStores({ url: database.url, clock }),
  remove: () => database.empty(),
}));
