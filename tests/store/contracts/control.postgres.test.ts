import { afterAll, beforeAll } from 'vitest';
import { connect, type Pool } from '../../../src/store/postgres/database.ts';
import { openPostgresStores } from '../../../src/store/postgres/open.ts';
import { PostgresServer, type TestDatabase } from '../../support/postgres/server.ts';
import { controlContract } from './control/control-contract.ts';

let server: PostgresServer;
let database: TestDatabase;
/** For all tests: a new connection costs the server more than most tests do. */
let pool: Pool;
beforeAll(async () => {
  server = await PostgresServer.start();
  database = await server.createDatabase();
  pool = connect(database);
});
afterAll(async () => {
  await pool.end();
  await server.stop();
});

controlContract('postgres', () => ({
  open: (clock) => openPostgresStores({ url: database.url, pool, clock }),
  remove: () => database.empty(),
}));
