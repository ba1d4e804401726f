import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connect, explained, json, type Pool, type Tx } from '../../../src/store/postgres/database.ts';
import { Relay } from '../../support/postgres/relay.ts';
import { PostgresServer, type TestDatabase } from '../../support/postgres/server.ts';

/* What the SQL of this engine expects of the tag that it is written for. */

let server: PostgresServer;
let database: TestDatabase;
let owner: Pool;
let sql: Pool;

beforeAll(async () => {
  server = await PostgresServer.start();
  database = await server.createDatabase({ isMigrated: false });
  owner = connect({ url: database.ownerUrl, maxConnections: 1 });
  await owner.unsafe(`
    CREATE TABLE things (id bigint PRIMARY KEY, a_long_name text, data json, bytes bytea, is_new boolean);
    GRANT ALL ON things TO app`);
});
afterAll(async () => {
  await owner.end();
  await server.stop();
});
beforeEach(() => {
  sql = connect({ url: database.url, maxConnections: 2 });
});
afterEach(async () => {
  await owner`DELETE FROM things`;
  await sql.end();
});

const countThings = async (): Promise<unknown> => (await owner`SELECT count(*) FROM things`)[0]?.count;

describe('values', () => {
  it('return as they were sent, under their TypeScript names', async () => {
    const row = {
      id: Number.MAX_SAFE_INTEGER,
      aLongName: 'a\0b \u{10FFFE} "quoted" {braces}, \\ and \u{1F600}',
      data: { z: 1, a: ['\0', null, { deep: true }] },
      bytes: Buffer.from([0, 1, 255]),
      isNew: true,
    };
    const inserted = await sql`
      INSERT INTO things (id, a_long_name, data, bytes, is_new)
      VALUES (${row.id}, ${row.aLongName}, ${json(row.data)}, ${new Uint8Array(row.bytes)}, ${row.isNew})
      RETURNING *`;
    expect([...inserted]).toEqual([row]);
    expect(inserted.count).toBe(1);
    const [stored] = await sql<{ data: string }[]>`SELECT data::text FROM things WHERE id = ${row.id}`;
    expect(stored?.data).toBe(JSON.stringify(row.data));
  });

  it('may be null, and lists', async () => {
    const texts = ['a\0b', '', 'NULL', '{"x"}', null];
    const [row] = await sql`
      SELECT ${texts}::text[] AS texts, ${[1, 2, null]}::bigint[] AS numbers, ${[]}::text[] AS none,
        ${null}::text AS nothing, ${json(null)} AS no_json, ARRAY['c\\d']::text[] AS others, 1.5::float8 AS part`;
    expect(row).toEqual({
      texts,
      numbers: [1, 2, null],
      none: [],
      nothing: null,
      noJson: null,
      others: ['c\\d'],
      part: 1.5,
    });
  });

  it('that are undefined are refused, so that nothing becomes null by mistake', async () => {
    expect(() => sql`SELECT ${undefined as never}`).toThrow(TypeError);
    expect(() => sql`SELECT ${{} as never}`).toThrow(TypeError);
  });
});

describe('connections', () => {
  it('are given to accounts in turns, however much one of them requests', async () => {
    const order: string[] = [];
    const ask = async (account: string) => {
      await sql.begin(
        '',
        (tx) => {
          order.push(account);
          return tx`SELECT pg_sleep(0.05)`;
        },
        account,
      );
    };
    const [ann, bob, carol] = ['ann', 'bob', 'carol'];
    await Promise.all([ann, ann, ann, ann, ann, bob, carol].map((account = '') => ask(account)));
    expect(order.toSorted()).toEqual([ann, ann, ann, ann, ann, bob, carol]);
    // One is left to others than the first; then whoever holds none comes before the rest of Ann's.
    expect(order.slice(0, 4)).toContain(bob);
    expect(order.slice(0, 4)).toContain(carol);
  });
});

describe('statements', () => {
  it('are made of parts, which cannot be sent alone', async () => {
    const big = sql`id > ${10}`;
    const condition = sql`${big} AND ${sql('a_long_name')} = ANY(${['x', 'y']})`;
    await sql`INSERT INTO things (id, a_long_name) VALUES (${1}, 'x'), (${11}, 'x'), (${12}, 'z')`;
    const rows = await sql`SELECT id FROM ${sql('things')} WHERE ${condition} AND ${big} ${sql``}`;
    expect([...rows]).toEqual([{ id: 11 }]);
  });

  it('quote names', async () => {
    const [row] = await sql`SELECT 1 AS ${sql('a"; DROP TABLE things; --')}`;
    expect(Object.values(row ?? {})).toEqual([1]);
    expect(await countThings()).toBe(0);
  });

  const prepared = async (pool: Pool): Promise<number> => {
    for (let run = 0; run < 3; run += 1) await pool`SELECT id FROM things WHERE id = ${run}`;
    const [row] = await pool<{ count: number }[]>`
      SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%things WHERE id%'`;
    return row?.count ?? -1;
  };

  it('are prepared once, and not at all behind a pooler', async () => {
    const direct = connect({ url: database.url, maxConnections: 1 });
    expect(await prepared(direct)).toBe(1);
    await direct.end();
    const { relay, url } = await Relay.start(database.url, { isPooler: true });
    const pooled = connect({ url, maxConnections: 1 });
    expect(await prepared(pooled)).toBe(0);
    await pooled.end();
    await relay.stop();
  });
});

