import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Clock } from '../src/domain/clock.ts';
import { connect } from '../src/store/postgres/database.ts';
import { openPostgresStores } from '../src/store/postgres/open.ts';
import { resource, saving } from '../tests/store/contracts/items/store-items.ts';
import { PostgresServer, type TestDatabase } from '../tests/support/postgres/server.ts';

/*
 * What a second server adds on one database: items read, split and analysed each second by one and by two servers, in
 * turns. Each server may use a share of one processor, so that neither the machine nor the database is the limit. Needs
 * Linux with version 1 of control groups, and root.
 *
 * npm run build && node bench/nodes.ts [--rounds 2] [--share 40] [--accounts 8] [--items 60]
 */

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '2' },
    /** Percent of one processor for each server. */
    share: { type: 'string', default: '40' },
    accounts: { type: 'string', default: '8' },
    /** Of each account. */
    items: { type: 'string', default: '60' },
  },
});
const [rounds, share, accounts, items] = [values.rounds, values.share, values.accounts, values.items].map(Number) as [
  number,
  number,
  number,
  number,
];
const total = accounts * items;
/** Items that are done when the clock starts and stops, so that neither starting a server nor its last items count. */
const [from, to] = [Math.ceil(total * 0.15), Math.floor(total * 0.9)];
const clock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  uptime: () => performance.now(),
  sleep: () => Promise.resolve(),
};

const words =
  'the fox is hungry in winter and keeps to its den when snow lies on the fields around our small village'.split(' ');

/** A page of some 800 words, another one for each number. */
function page(at: number): string {
  let state = at + 1;
  const next = () => (state = (state * 48_271) % 2_147_483_647);
  const paragraphs = Array.from({ length: 12 }, () => {
    const text = Array.from({ length: 66 }, () => words[next() % words.length]).join(' ');
    return `<p>${text} ${next()}.</p>`;
  });
  return `<html lang="en"><title>Foxes ${at}</title><body><article><h1>Foxes ${at}</h1>${paragraphs.join('\n')}</article></body></html>`;
}

async function fill(database: TestDatabase): Promise<void> {
  const stores = await openPostgresStores({ url: database.url, clock });
  for (let account = 0; account < accounts; account += 1) {
    const { id } = await stores.control.createAccount({ name: `Account ${account}`, plan: 'pro' });
    const store = await stores.open(id);
    for (let at = 0; at < items; at += 1) {
      const url = `https://example.org/${account}/${at}`;
      await store.saveContent(saving(url, { original: resource(url, page(account * items + at)) }));
    }
  }
  await stores.close();
}

const groupOf = (at: number) => `/sys/fs/cgroup/cpu/commonplace-bench-${process.pid}-${at}`;

function startNode(database: TestDatabase, folder: string, at: number): ChildProcess {
  const group = groupOf(at);
  mkdirSync(group, { recursive: true });
  writeFileSync(join(group, 'cpu.cfs_quota_us'), String(share * 1_000));
  const program = ['dist/main.js', 'serve', '--port', '0', '--data', join(folder, String(at))];
  return spawn('sh', ['-c', `echo $$ > ${group}/cgroup.procs; exec "$0" "$@"`, process.execPath, ...program], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      COMMONPLACE_DATABASE_URL: database.url,
      COMMONPLACE_EMBEDDER: 'none',
      COMMONPLACE_LOG_LEVEL: 'error',
    },
  });
}

/** @returns items each second, and bytes of the database for each item that is done */
async function measure(server: PostgresServer, nodes: number): Promise<{ rate: number; itemBytes: number }> {
  const database = await server.createDatabase();
  const admin = connect({ url: server.adminUrl(database), maxConnections: 1 });
  const size = async () => {
    const [row] = await admin<{ bytes: number }[]>`SELECT pg_database_size(current_database())::float8 AS bytes`;
    return row?.bytes ?? 0;
  };
  const empty = await size();
  await fill(database);
  const done = async () => {
    const [row] = await admin<{ count: number }[]>`SELECT count(*)::int AS count FROM items WHERE state = 'completed'`;
    return row?.count ?? 0;
  };
  const folder = mkdtempSync(join(tmpdir(), 'bench-nodes-'));
  const running = Array.from({ length: nodes }, (_, at) => startNode(database, folder, at));
  const reached = async (count: number) => {
    for (;;) {
      const have = await done();
      if (have >= count) return { have, at: performance.now() };
      await delay(100);
    }
  };
  const [first, last] = [await reached(from), await reached(to)];
  for (const [at, node] of running.entries()) {
    node.kill('SIGTERM');
    await once(node, 'exit');
    rmdirSync(groupOf(at));
  }
  const itemBytes = ((await size()) - empty) / total;
  await admin.end();
  await database.drop();
  rmSync(folder, { recursive: true });
  return { rate: ((last.have - first.have) / (last.at - first.at)) * 1_000, itemBytes };
}

const server = await PostgresServer.start();
try {
  for (let round = 1; round <= rounds; round += 1) {
    const one = await measure(server, 1);
    const two = await measure(server, 2);
    process.stdout.write(
      `round ${round}: one server ${one.rate.toFixed(1)} items/s, two ${two.rate.toFixed(1)}, ratio ${(two.rate / one.rate).toFixed(2)}; ${(two.itemBytes / 1_000).toFixed(1)} kB of the database for each item of 800 words\n`,
    );
  }
} finally {
  await server.stop();
}
