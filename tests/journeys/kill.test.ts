import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { openHouse } from '../support/house.ts';
import { builtProgram } from '../support/mcp.ts';
import { seed } from '../support/seed.ts';
import { articlePage, serve, startSite } from '../support/site.ts';
import { until } from '../support/workers.ts';

const items = 100;
const kills = 12;

/** When each process is killed: after so many requests and so many milliseconds more. */
const moments = fc.sample(fc.record({ requests: fc.integer({ min: 1, max: 8 }), ms: fc.nat(120) }), {
  seed,
  numRuns: kills,
});

/** Every tenth page is missing, every tenth has no text, the rest are small articles. */
function pageFor(index: number) {
  if (index % 10 === 3) return undefined;
  if (index % 10 === 7) return serve('<html><body></body></html>');
  return serve(
    articlePage(`Page ${index}`, [
      `Page number ${index} says that persistence ${'really '.repeat(index % 30)}pays off in the end.`,
      'Set aside ten percent of each paycheck before you pay anything else.',
    ]),
  );
}

/** Runs `commonplace work`, and kills it at the given moment. */
function work(
  folder: string,
  site: { requests: string[] },
  { requests, ms }: (typeof moments)[number],
): Promise<{ signal: NodeJS.Signals | null; code: number | null }> {
  return new Promise((resolve) => {
    const before = site.requests.length;
    const child = spawn(
      process.execPath,
      [builtProgram, 'work', '--json', '--data', folder, '--allow-private-addresses', 'true', '--log-level', 'silent'],
      {
        stdio: 'ignore',
      },
    );
    const watch = setInterval(() => {
      if (site.requests.length - before >= requests) setTimeout(() => child.kill('SIGKILL'), ms);
    }, 5);
    child.once('exit', (code, signal) => {
      clearInterval(watch);
      resolve({ code, signal });
    });
  });
}

test(
  'a hundred-item import killed again and again ends complete: none twice, none missing',
  { timeout: 180_000 },
  async () => {
    const site = await startSite();
    // What a killed process held comes back when its lease runs out: this clock is a few minutes ahead of theirs.
    const clock = {
      now: () => Date.now() + 300_000,
      elapsed: () => performance.now(),
      uptime: () => performance.now(),
      sleep: (ms: number, signal?: AbortSignal) => sleep(ms, undefined, { signal }),
    };
    const { app, folder, close } = await openHouse({ workers: 2 });
    for (let index = 0; index < items; index += 1) {
      const route = pageFor(index);
      if (route !== undefined) site.routes.set(`/page/${index}`, route);
      await app.services.library.save(
        'local',
        { url: `${site.url}/page/${index}` },
        { signal: AbortSignal.timeout(60_000), onProgress: () => undefined },
      );
    }

    let killed = 0;
    for (const moment of moments) {
      const { signal } = await work(folder, site, moment);
      if (signal === 'SIGKILL') killed += 1;
    }
    expect(killed, `TEST_SEED=${seed}`).toBeGreaterThan(kills / 2);

    const later = await createApp(app.config, { clock });
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
  },
);

test(
  'killed while vectors are made, it goes on with those that are missing; words find everything meanwhile',
  { timeout: 180_000 },
  async () => {
    const site = await startSite();
    const clock = {
      now: () => Date.now() + 300_000,
      elapsed: () => performance.now(),
      uptime: () => performance.now(),
      sleep: (ms: number, signal?: AbortSignal) => sleep(ms, undefined, { signal }),
    };
    const { app, folder, close } = await openHouse();
    const pages = 8;
    for (let index = 0; index < pages; index += 1) {
      const paragraph = `Page ${index} says that persistence pays off, and that whoever saves a little each week ends up with a lot. `;
      site.routes.set(`/${index}`, serve(articlePage(`Page ${index}`, Array(40).fill(paragraph.repeat(8)))));
      await app.services.library.save(
        'local',
        { url: `${site.url}/${index}` },
        { signal: AbortSignal.timeout(60_000), onProgress: () => undefined },
      );
    }
    const store = await app.stores.open('local');
    const model = app.embedder?.id ?? '';
    const child = spawn(
      process.execPath,
      [builtProgram, 'work', '--data', folder, '--allow-private-addresses', 'true', '--log-level', 'silent'],
      { stdio: 'ignore' },
    );
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await until(async () => {
      const [{ searchable }, { embedded }] = await Promise.all([store.coverage(), store.countVectors(model)]);
      return child.exitCode !== null || (searchable === pages && embedded > 0);
    });
    child.kill('SIGKILL');
    await ended;
    const cut = await store.countVectors(model);
    expect(cut.embedded).toBeGreaterThan(0);
    expect(cut.embedded).toBeLessThan(cut.passages);
    expect((await store.searchWords('persistence', {}, 1_000)).length).toBe(cut.passages);

    const later = await createApp(app.config, { clock });
    await later.worker.runUntilEmpty();
    await later.close();
    expect(await store.countVectors(model)).toEqual({ passages: cut.passages, embedded: cut.passages });
    expect((await store.listContent({ limit: 1, offset: 0, status: 'completed' })).total).toBe(pages);
    await close();
    await site.close();
  },
);
