import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { turnsBy } from '../../../../src/app/installations/postgres-installation.ts';
import { createLimits } from '../../../../src/http/incoming/limits.ts';
import { DatabaseTime } from '../../../../src/store/postgres/driver/connection.ts';
import { openPostgresStores } from '../../../../src/store/postgres/open.ts';
import { saving } from '../../contracts/items/store-items.ts';
import { ManualClock } from '../../../support/clock.ts';
import { Relay } from '../../../support/postgres/relay.ts';
import { PostgresServer, type TestDatabase } from '../../../support/postgres/server.ts';
import { claimJob } from '../../../support/store/claims.ts';

/* What nodes on one database share besides records: the time, wake-ups and limits. */

type Node = Awaited<ReturnType<typeof openPostgresStores>>;

let server: PostgresServer;
let database: TestDatabase;
const clock = new ManualClock();
const nodes: Node[] = [];

beforeAll(async () => {
  server = await PostgresServer.start();
});
afterAll(() => server.stop());
beforeEach(async () => {
  database = await server.createDatabase();
});
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.close()));
  await database.drop();
});

async function startNode(more: Partial<Parameters<typeof openPostgresStores>[0]> = {}): Promise<Node> {
  const node = await openPostgresStores({ url: database.url, clock, maxConnections: 2, ...more });
  nodes.push(node);
  return node;
}

