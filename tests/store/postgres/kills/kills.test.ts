import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect, type Pool } from '../../../../src/store/postgres/database.ts';
import { openPostgresStores } from '../../../../src/store/postgres/open.ts';
import type { Store } from '../../../../src/store/store.ts';
import { leaseMs } from '../../contracts/items/store-items.ts';
import { ManualClock } from '../../../support/clock.ts';
import { Relay } from '../../../support/postgres/relay.ts';
import { PostgresServer, type TestDatabase, withStatistics } from '../../../support/postgres/server.ts';
import { type NodeMessage, processClaim, quoteOf, textOf } from '../nodes/working-node.ts';
import { claimJob } from '../../../support/store/claims.ts';

/*
 * Three nodes save and work while connections are cut, nodes and the server are killed, and the network goes away. What
 * was acknowledged is there afterwards, and everything once.
 *
 * KILLS=200 vitest run tests/store/postgres/kills/kills.test.ts: so many, 100 answers apart, and the network is away for five
 * seconds each time.
 */

const wish = process.env['KILLS'];
const maxBlows = Number(wish ?? 24);
const awayMs = wish === undefined ? 0 : 5_000;
const callsBetweenBlows = wish === undefined ? 6 : 100;
const blows = ['cut', 'kill', 'terminate', 'crash', 'cut', 'kill', 'terminate', 'away'] as const;
const names = ['one', 'two', 'three'];

let server: PostgresServer;
let database: TestDatabase;
let relay: Relay;
let url: string;
let admin: Pool;

beforeAll(async () => {
  // Without statistics, a thousand items are written a hundred times slower than a few.
  server = await PostgresServer.start(wish === undefined ? [] : withStatistics);
  database = await server.createDatabase();
  ({ relay, url } = await Relay.start(database.url));
  admin = connect({ url: server.adminUrl(database), maxConnections: 1 });
});
afterAll(async () => {
  await admin.end();
  await relay.stop();
  await server.stop();
});

/** What nodes were told, and so must be true. */
const saved = new Map<string, string>();
const processed = new Set<string>();
const claimed: string[] = [];
const counts = { refused: 0, lost: 0 };

class Node {
  readonly name: string;
  #process: ChildProcess;
  #savedBefore = 0;
  #isKilled = false;
  refused = 0;

  constructor(name: string) {
    this.name = name;
    this.#process = this.#start();
  }

  #start(): ChildProcess {
    const program = fileURLToPath(new URL('../nodes/working-node.ts', import.meta.url));
    const child = fork(program, [url, this.name, String(this.#savedBefore)], { execArgv: [] });
    child.on('message', (message: NodeMessage) => this.#hear(message));
    child.on('exit', (code) => {
      // Nobody but this test ends a node.
      if (code !== 0 && !this.#isKilled) counts.lost += 1;
    });
    return child;
  }

  #hear(message: NodeMessage): void {
    if (message.kind === 'saved') {
      saved.set(message.address, message.id);
      this.#savedBefore += 1;
    } else if (message.kind === 'claimed') claimed.push(`${message.contentId} ${message.isFetch}`);
    else if (message.kind === 'processed') processed.add(message.contentId);
    else if (message.kind === 'refused') {
      this.refused += 1;
      counts.refused += 1;
    }
    if (message.kind !== 'refused') onAnswer();
  }

  async kill(): Promise<void> {
    this.#isKilled = true;
    this.#process.kill('SIGKILL');
    await once(this.#process, 'exit');
    this.#isKilled = false;
    this.#process = this.#start();
  }

  async finish(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.send('finish');
    await ended;
  }
}

let onAnswer = (): void => undefined;

it(
  'killed nodes lose nothing acknowledged and do nothing twice',
  async () => {
    const started = Date.now();
    const nodes = names.map((name) => new Node(name));
    const strike = async (number: number): Promise<void> => {
      const node = nodes[number % nodes.length]!;
      switch (blows[number % blows.length]!) {
        case 'cut':
          relay.setAway(true);
          return relay.setAway(false);
        case 'kill':
          return node.kill();
        case 'terminate':
          return terminateAll();
        case 'crash':
          return server.crash();
        case 'away': {
          const before = node.refused;
          relay.setAway(true);
          await pause(awayMs);
          while (node.refused - before < 3) await pause(5);
          return relay.setAway(false);
        }
      }
    };

    let struck = 0;
    let answered = 0;
    await new Promise<void>((resolve, reject) => {
      let answers = 0;
      let isStriking = false;
      onAnswer = () => {
        answers += 1;
        answered += 1;
        if (isStriking || answers < callsBetweenBlows) return;
        if (struck === maxBlows) return resolve();
        answers = 0;
        isStriking = true;
        strike(struck).then(() => (isStriking = false), reject);
        struck += 1;
      };
    });
    await Promise.all(nodes.map((node) => node.finish()));
    const seconds = (Date.now() - started) / 1_000;

    expect(counts.lost, 'nodes that ended by themselves').toBe(0);
    expect(counts.refused).toBeGreaterThan(0);
    expect(new Set(claimed).size, 'nothing is handed out twice while its lease lasts').toBe(claimed.length);
    await finishAll();
    await expectEverythingOnce();
    if (wish !== undefined)
      process.stdout.write(
        `${answered} answers, ${struck} blows in ${seconds} s: ${saved.size} saves acknowledged, ${processed.size} items processed, ${counts.refused} calls refused\n`,
      );
  },
  30 * 60_000,
);

/** As an administrator does: the server says why it goes. */
async function terminateAll(): Promise<void> {
  const terminate = () => admin`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`;
  // The administrator's own connection may have gone with the server before.
  await terminate().catch(terminate);
}

/** When leases have run out, somebody does what killed nodes left. */
async function finishAll(): Promise<void> {
  const clock = new ManualClock();
  const stores = await openPostgresStores({ url: database.url, clock });
  clock.advance(leaseMs + 1);
  const store = (await stores.open('local')) as unknown as Store;
  for (let claim = await claimJob(store, leaseMs); claim !== null; claim = await claimJob(store, leaseMs))
    await processClaim(store, claim);
  expect(await store.countJobs()).toMatchObject({ waiting: 0, running: 0, failed: {} });
  for (const [address, id] of saved) {
    const item = await store.getContent(id);
    expect([item?.url, item?.status]).toEqual([address, 'completed']);
    expect((await store.readText(id))?.text).toBe(textOf(address));
  }
  await stores.close();
}

async function expectEverythingOnce(): Promise<void> {
  const items = await admin<{ id: string; url: string; jobs: number; documents: number; texts: string[] }[]>`
    SELECT i.id, i.url,
      (SELECT count(*) FROM jobs j WHERE j.item = i.seq AND j.state = 'done') AS jobs,
      (SELECT count(*) FROM documents d WHERE d.item = i.seq) AS documents,
      (SELECT count(*) FROM originals o WHERE o.item = i.seq) AS originals,
      (SELECT count(*) FROM passages p WHERE p.item = i.seq) AS passages,
      (SELECT array_agg(a.title) FROM actions a WHERE a.item = i.seq) AS actions
    FROM items i ORDER BY i.seq`;
  // One save of each node that was killed may have been done without being acknowledged; then its address was saved again.
  expect(items.map(({ url }) => url).toSorted()).toEqual([...saved.keys()].toSorted());
  const once = { jobs: 1, documents: 1, originals: 1, passages: 1 };
  for (const item of items)
    expect(item).toEqual({ id: saved.get(item.url), url: item.url, ...once, actions: [quoteOf(item.url)] });
}
