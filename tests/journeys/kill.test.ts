import { spawn } from 'node:child_process';
import { watch } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { openTestServer } from '../support/test-server.ts';
import { builtProgram } from '../support/mcp.ts';
import { seed } from '../support/seed.ts';
import { isThorough } from '../support/thorough.ts';
import { articlePage, type Route, serve, startSite } from '../support/site.ts';

const items = 100;
const kills = 12;

/** When each process is killed: at so many requests and so many milliseconds later. */
const moments = fc.sample(fc.record({ requests: fc.integer({ min: 1, max: 4 }), ms: fc.nat(120) }), {
  seed,
  numRuns: kills,
});
/**
 * So many more requests of a process are answered before it is killed. The next ones wait for that, so that no process
 * comes to its end: with two more pages waiting in each, all of them together ask for fewer pages than there are.
 */
const furtherRequests = 2;

/** A few minutes ahead of the killed processes' clock: their leases have run out. */
const laterClock = {
  now: () => Date.now() + 300_000,
  elapsed: () => performance.now(),
  uptime: () => performance.now(),
  sleep: (ms: number, signal?: AbortSignal) => sleep(ms, undefined, { signal }),
};

/** Every tenth page is missing, every tenth has no text, the rest are small articles. */
function pageFor(index: number): Route {
  if (index % 10 === 3) return (_request, response) => response.writeHead(404).end('not here');
  if (index % 10 === 7) return serve('<html><body></body></html>');
  return serve(
    articlePage(`Page ${index}`, [
      `Page number ${index} says that persistence ${'really '.repeat(index % 30)}pays off in the end.`,
      'Set aside ten percent of each paycheck before you pay anything else.',
    ]),
  );
}

/** Starts `commonplace work`, and says by which signal it ended. */
function work(folder: string): { kill: () => void; ended: Promise<NodeJS.Signals | null> } {
  const flags = ['--data', folder, '--allow-private-addresses', 'true', '--workers', '2', '--log-level', 'silent'];
  const child = spawn(process.execPath, [builtProgram, 'work', ...flags], { stdio: 'ignore' });
  const ended = new Promise<NodeJS.Signals | null>((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
  return { kill: () => child.kill('SIGKILL'), ended };
}

// In the gate `torture.test.ts` kills processes at such moments, too, and `import.test.ts` kills imports.
test.runIf(isThorough)('an import killed again and again ends complete: none twice, none missing', async () => {
  const site = await startSite();
  /** Called with each request; whether it is answered. */
  let onRequest = () => true;
  const { app, folder, close } = await openTestServer({ workers: 2 });
  for (let index = 0; index < items; index += 1) {
    const page = pageFor(index);
    site.routes.set(`/page/${index}`, (request, response) => {
      if (onRequest()) page(request, response);
    });
    await app.services.library.save(
      'local',
      { url: `${site.url}/page/${index}` },
      { signal: AbortSignal.timeout(60_000), onProgress: () => undefined },
    );
  }

  for (const { requests, ms } of moments) {
    const { kill, ended } = work(folder);
    let asked = 0;
    onRequest = () => {
      asked += 1;
      if (asked === requests) setTimeout(kill, ms);
      return asked <= requests + furtherRequests;
    };
    expect(await ended, `TEST_SEED=${seed}`).toBe('SIGKILL');
  }
  onRequest = () => true;

  const later = await createApp(app.config, { clock: laterClock });
  await later.worker.runUntilEmpty();
  await later.close();

  const store = await app.stores.open('local');
  const { items: all, total } = await store.listContent({ limit: 100, offset: 0 });
  expect(total).toBe(items);
  expect(new Set(all.map((item) => item.url)).size).toBe(items);
  for (const item of all) {
    const index = Number((item.url ?? '').split('/').pop());
    const expected = index % 10 === 3 ? 'not_found' : index % 10 === 7 ? 'empty' : 'completed';
    expect(`${index} ${item.failure?.code ?? item.status}`).toBe(`${index} ${expected}`);
    if (item.status !== 'completed') continue;
    const whole = await store.getContent(item.id);
    expect(whole?.transcript).toContain(`Page number ${index} says`);
    expect(whole?.actions.length).toBe(1);
    const found = await store.searchWords(`number ${index} persistence`, {}, 200);
    const ofItem = found.filter((hit) => hit.contentId === item.id);
    expect(new Set(ofItem.map((hit) => hit.passageId)).size).toBe(ofItem.length);
    expect(ofItem.length).toBe(1);
  }
  await close();
  await site.close();
});

test('killed while vectors are made, it goes on with those that are missing; words find everything meanwhile', async () => {
  const site = await startSite();
  const { app, folder, close } = await openTestServer();
  const pages = 3;
  for (let index = 0; index < pages; index += 1) {
    const paragraph = `Page ${index} says that persistence pays off, and that whoever saves a little each week ends up with a lot. `;
    site.routes.set(`/${index}`, serve(articlePage(`Page ${index}`, Array(24).fill(paragraph.repeat(8)))));
    await app.services.library.save(
      'local',
      { url: `${site.url}/${index}` },
      { signal: AbortSignal.timeout(60_000), onProgress: () => undefined },
    );
  }
  const store = await app.stores.open('local');
  const model = app.embedder?.id ?? '';
  const { kill, ended } = work(folder);
  const changes = watch(join(folder, 'accounts'), { signal: AbortSignal.timeout(120_000) });
  for await (const _ of changes) {
    const [{ searchable }, { embedded }] = await Promise.all([store.coverage(), store.countVectors(model)]);
    if (searchable === pages && embedded > 0) break;
  }
  kill();
  expect(await ended).toBe('SIGKILL');
  const cut = await store.countVectors(model);
  expect(cut.embedded).toBeGreaterThan(0);
  expect(cut.embedded).toBeLessThan(cut.passages);
  expect((await store.searchWords('persistence', {}, 1_000)).length).toBe(cut.passages);

  const later = await createApp(app.config, { clock: laterClock });
  await later.worker.runUntilEmpty();
  await later.close();
  expect(await store.countVectors(model)).toEqual({ passages: cut.passages, embedded: cut.passages });
  expect((await store.listContent({ limit: 1, offset: 0, status: 'completed' })).total).toBe(pages);
  await close();
  await site.close();
});