describe('a transaction', () => {
  it('is committed with the answer of its work', async () => {
    const answer = await sql.begin('isolation level repeatable read', async (tx) => {
      await tx`INSERT INTO things (id) VALUES (1)`;
      expect(await countThings()).toBe(0);
      return (await tx`SHOW transaction_isolation`)[0];
    });
    expect(answer).toEqual({ transactionIsolation: 'repeatable read' });
    expect(await countThings()).toBe(1);
  });

  it('leaves nothing when its work fails', async () => {
    const failed = sql.begin(async (tx) => {
      await tx`INSERT INTO things (id) VALUES (1)`;
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await countThings()).toBe(0);
  });

  it.each(['caught', 'not waited for'])('leaves nothing when one of its statements failed that was %s', async (how) => {
    const failed = sql.begin(async (tx) => {
      await tx`INSERT INTO things (id) VALUES (1)`;
      const again = tx`INSERT INTO things (id) VALUES (1)`.execute();
      if (how === 'caught') await again.catch(() => undefined);
      return 'done';
    });
    await expect(failed).rejects.toMatchObject({ code: '23505', constraint: 'things_pkey' });
    expect(await countThings()).toBe(0);
  });

  it('repeats the first error for the statements after it', async () => {
    const later: Promise<unknown>[] = [];
    const failed = sql.begin(async (tx) => {
      later.push(tx`SELECT 1 / 0`.execute(), tx`SELECT 1`.execute());
      await Promise.allSettled(later);
      later.push(tx`SELECT 2`.execute());
    });
    await expect(failed).rejects.toMatchObject({ code: '22012' });
    for (const answer of later) await expect(answer).rejects.toMatchObject({ code: '22012' });
  });

  it('accepts no statement after its end', async () => {
    let kept: Tx = sql;
    await sql.begin(async (tx) => {
      kept = tx;
    });
    await expect(kept`INSERT INTO things (id) VALUES (1)`).rejects.toThrow('after the end');
    expect(await countThings()).toBe(0);
  });

  it('is ended when a statement takes too long', async () => {
    // As long as that, a busy machine may well let a transaction wait for its first statement, which would end it, too.
    const hasty = connect({ url: database.url, maxConnections: 1, maxStatementMs: 1_000 });
    const error = await hasty.begin((tx) => tx`SELECT pg_sleep(60)`).catch((error: unknown) => error);
    expect(explained(error)).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('too long') as string,
    });
    // Its connection goes on.
    expect(await hasty`SELECT 1 AS one`).toEqual([{ one: 1 }]);
    await hasty.end();
  });
});

describe('lost connections', () => {
  let relay: Relay;
  let far: Pool;
  beforeEach(async () => {
    const started = await Relay.start(database.url);
    relay = started.relay;
    far = connect({ url: started.url, maxConnections: 2 });
  });
  afterEach(async () => {
    await far.end();
    await relay.stop();
  });

  const cutAndHeal = (): void => {
    relay.setAway(true);
    relay.setAway(false);
  };
  const lost = expect.objectContaining({
    code: expect.stringMatching(/^(CONNECTION_LOST|ECONNRESET|EPIPE)$/) as string,
  });

  /** Whoever sends nothing, waits for an answer, or just now sends something, may be hit. */
  it.each<[string, (tx: Tx) => unknown]>([
    ['between statements', () => undefined],
    ['with statements on their way', (tx) => [tx`SELECT pg_sleep(60)`.execute(), tx`SELECT 2`.execute()]],
    [
      'with statements that are being sent',
      (tx) => setImmediate(() => [tx`SELECT 1`.execute(), tx`SELECT ${'x'.repeat(100_000)}`.execute()]),
    ],
  ])('fail their transactions %s, and are replaced', async (_, send) => {
    const failed = far.begin(async (tx) => {
      await tx`INSERT INTO things (id) VALUES (1)`;
      send(tx);
      cutAndHeal();
      await new Promise((resolve) => setImmediate(resolve));
      await tx`INSERT INTO things (id) VALUES (2)`;
    });
    expect(await failed.catch((error: unknown) => error)).toEqual(lost);
    expect([...(await far`SELECT 1 AS one`)]).toEqual([{ one: 1 }]);
    expect(await countThings()).toBe(0);
  });

  it('are replaced when they were idle', async () => {
    await Promise.all([far`SELECT 1`, far`SELECT 2`]);
    expect(relay.connections).toBe(2);
    cutAndHeal();
    // Each of the two may be used before its loss is noticed.
    for (let lost = 0; lost < 2; lost += 1) await far`SELECT 3`.catch(() => undefined);
    expect([...(await far`SELECT 4 AS four`)]).toEqual([{ four: 4 }]);
    expect(relay.connections).toBeGreaterThan(2);
  });

  it('are restored when the network is back', async () => {
    await far`SELECT 1`;
    relay.setAway(true);
    for (let call = 0; call < 5; call += 1) {
      const error = await far`SELECT 2`.catch((error: unknown) => error);
      expect(explained(error)).toMatchObject({ code: 'unavailable' });
    }
    relay.setAway(false);
    expect([...(await far`SELECT 3 AS three`)]).toEqual([{ three: 3 }]);
  });

  it('do not keep the pool from ending', async () => {
    const waiting = far`SELECT pg_sleep(60)`.catch((error: unknown) => error);
    await far`SELECT 1`;
    await far.end({ timeout: 0 });
    expect(await waiting).toEqual(lost);
  });
});
