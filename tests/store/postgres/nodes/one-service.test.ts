import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSystemClock } from '../../../../src/workers/system-clock.ts';
import { localAccountId } from '../../../../src/domain/records/account.ts';
import type { ExportedItem } from '../../../../src/domain/records/transfers/exported.ts';
import type { LlmAnalyst } from '../../../../src/models/analysis/analyst.ts';
import { LlmAnalysisQueue } from '../../../../src/pipeline/llm-analysis-queue.ts';
import { QueueWorker } from '../../../../src/pipeline/queue/queue-worker.ts';
import { openPostgresStores } from '../../../../src/store/postgres/open.ts';
import type { Stores } from '../../../../src/store/store.ts';
import { resource, saving } from '../../contracts/items/store-items.ts';
import { openBrowser } from '../../../support/access/browser.ts';
import { ManualClock } from '../../../support/clock.ts';
import { addFinishedItem, paragraphs } from '../../../support/content.ts';
import { openTestServer } from '../../../support/test-server.ts';
import { PostgresServer, type TestDatabase } from '../../../support/postgres/server.ts';
import { connect, connected, statusWith, token } from '../../../support/access/raw-assistant.ts';
import { S3Server } from '../../../support/servers/s3-server.ts';
import { becomeOwner, openSignIn, sessionCookie, type SignInServer } from '../../../support/access/sign-in.ts';
import { keepSomething } from '../../../support/vitest/stages.ts';
import { rememberingLog, saveUrls } from '../../../support/store/stores.ts';
import { textWork } from '../../../support/texts/text-work.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

/* Nodes on one database are one service: whoever asks does not learn which of them answered. */

let server: PostgresServer;
let database: TestDatabase;
/** What has to end with the test, the last first. */
const closers: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  server = await PostgresServer.start();
});
afterAll(() => server.stop());
beforeEach(async () => {
  database = await server.createDatabase();
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await database.drop();
});

/** What a node adds to the address of the database. */
type More = Partial<Parameters<typeof openPostgresStores>[0]>;

async function openNode(more: More = {}): Promise<Stores> {
  const node = await openPostgresStores({ url: database.url, clock: new ManualClock(), maxConnections: 3, ...more });
  closers.push(() => node.close());
  return node as unknown as Stores;
}

describe('a person behind a balancer that sends each request to another node', () => {
  /** Two nodes behind one address, which take requests by turns. */
  async function serve(): Promise<{ service: SignInServer; nodes: SignInServer[] }> {
    const nodes: SignInServer[] = [];
    let asked = 0;
    const balancer = createServer((request, response) => {
      asked += 1;
      const { hostname, port } = new URL(nodes[asked % nodes.length]!.url);
      const { method, url: path, headers } = request;
      const passed = sendRequest({ hostname, port, method, path, headers }, (answered) => {
        response.writeHead(answered.statusCode!, answered.rawHeaders);
        answered.pipe(response);
      });
      request.pipe(passed);
    });
    balancer.listen(0, '127.0.0.1');
    await once(balancer, 'listening');
    closers.push(async () => balancer.close());
    const url = `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`;
    for (let at = 0; at < 2; at += 1) {
      const environment = { COMMONPLACE_DATABASE_URL: database.url };
      const { testServer, close } = await openSignIn({ publicUrl: url }, {}, environment);
      closers.push(close);
      nodes.push(testServer);
    }
    const service = { ...nodes[0]!, url, browser: openBrowser(url) };
    await becomeOwner(service);
    return { service, nodes };
  }

  it('is signed in on all nodes, and signs out of all', async () => {
    const { service, nodes } = await serve();
    const { browser } = service;
    const cookie = `${sessionCookie}=${browser.cookies.get(sessionCookie)}`;
    const shown = () => Promise.all(nodes.map(({ url }) => openBrowser(url).get('/account', { cookie })));
    for (const { status, text } of await shown()) expect([status, text]).toEqual([200, expect.stringContaining('Ann')]);
    await browser.get('/account');
    // The form that one node has drawn is taken by the other one.
    expect((await browser.post('/sign-out', {})).status).toBe(303);
    for (const { status, location } of await shown())
      expect([status, location]).toEqual([303, expect.stringContaining('/sign-in')]);
  });

  it('connects an assistant on all nodes, and disconnects it from all', async () => {
    const { service, nodes } = await serve();
    const { access, refresh } = await connected(service);
    const statuses = (token: string) => Promise.all(nodes.map(({ url }) => statusWith(url, token)));
    expect(await statuses(access)).toEqual([200, 200]);
    const again = await refresh();
    expect(again.status).toBe(200);
    const second = again.body['access_token'] ?? '';
    expect(await statuses(second)).toEqual([200, 200]);

    const [grant] = await nodes[1]!.app.assistants.list(localAccountId);
    await service.browser.get('/account');
    await service.browser.post('/account/assistants/end', { id: grant?.id ?? '' });
    expect([await statuses(access), await statuses(second)]).toEqual([
      [401, 401],
      [401, 401],
    ]);
    expect((await refresh(again.body['refresh_token'])).status).toBe(400);
  });

  it('gives an assistant one token for a code, at whichever nodes it is sent concurrently', async () => {
    const { service, nodes } = await serve();
    const { exchange } = await connect(service);
    const outcomes = await Promise.all([0, 1, 0, 1].map((at) => token(nodes[at]!.url, exchange)));
    const given = outcomes.filter(({ status }) => status === 200);
    expect(given.length).toBeLessThanOrEqual(1);
    // A code that comes twice was stolen by somebody: what the first one got ends.
    for (const { body } of given) expect(await statusWith(service.url, body['access_token'] ?? '')).toBe(401);
    expect((await connected(service)).access).not.toBe('');
  });
});

