import { performance } from 'node:perf_hooks';
import type { Clock } from '../src/domain/clock.ts';
import { connect, type Pool } from '../src/store/postgres/database.ts';
import { addressHash } from '../src/store/postgres/postgres-db.ts';
import { openPostgresStores } from '../src/store/postgres/open.ts';
import { leaseMs, saving } from '../tests/store/contracts/items/store-items.ts';
import { Relay } from '../tests/support/postgres/relay.ts';
import { PostgresServer, type TestDatabase } from '../tests/support/postgres/server.ts';
import { claimJob } from '../tests/support/store/claims.ts';

/*
 * What the rules of the store cost on PostgreSQL: saves and claims against bare statements that write the same rows.
 * `node bench/engines.ts [rounds]`. Both run in turn in one process on one server of its own, so their ratio says more than
 * the figures themselves. The server is on a socket of this machine: a network adds its delay to each round trip, which are counted.
 */

const rounds = Number(process.argv[2] ?? 5);
const savesInRound = 400;
const claimsInRound = 400;
const connections = 8;
const nodesOfClaims = 4;

const clock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  uptime: () => performance.now(),
  sleep: () => Promise.resolve(),
};

/** Calls each second. */
async function rate(calls: number, workers: number, call: (worker: number, at: number) => Promise<unknown>) {
  const started = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      while (next < calls) {
        next += 1;
        await call(worker, next);
      }
    }),
  );
  return (calls / (performance.now() - started)) * 1_000;
}

const median = (figures: number[]): number => figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;

function print(name: string, ours: number[], bare: number[]): void {
  const ratios = ours.map((figure, round) => figure / (bare[round] ?? 0));
  const columns = [median(ours), median(bare)].map((figure) => figure.toFixed(0).padStart(6));
  const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  process.stdout.write(
    `${name.padEnd(8)} ${columns[0]}/s, bare ${columns[1]}/s: ${median(ratios).toFixed(2)} (${spread})\n`,
  );
}

/** The rows of a save, one statement after the other, as a program without rules would write them. */
function bareSave(pool: Pool, account: string, address: string): Promise<void> {
  return pool.begin(async (sql) => {
    await sql`SELECT set_config('app.account', ${account}, true)`;
    const now = clock.now();
    const [item] = await sql<{ seq: number }[]>`
      INSERT INTO items (account_id, id, url, canonical_url, url_hash, created_at, updated_at)
      VALUES (${account}, ${address}, ${address}, ${address}, ${addressHash(address)}, ${now}, ${now}) RETURNING seq`;
    const seq = item?.seq ?? 0;
    await sql`INSERT INTO item_tags (account_id, item, folded, tag, ordinal) VALUES (${account}, ${seq}, 't', 't', 1)`;
    await sql`
      INSERT INTO jobs (account_id, item, id, stage, state, due_at)
      VALUES (${account}, ${seq}, ${address}, 'fetch', 'waiting', ${now})`;
    await sql`
      INSERT INTO waiting_work AS w (account_id, generation, waiting) VALUES (${account}, 1, true)
      ON CONFLICT (account_id) DO UPDATE SET generation = w.generation + 1`;
  });
}

function bareClaim(pool: Pool, account: string): Promise<unknown> {
  return pool.begin(async (sql) => {
    await sql`SELECT set_config('app.account', ${account}, true)`;
    await sql`
      UPDATE jobs SET state = 'claimed', lease_token = 't', due_at = ${clock.now() + leaseMs} WHERE (account_id, item) = (
        SELECT account_id, item FROM jobs WHERE account_id = ${account} AND due_at <= ${clock.now()}
        ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING *`;
  });
}

async function measureSaves(database: TestDatabase): Promise<void> {
  const stores = await openPostgresStores({ url: database.url, clock, maxConnections: connections });
  const pool = connect({ url: database.url, maxConnections: connections });
  const accounts = await Promise.all(
    Array.from({ length: connections }, () => stores.control.createAccount({ name: 'a', plan: 'pro' })),
  );
  const open = await Promise.all(accounts.map(({ id }) => stores.open(id)));
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round <= rounds; round += 1) {
    const address = (at: number, who: string) => `https://${who}.example/${round}/${at}`;
    const save = (worker: number, at: number) => open[worker]?.saveContent(saving(address(at, 'a'), { tags: ['t'] }));
    ours.push(await rate(savesInRound, connections, async (worker, at) => save(worker, at)));
    const write = (worker: number, at: number) => bareSave(pool, accounts[worker]?.id ?? '', address(at, 'b'));
    bare.push(await rate(savesInRound, connections, write));
  }
  // The first round makes connections and prepares statements.
  print('create', ours.slice(1), bare.slice(1));
  await Promise.all([stores.close(), pool.end()]);
}

async function measureClaims(database: TestDatabase): Promise<void> {
  const nodes = await Promise.all(
    Array.from({ length: nodesOfClaims }, async () => {
      const stores = await openPostgresStores({ url: database.url, clock, maxConnections: 2 });
      return { stores, pool: connect({ url: database.url, maxConnections: 2 }) };
    }),
  );
  const first = nodes[0];
  if (first === undefined) throw new Error('no nodes');
  const account = (await first.stores.control.createAccount({ name: 'a', plan: 'pro' })).id;
  const open = await Promise.all(nodes.map(({ stores }) => stores.open(account)));
  for (let at = 0; at < 2 * claimsInRound * (rounds + 1); at += 50)
    await Promise.all(
      Array.from({ length: 50 }, (_, more) => open[0]?.saveContent(saving(`https://c.example/${at + more}`))),
    );
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round <= rounds; round += 1) {
    const claim = (worker: number) => open[worker]?.claimJobs(leaseMs, 1);
    ours.push(await rate(claimsInRound, nodesOfClaims, async (worker) => claim(worker)));
    bare.push(
      await rate(claimsInRound, nodesOfClaims, async (worker) => bareClaim(nodes[worker]?.pool ?? first.pool, account)),
    );
  }
  print('claim', ours.slice(1), bare.slice(1));
  await Promise.all(nodes.map(({ stores, pool }) => Promise.all([stores.close(), pool.end()])));
}

/** Of one call on one connection that has made it before. */
async function countRoundTrips(database: TestDatabase): Promise<void> {
  const { relay, url } = await Relay.start(database.url);
  const stores = await openPostgresStores({ url, clock, maxConnections: 1 });
  const account = (await stores.control.createAccount({ name: 'a', plan: 'pro' })).id;
  const store = await stores.open(account);
  const pool = connect({ url, maxConnections: 1 });
  const calls: Record<string, (at: number) => Promise<unknown>> = {
    create: (at) => store.saveContent(saving(`https://d.example/${at}`, { tags: ['t'] })),
    'bare create': (at) => bareSave(pool, account, `https://e.example/${at}`),
    claim: () => claimJob(store, leaseMs),
    'bare claim': () => bareClaim(pool, account),
    read: () => store.listTags({ limit: 1, offset: 0 }),
  };
  const counts = [];
  for (const [name, call] of Object.entries(calls)) {
    await call(1);
    const before = relay.roundTrips;
    await call(2);
    counts.push(`${name} ${relay.roundTrips - before}`);
  }
  process.stdout.write(`round trips: ${counts.join(', ')}\n`);
  await Promise.all([stores.close(), pool.end()]);
  await relay.stop();
}

const server = await PostgresServer.start();
try {
  const database = await server.createDatabase();
  await countRoundTrips(database);
  await measureSaves(database);
  await measureClaims(database);
} finally {
  await server.stop();
}
