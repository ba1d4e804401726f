import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { connect, type Pool } from '../../../src/store/postgres/database.ts';
import { migratePostgres } from '../../../src/store/postgres/migrate.ts';
import { migrations } from '../../../src/store/postgres/migrations/migrations.ts';
import { openPostgresStores } from '../../../src/store/postgres/open.ts';
import { ManualClock } from '../../support/clock.ts';
import { Relay } from '../../support/postgres/relay.ts';
import { PostgresServer, type TestDatabase } from '../../support/postgres/server.ts';

let server: PostgresServer;
let database: TestDatabase;
let owner: Pool;
const clock = new ManualClock();

beforeAll(async () => {
  server = await PostgresServer.start();
});
afterAll(() => server.stop());
beforeEach(async () => {
  database = await server.createDatabase({ isMigrated: false });
  owner = connect({ url: database.ownerUrl, maxConnections: 1 });
});
afterEach(async () => {
  await owner.end();
  await database.drop();
});

const open = (url = database.url) => openPostgresStores({ url, clock });
const migrate = () => migratePostgres({ url: database.ownerUrl, nodeRole: 'app' });

it('migrates once, whoever begins, and again changes nothing', async () => {
  await expect(open()).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('migrat') as string,
  });
  await Promise.all([migrate(), migrate(), migrate()]);
  await migrate();
  expect([...(await owner`SELECT version, oldest_program FROM schema_version`)]).toEqual([
    {
      version: migrations.length,
      oldestProgram: migrations.findLastIndex(({ isContraction }) => isContraction === true) + 1,
    },
  ]);
  const stores = await open();
  expect(await stores.control.listAccounts()).toHaveLength(1);
  await stores.close();
});

it('goes on beside a newer program that added something, and refuses one that took something away', async () => {
  await migrate();
  await owner`UPDATE schema_version SET version = version + 1`;
  await (await open()).close();
  await migrate();
  await owner`UPDATE schema_version SET oldest_program = version`;
  await expect(open()).rejects.toMatchObject({ code: 'newer_data' });
  await expect(migrate()).rejects.toMatchObject({ code: 'newer_data' });
});

it('opens with no role that could pass row-level security', async () => {
  await migrate();
  const refused = { code: 'unavailable', message: expect.stringContaining('keeps accounts apart') as string };
  await expect(open(database.ownerUrl)).rejects.toMatchObject(refused);
  await expect(open(server.adminUrl(database))).rejects.toMatchObject(refused);
});

it('says in words that the database is away', async () => {
  const away = { code: 'unavailable', message: expect.stringContaining('does not answer') as string };
  await expect(open('postgres://app@%2Fnowhere/db')).rejects.toMatchObject(away);
  await expect(open('postgres://app@127.0.0.1:1/db')).rejects.toMatchObject(away);

  await migrate();
  const { relay, url } = await Relay.start(database.url);
  const stores = await open(url);
  const store = await stores.open('local');
  relay.setAway(true);
  await expect(store.listTags({ limit: 1, offset: 0 })).rejects.toMatchObject(away);
  await expect(stores.control.listAccounts()).rejects.toMatchObject(away);
  await expect(store.deleteContent('x')).rejects.toMatchObject(away);
  relay.setAway(false);
  expect(await store.listTags({ limit: 1, offset: 0 })).toEqual({ items: [], total: 0 });
  await stores.close();
  await relay.stop();
});