describe('accounts', () => {
  it('take turns over all nodes: an import of one does not delay saves of another', async () => {
    const nodes = [await openNode(), await openNode(), await openNode()];
    const [first] = nodes;
    const { id } = await first!.control.createAccount({ name: 'Another', plan: 'pro' });
    const [importing, saver] = [await first!.open(localAccountId), await first!.open(id)];
    const addresses = Array.from({ length: 100 }, (_, at) => `https://site-${at}.example/`);
    await importing.importContent(
      addresses.map((url) => ({ url, canonicalUrl: url, title: null, tags: [], notes: null, createdAt: null })),
    );
    const order: string[] = [];
    const byHand = Array.from({ length: 6 }, (_, at) => `https://by-hand-${at}.example/`);
    let saved: Promise<unknown> | null = null;
    let savedAfter = 0;
    const workers = nodes.map(
      (stores) =>
        new QueueWorker({
          stores,
          runStage: async (store, claim) => {
            if (claim.stage === 'extract') order.push(claim.url);
            if (order.length === 40) saved ??= saveUrls(saver, byHand).then(() => (savedAfter = order.length));
            return keepSomething(store, claim);
          },
          takeTurn: () => Promise.resolve(true),
          doMaintenance: () => Promise.resolve(),
          hosts: { busyHosts: () => [] },
          clock: createSystemClock(),
          log: rememberingLog(),
          random: () => 0.5,
          settings: { concurrency: 2, maxAttempts: 3, leaseMs: 60_000, pollMs: 20 },
        }),
    );
    closers.push(() => Promise.all(workers.map((worker) => worker.stop())));
    await Promise.all(workers.map((worker) => worker.runUntilEmpty()));
    await saved;
    await workers[0]!.runUntilEmpty();
    expect(order.toSorted()).toEqual([...addresses, ...byHand].toSorted());
    const last = Math.max(...byHand.map((address) => order.indexOf(address)));
    // What all nodes had claimed when they came, and as many of the import as of theirs since then.
    expect(last - savedAfter).toBeLessThan(40);
  });
});

