import { readFileSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { connect, type Pool, type Tx } from '../../../src/store/postgres/database.ts';
import { firstVersion, migratePostgres, presentVersion } from '../../../src/store/postgres/migrate.ts';
import { migrations } from '../../../src/store/postgres/schema.ts';
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

it('migrates once, whoever begins, and a repetition changes nothing', async () => {
  await expect(open()).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('migrat') as string,
  });
  await Promise.all([migrate(), migrate(), migrate()]);
  expect(await migrate()).toEqual({ before: presentVersion, after: presentVersion, applied: [] });
  expect([...(await owner`SELECT version, oldest_program FROM schema_version`)]).toEqual([
    {
      version: presentVersion,
      oldestProgram: firstVersion + migrations.findLastIndex(({ isContraction }) => isContraction === true) + 1,
    },
  ]);
  const stores = await open();
  expect(await stores.control.listAccounts()).toHaveLength(1);
  await stores.close();
});

it('continues beside a newer program that added something, and refuses one that removed something', async () => {
  await migrate();
  await owner`UPDATE schema_version SET version = version + 1`;
  await (await open()).close();
  await migrate();
  await owner`UPDATE schema_version SET oldest_program = version`;
  await expect(open()).rejects.toMatchObject({ code: 'newer_data' });
  await expect(migrate()).rejects.toMatchObject({ code: 'newer_data' });
});

it('refuses a database of a preview without changing it', async () => {
  await migrate();
  await owner`UPDATE schema_version SET version = 11, oldest_program = 7`;
  const refused = {
    code: 'unavailable',
    message: expect.stringMatching(
      /preview of Commonplace.*`commonplace export <folder>`.*--account.*`commonplace import <folder>`/,
    ) as string,
  };
  await expect(open()).rejects.toMatchObject(refused);
  await expect(migrate()).rejects.toMatchObject(refused);
  expect([...(await owner`SELECT version, oldest_program FROM schema_version`)]).toEqual([
    { version: 11, oldestProgram: 7 },
  ]);
});

it('schema.sql creates the same schema as the first version with all migrations', async () => {
  await migrate();
  const made = await catalogue(owner);
  expect(made.length).toBeGreaterThan(500);
  const other = await server.createDatabase({ isMigrated: false });
  const pool = connect({ url: other.ownerUrl, maxConnections: 1 });
  const fixture = new URL(`../fixtures/version-${firstVersion}/postgres.sql.zst`, import.meta.url);
  await pool.unsafe(zstdDecompressSync(readFileSync(fixture)).toString('utf8'));
  for (const { sql } of migrations) await pool.unsafe(sql);
  expect(await catalogue(pool)).toEqual(made.filter((line) => !line.includes('schema_version')));
  await pool.unsafe('CREATE INDEX further ON items (account_id, notes)');
  expect(await catalogue(pool)).not.toEqual(made.filter((line) => !line.includes('schema_version')));
  await pool.end();
  await other.drop();
});

it('moves the items of first-version libraries into the archive, except those tagged unread or later', async () => {
  const fixture = new URL(`../fixtures/version-${firstVersion}/postgres.sql.zst`, import.meta.url);
  await owner.unsafe(zstdDecompressSync(readFileSync(fixture)).toString('utf8'));
  const wanted: [account: string, tags: string[], shelf: string][] = [
    ['local', [], 'archive'],
    ['local', ['unread', 'later'], 'inbox'],
    ['local', ['later', 'sleep'], 'later'],
    ['other', ['sleep'], 'archive'],
  ];
  await owner`INSERT INTO accounts (id, name, plan, created_at) VALUES ('local', '', 'pro', 0), ('other', '', 'pro', 0)
    ON CONFLICT DO NOTHING`;
  const as = <T>(account: string, work: (tx: Tx) => Promise<T>) =>
    owner.begin(async (tx) => {
      await tx`SELECT set_config('app.account', ${account}, true)`;
      return work(tx);
    });
  for (const account of ['local', 'other'])
    await as(account, (tx) => tx`INSERT INTO libraries (account_id) VALUES (${account})`);
  for (const [at, [account, tags]] of wanted.entries())
    await as(account, async (tx) => {
      const name = String(at);
      await tx`
        INSERT INTO items (account_id, id, url, canonical_url, url_hash, card, created_at, updated_at)
        VALUES (${account}, ${name}, ${name}, ${name}, convert_to(${name}, 'UTF8'), ${at}, ${at}, 0)`;
      for (const tag of tags)
        await tx`
          INSERT INTO item_tags (account_id, item, folded, tag, ordinal)
          SELECT account_id, seq, ${tag}, ${tag}, 0 FROM items WHERE id = ${name}`;
    });
  for (const { sql } of migrations) await owner.unsafe(sql);
  const shelves = [];
  for (const account of ['local', 'other'])
    shelves.push(...(await as(account, (tx) => tx<{ shelf: string }[]>`SELECT shelf FROM items ORDER BY created_at`)));
  expect(shelves.map(({ shelf }) => shelf)).toEqual(wanted.map(([, , shelf]) => shelf));
});

/** Tables, columns, constraints, indexes, triggers, functions, types and policies as SQL. The order of columns does not count. */
async function catalogue(sql: Pool): Promise<string[]> {
  const rows = await sql<{ line: string }[]>`
    SELECT concat_ws(' ', c.relname, c.relpersistence, c.relrowsecurity, c.relforcerowsecurity, a.attname,
        format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attgenerated, a.attstorage,
        pg_get_expr(d.adbin, d.adrelid)) AS line
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'c')
    UNION ALL SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION ALL SELECT concat_ws(' ', tablename, policyname, permissive, roles, cmd, qual, with_check) FROM pg_policies
    ORDER BY line`;
  return rows.map(({ line }) => line).toSorted();
}

it('refuses a role that could bypass row-level security', async () => {
  await migrate();
  const refused = { code: 'unavailable', message: expect.stringContaining('keeps accounts apart') as string };
  await expect(open(database.ownerUrl)).rejects.toMatchObject(refused);
  await expect(open(server.adminUrl(database))).rejects.toMatchObject(refused);
});

it('reports that the database is unavailable', async () => {
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