/** Counts calls, and lets a test wait for the next one. */
class Wakes {
  count = 0;
  #waiting: (() => void)[] = [];
  readonly wake = (): void => {
    this.count += 1;
    for (const go of this.#waiting.splice(0)) go();
  };
  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/** A node that listens: it is woken once when it begins. */
async function listening(more: Parameters<typeof startNode>[0] = {}): Promise<{ node: Node; wakes: Wakes }> {
  const node = await startNode(more);
  const wakes = new Wakes();
  const begun = wakes.next();
  node.onWork(wakes.wake);
  await begun;
  return { node, wakes };
}

it('one node does the due work for all, and another may do it the next time', async () => {
  const turns = await Promise.all([1, 2, 3].map(async () => turnsBy((await startNode()).makeLimiter)));
  const takeAll = (name: string) => Promise.all(turns.map((takeTurn) => takeTurn(name, 1_000)));
  for (const name of ['removals', 'vectors']) expect((await takeAll(name)).toSorted()).toEqual([false, false, true]);
  await expect.poll(() => turns[2]!('removals', 1_000)).toBe(true);
});

describe('work notifications', () => {
  it('wake other nodes', async () => {
    const own = new ManualClock();
    const { wakes } = await listening();
    const saver = await startNode({ clock: own });
    const woken = wakes.next();
    await (await saver.open('local')).saveContent(saving('https://a.example/'));
    await woken;
    expect(wakes.count).toBe(2);
    await own.untilAsleep();
    own.advance(250);
    const announced = wakes.next();
    await saver.control.announceWork('local');
    await announced;
  });

  it('are few, however much is saved, and include the last save', async () => {
    const own = new ManualClock();
    const { wakes } = await listening();
    const saver = await startNode({ clock: own });
    const store = await saver.open('local');
    const first = wakes.next();
    for (let at = 0; at < 20; at += 1) await store.saveContent(saving(`https://a.example/${at}`));
    await first;
    await own.untilAsleep();
    const last = wakes.next();
    own.advance(250);
    await last;
    await own.untilAsleep();
    expect(wakes.count).toBe(3);
  });

  it('resume after a lost connection, with one for the missed ones', async () => {
    const own = new ManualClock();
    const { relay, url } = await Relay.start(database.url);
    const { wakes, node } = await listening({ url, clock: own });
    relay.setAway(true);
    await own.untilAsleep(1_000);
    relay.setAway(false);
    const again = wakes.next();
    own.advance(1_000);
    await again;
    const woken = wakes.next();
    await (await startNode()).control.announceWork('local');
    await woken;
    expect(wakes.count).toBe(3);
    await node.close();
    await relay.stop();
  });

  it('are not used behind a pooler, where none could arrive', async () => {
    const { relay, url } = await Relay.start(database.url, { isPooler: true });
    const node = await startNode({ url });
    const wakes = new Wakes();
    const before = relay.connections;
    node.onWork(wakes.wake);
    await expect.poll(() => relay.closed).toBe(1);
    expect(relay.connections).toBe(before + 1);
    await (await node.open('local')).saveContent(saving('https://a.example/'));
    expect(await node.control.accountsWithWork()).toHaveLength(1);
    expect(wakes.count).toBe(0);
    await node.close();
    await relay.stop();
  });
});

describe('limits', () => {
  it('count the requests to all nodes', async () => {
    const [one, two] = [await startNode(), await startNode()];
    const settings = { rateLimitPerMinute: 4 };
    const [first, second] = [one, two].map(({ makeLimiter }) => createLimits(settings, makeLimiter, 2));
    for (const limits of [first!, second!, first!]) await limits.countRequest('token', null);
    expect((await second!.countRequest('token', null))?.state).toMatch(/^"token";r=0;t=/);
    for (const limits of [first!, second!, second!])
      await expect(limits.countRequest('token', null)).rejects.toMatchObject({ code: 'rate_limited' });
    await second!.countRequest('another', null);
    await first!.countRequest('key', 2);
    await second!.countRequest('key', 2);
    await expect(first!.countRequest('key', 2)).rejects.toMatchObject({ code: 'rate_limited' });
    await first!.countFailure('192.0.2.1');
    await second!.checkAddress('192.0.2.1');
    await second!.countFailure('192.0.2.1');
    await expect(first!.checkAddress('192.0.2.1')).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('apply within each node while the database is unavailable', async () => {
    const { relay, url } = await Relay.start(database.url);
    const node = await startNode({ url });
    relay.setAway(true);
    const limits = createLimits({ rateLimitPerMinute: 2 }, node.makeLimiter);
    for (const rest of [1, 0]) expect((await limits.countRequest('token', null))?.state).toContain(`r=${rest}`);
    await expect(limits.countRequest('token', null)).rejects.toMatchObject({ code: 'rate_limited' });
    await node.close();
    await relay.stop();
  });
});

describe('the time', () => {
  it("of leases comes from the database, however wrong a machine's clock is", async () => {
    const anHour = 60 * 60_000;
    const [behind, ahead] = [new ManualClock(Date.now() - anHour), new ManualClock(Date.now() + anHour)];
    const one = await startNode({ clock: behind, usesDatabaseTime: true });
    const two = await startNode({ clock: ahead, usesDatabaseTime: true });
    expect(Math.abs(one.clock.now() - two.clock.now())).toBeLessThan(anHour / 2);
    const [first, second] = await Promise.all([one.open('local'), two.open('local')]);
    await first.saveContent(saving('https://a.example/'));
    const claim = (await claimJob(first, anHour / 2))!;
    expect(await claimJob(second, 1_000)).toBeNull();
    expect(await first.renewLease(claim, anHour / 2)).toBe(true);
    expect(await second.countJobs()).toMatchObject({ running: 1 });
  });

  it("advances evenly between transactions, and follows the database's clock", () => {
    let elapsed = 1_000;
    const time = new DatabaseTime(() => elapsed);
    expect(() => time.now()).toThrow('no transaction');
    // Asked at 1000 and answered at 1010: the database read its clock somewhere between.
    elapsed = 1_010;
    time.note(500_000, 1_000);
    expect(time.now()).toBe(500_005);
    elapsed = 2_010;
    expect(time.now()).toBe(501_005);
    // An answer that arrived late says nothing new.
    time.note(500_500, 1_500);
    expect(time.now()).toBe(501_005);
    // A narrower one does: it was read at 2010 or before, and not before 2009.
    time.note(501_002, 2_009);
    expect(time.now()).toBe(501_003);
    // The clock was set.
    time.note(900_000, 2_008);
    expect(time.now()).toBe(900_000);
  });
});