describe('the budget for models', () => {
  it('is shared by all nodes, and runs out for all at once', async () => {
    const clock = new ManualClock();
    const nodes = [await openNode({ clock }), await openNode({ clock }), await openNode({ clock })];
    const store = await nodes[0]!.open(localAccountId);
    for (let at = 0; at < 12; at += 1)
      await addFinishedItem(store, {
        url: `https://example.com/${at}`,
        blocks: paragraphs(`Text number ${at} about walking in the hills.`),
        about: { title: `Walk ${at}` },
      });
    const analysed: string[] = [];
    let together: PromiseWithResolvers<void> | null = Promise.withResolvers<void>();
    const queues = nodes.map(
      (stores) =>
        new LlmAnalysisQueue({
          stores,
          llmAnalyst: writerThat(async (text) => {
            analysed.push(text);
            // The first ones of all three are under way at the same time.
            if (analysed.length === 3) together?.resolve();
            await together?.promise;
          }),
          place: textWork.place,
          clock,
          log: rememberingLog(),
          costMicrosPerDay: 50,
          concurrency: 1,
          maxAttempts: 3,
        }),
    );
    const done = await Promise.all(queues.map((queue) => queue.runUntilEmpty()));
    expect(done.reduce((sum, one) => sum + one, 0)).toBe(analysed.length);
    expect(new Set(analysed).size).toBe(analysed.length);
    // 10 millionths of a dollar each. Each node may have begun one before it was told that the others had spent the rest.
    expect(analysed.length).toBeGreaterThanOrEqual(5);
    expect(analysed.length).toBeLessThanOrEqual(7);
    for (const queue of queues) expect(await queue.whyWaiting()).toContain('budget is spent');
    const used = await nodes[2]!.control.usageToday();
    expect(used.inputTokens + used.outputTokens).toBe(1_000 * analysed.length);
    together = null;
    clock.advance(24 * 60 * 60_000);
    for (const queue of queues) expect(await queue.whyWaiting()).toBeNull();
  });

  /** A model that uses 1000 tokens for each text. */
  function writerThat(reads: (text: string) => Promise<void>): LlmAnalyst {
    const usage = { inputTokens: 900, outputTokens: 100, costMicros: 10 };
    return {
      by: 'claude',
      model: 'test',
      promptVersion: '1',
      estimate: () => usage,
      async analyse({ text }, _goals, _signal, onUsage) {
        await reads(text);
        await onUsage(usage);
        return { analysis: { summary: text, insights: [], actions: [], droppedQuotes: 0 }, usage, unread: null };
      },
    };
  }
});

describe('an export', () => {
  it('has the originals in an object store, byte for byte, and is not written without one of them', async () => {
    const s3 = await S3Server.start();
    closers.push(() => s3.stop());
    const { path, remove } = temporaryFolder();
    closers.push(remove);
    const objects = s3.open();
    const saver = await openNode({ objects });
    const store = await saver.open(localAccountId);
    const originals = [resource('x', '', { bytes: randomBytes(60_000) }), resource('y', 'A small one.')];
    for (const [at, original] of originals.entries())
      await store.saveContent(saving(`https://example.org/${at}`, { original }));
    expect(await objects.list(localAccountId)).toHaveLength(1);

    // At another node than the one that saved them.
    const environment = {
      COMMONPLACE_DATABASE_URL: database.url,
      COMMONPLACE_OBJECT_STORE_URL: s3.url,
    };
    const { app, close } = await openTestServer({ embedder: 'none' }, {}, environment);
    closers.push(close);
    const { signal } = new AbortController();
    const exportTo = (place: string) =>
      app.exporting.exportFolder(localAccountId, { place, signal, onProgress: () => undefined });
    const whole = join(path, 'whole');
    expect(await exportTo(whole)).toMatchObject({ items: 2 });
    const items = gunzipSync(readFileSync(join(whole, 'records/items.jsonl.gz')))
      .toString()
      .trim()
      .split('\n');
    for (const [at, line] of items.entries()) {
      const [about] = (JSON.parse(line) as ExportedItem).originals;
      const bytes = readFileSync(join(whole, about!.file));
      expect(bytes.equals(originals[at]!.bytes)).toBe(true);
      expect(about!.hash).toBe(createHash('sha256').update(bytes).digest('hex'));
    }

    const [name] = await objects.list(localAccountId);
    await objects.delete({ account: localAccountId, name: name! });
    await expect(exportTo(join(path, 'without'))).rejects.toMatchObject({ code: 'unavailable' });
    expect(existsSync(join(path, 'without'))).toBe(false);
    expect(existsSync(whole)).toBe(true);
  });
});
