import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localAccountId } from '../../../src/domain/records/account.ts';
import { openTestServer } from '../../support/test-server.ts';
import { type Route, serve, type Site, startSite } from '../../support/servers/site.ts';

/*
 * Local sites stand for hosts: those on other ports are other hosts. Nothing is asserted of how long it takes: what hangs here
 * hangs for as long as the test runs.
 */

let testServer: Awaited<ReturnType<typeof openTestServer>>;
const sites: Site[] = [];

beforeEach(async () => {
  testServer = await openTestServer({ embedder: 'none' }, { fetchMs: 600_000 });
});
afterEach(async () => {
  await testServer.close();
  for (const site of sites.splice(0)) await site.close();
});

async function site(): Promise<Site> {
  const started = await startSite();
  sites.push(started);
  return started;
}

/** Requests under way: now, and the most there were. */
function counted(answer: Route): { route: Route; now: () => number; most: () => number } {
  let now = 0;
  let most = 0;
  return {
    route: (request, response) => {
      now += 1;
      most = Math.max(most, now);
      response.on('close', () => (now -= 1));
      answer(request, response);
    },
    now: () => now,
    most: () => most,
  };
}

const waiting = { signal: new AbortController().signal, onProgress: () => undefined };
const hang: Route = () => undefined;
const text = (name: string) => serve(`A text about ${name} that is worth keeping.`, 'text/plain');
const save = async (url: string, account = localAccountId) =>
  (await testServer.app.services.library.save(account, { url }, waiting)).id;
const statusOf = async (id: string, account = localAccountId) =>
  (await (await testServer.app.stores.open(account)).getContentSummary(id))?.status;

async function untilCompleted(ids: readonly string[], account = localAccountId): Promise<void> {
  for (const id of ids) await expect.poll(() => statusOf(id, account)).toBe('completed');
}

describe('pages of a host that hangs', () => {
  it('delay neither pages of other hosts nor another account', async () => {
    const [bad, good] = [await site(), await site()];
    const hanging = counted(hang);
    for (let page = 0; page < 60; page += 1) {
      bad.routes.set(`/${page}`, hanging.route);
      await save(`${bad.url}/${page}`);
    }
    testServer.app.worker.start();
    await expect.poll(hanging.now).toBe(2);

    good.routes.set('/mine', text('mine')).set('/theirs', text('theirs'));
    const other = await testServer.app.stores.control.createAccount({ name: 'Another', plan: 'pro' });
    await untilCompleted([await save(`${good.url}/mine`)]);
    await untilCompleted([await save(`${good.url}/theirs`, other.id)], other.id);
    expect(hanging.most()).toBe(2);
  });

  it('delay no others when another host redirects to them', async () => {
    const [short, bad, good] = [await site(), await site(), await site()];
    const hanging = counted(hang);
    for (let page = 0; page < 40; page += 1) {
      short.routes.set(`/${page}`, (_request, response) =>
        response.writeHead(302, { location: `${bad.url}/${page}` }).end(),
      );
      bad.routes.set(`/${page}`, hanging.route);
      await save(`${short.url}/${page}`);
    }
    testServer.app.worker.start();
    await expect.poll(hanging.now).toBe(2);
    good.routes.set('/', text('others'));
    await untilCompleted([await save(`${good.url}/`)]);
    expect(hanging.most()).toBe(2);
  });
});

describe('a host', () => {
  it('gets two requests at once, and all its pages are fetched in the end', async () => {
    const one = await site();
    // It answers when two wait: who asks for one after the other gets nothing.
    const waits: (() => void)[] = [];
    const asked = counted((request, response) => {
      waits.push(() => text(request.url ?? '')(request, response));
      if (waits.length === 2) for (const answer of waits.splice(0)) answer();
    });
    const ids: string[] = [];
    for (let page = 0; page < 12; page += 1) {
      one.routes.set(`/${page}`, asked.route);
      ids.push(await save(`${one.url}/${page}`));
    }
    await testServer.app.worker.runUntilEmpty();
    for (const id of ids) expect(await statusOf(id)).toBe('completed');
    expect(one.requests).toHaveLength(12);
    expect(asked.most()).toBe(2);
  });

  it('that asks for fewer requests is left alone by all its pages, which say so, while others continue', async () => {
    const [strict, good] = [await site(), await site()];
    const ids: string[] = [];
    for (let page = 0; page < 10; page += 1) {
      strict.routes.set(`/${page}`, (_request, response) =>
        response.writeHead(429, { 'retry-after': '864000' }).end('too many'),
      );
      ids.push(await save(`${strict.url}/${page}`));
    }
    good.routes.set('/', text('others'));
    const other = await save(`${good.url}/`);
    await testServer.app.worker.runUntilEmpty();
    expect(await statusOf(other)).toBe('completed');
    // Those that were under way together when it first said so.
    expect(strict.requests.length).toBeLessThanOrEqual(2);
    const store = await testServer.app.stores.open(localAccountId);
    const now = testServer.app.clock.now();
    const items = await Promise.all(ids.map((id) => store.getContentSummary(id)));
    const failures = items.map((item) => item?.failure);
    for (const failure of failures) expect(failure).toMatchObject({ code: 'rate_limited', retryable: true });
    const untried = failures.filter((failure) => failure?.attempts === 0);
    expect(untried).toHaveLength(10 - strict.requests.length);
    for (const failure of untried) {
      // It is not believed for ten days.
      const waitMs = Date.parse(failure?.nextAttemptAt ?? '') - now;
      expect(waitMs).toBeGreaterThan(10 * 60_000);
      expect(waitMs).toBeLessThan(20 * 60_000);
    }
  });
});
