/*
 * Searches of a node that serves 1,000 accounts, against an account of the same size alone on a node:
 *
 *   npm run build && node bench/search-accounts.ts [accounts] [passages of all] [passages of the largest]
 *
 * Sizes are Zipf's (rank r has a share of 1/r), but none above the largest: that one is built, and the others are made of
 * its first items in the database. Questions go to accounts as often as these are large, one at a time. PostgreSQL is on
 * a socket of this machine.
 */
import { performance } from 'node:perf_hooks';
import { percentile } from './retrieval/metrics.ts';
import { createLog } from '../src/workers/log.ts';
import { createSearchService } from '../src/services/search/search.ts';
import { connect } from '../src/store/postgres/database.ts';
import type { Stores } from '../src/store/store.ts';
import { withStatistics } from '../tests/support/postgres/server.ts';
import { clock, startNodes } from './postgres-nodes.ts';
import { createRandom, embedderOf, fillAccount, question } from './search-account.ts';
import { createVectorSource } from './synthetic-vectors.ts';

const [accountCount = 1_000, total = 200_000, largest = 10_000] = process.argv.slice(2).map(Number);
const searches = 3_000;
const searchesAlone = 200;
const never = new AbortController().signal;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** In tens, as items have ten passages. */
function zipfSizes(): number[] {
  const sizesAt = (scale: number) =>
    Array.from({ length: accountCount }, (_, rank) =>
      Math.max(10, Math.round(Math.min(largest, scale / (rank + 1)) / 10) * 10),
    );
  let scale = 10;
  while (sizesAt(scale).reduce((sum, size) => sum + size, 0) < total) scale *= 1.01;
  return sizesAt(scale);
}

const { server, database, openNode, stop } = await startNodes(withStatistics);

function searcher(stores: Stores): (account: string) => Promise<number> {
  const random = createRandom(42);
  const vectors = createVectorSource('clustered', largest);
  const service = createSearchService(stores, embedderOf(vectors), clock, createLog('error'));
  return async (account) => {
    const began = performance.now();
    await service.search(account, { query: question(random), limit: 10, maxTokens: 4_000 }, never);
    return performance.now() - began;
  };
}

/** Gives accounts the first items of `local`, as a restore would: what searches read, without triggers. */
async function makeOthers(stores: Stores, sizes: readonly number[]): Promise<string[]> {
  const admin = connect({ url: server.adminUrl(database), maxConnections: 1 });
  const conditions = {
    items: 'seq <= $2',
    item_tags: 'item <= $2',
    documents: 'item <= $2',
    passages: 'item <= $2',
    vectors: `passage IN (SELECT id FROM passages WHERE account_id = 'local' AND item <= $2)`,
    index_changes: 'item <= $2',
  };
  const ids: string[] = [];
  const columnsOf = async (table: string): Promise<string[]> => {
    const rows = await admin<{ name: string }[]>`
      SELECT column_name AS name FROM information_schema.columns
      WHERE table_name = ${table} AND column_name <> 'account_id' AND is_generated = 'NEVER'`;
    return rows.map(({ name }) => `"${name}"`);
  };
  const copies = [];
  for (const [table, condition] of Object.entries(conditions)) {
    const columns = (await columnsOf(table)).join(', ');
    copies.push(
      `INSERT INTO ${table} (account_id, ${columns}) OVERRIDING SYSTEM VALUE
       SELECT $1, ${columns} FROM ${table} WHERE account_id = 'local' AND ${condition}`,
    );
  }
  await admin.unsafe('SET session_replication_role = replica');
  for (const size of sizes) {
    const { id } = await stores.control.createAccount({ name: 'z', plan: 'pro' });
    for (const copy of copies) await admin.unsafe(copy, [id, size / 10]);
    await admin`
      UPDATE libraries l SET index_change = o.index_change, last_item = o.last_item, last_passage = o.last_passage
      FROM libraries o WHERE o.account_id = 'local' AND l.account_id = ${id}`;
    ids.push(id);
  }
  await admin.unsafe('ANALYZE');
  await admin.end();
  return ids;
}

const classes = [
  { name: '5,000 and more', from: 5_000 },
  { name: '1,000 to 5,000', from: 1_000 },
  { name: '200 to 1,000', from: 200 },
  { name: 'below 200', from: 0 },
];
const classOf = (size: number): number => classes.findIndex(({ from }) => size >= from);

const node = await openNode('all');
try {
  await fillAccount(await node.open('local'), largest);
  const sizes = zipfSizes();
  const ids = await makeOthers(node, sizes);
  const accounts = sizes.map((size, rank) => ({ size, id: ids[rank] ?? '' }));
  const sum = sizes.reduce((all, size) => all + size, 0);
  print(`${accountCount} accounts with ${sum} passages, ${sizes[0]} to ${sizes.at(-1)}`);

  const ask = searcher(node);
  const began = performance.now();
  for (const { id } of accounts) await ask(id);
  print(`first searches of all, one after the other: ${((performance.now() - began) / 1_000).toFixed(0)} s`);

  const random = createRandom(7);
  const pick = () => {
    let place = random() * sum;
    return accounts.find(({ size }) => (place -= size) < 0) ?? { size: 0, id: ids[0] ?? '' };
  };
  const warm = classes.map((): number[] => []);
  for (let n = 0; n < searches; n += 1) {
    const { size, id } = pick();
    warm[classOf(size)]?.push(await ask(id));
  }
  for (const [at, { name }] of classes.entries()) {
    const ofClass = accounts.filter(({ size }) => classOf(size) === at);
    // The one in the middle.
    const one = ofClass[Math.floor(ofClass.length / 2)];
    if (one === undefined) continue;
    const alone = await openNode(`alone-${at}`);
    const askAlone = searcher(alone);
    for (let n = 0; n < 20; n += 1) await askAlone(one.id);
    const times = [];
    for (let n = 0; n < searchesAlone; n += 1) times.push(await askAlone(one.id));
    await alone.close();
    const [p95, p50] = [percentile(warm[at] ?? [], 0.95), percentile(times, 0.5)];
    print(
      `${name} passages: ${ofClass.length} accounts, ${warm[at]?.length} searches, p50 ${percentile(warm[at] ?? [], 0.5).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms; ` +
        `one of ${one.size} alone p50 ${p50.toFixed(1)} ms; p95 / p50 alone ${(p95 / p50).toFixed(1)}`,
    );
  }
} finally {
  await node.close();
  await stop();
}
