import { afterAll, beforeAll } from 'vitest';
import type { Clock } from '../../../src/domain/clock.ts';
import { indexMethods } from '../../../src/app/index-methods.ts';
import { connect, type Pool } from '../../../src/store/postgres/database.ts';
import { openPostgresStores } from '../../../src/store/postgres/open.ts';
import type { Stores } from '../../../src/store/store.ts';
import { PostgresServer, type TestDatabase } from '../../support/postgres/server.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { boundedHistoryContract } from './records/store-bounded-history.ts';
import { records, searchingAndWriting, storeContract, withoutRepeatedSearches } from './store-contract.ts';

let server: PostgresServer;
let database: TestDatabase;
/** For all tests: a new connection costs the server more than most tests do. */
let pool: Pool;
const folder = temporaryFolder();

beforeAll(async () => {
  server = await PostgresServer.start();
  database = await server.createDatabase();
  pool = connect(database);
});
afterAll(async () => {
  await pool.end();
  await server.stop();
  await folder.remove();
});

// The copies of one test are those of another library to the next.
const engine = () => ({
  async open(clock: Clock) {
    const index = { folder: folder.path, maxBytes: 1e9, indexMethods: indexMethods() };
    return (await openPostgresStores({ url: database.url, pool, clock, index })) as unknown as Stores;
  },
  remove: () => database.empty(),
});
storeContract('postgres', engine, withoutRepeatedSearches([...searchingAndWriting, ...records]));

boundedHistoryContract(() => ({
  open: async (clock, history) =>
    (await openPostgresStores({ url: database.url, pool, clock, history })) as unknown as Stores,
  remove: () => database.empty(),
}));
