import { spawn } from 'node:child_process';
import { watch } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createApp } from '../../../src/app/app.ts';
import { openTestServer } from '../../support/test-server.ts';
import { builtProgram } from '../../support/mcp.ts';
import { articlePage, serve, startSite } from '../../support/servers/site.ts';

/** A few minutes ahead of the killed processes' clock: their leases have run out. */
const laterClock = {
  now: () => Date.now() + 300_000,
  elapsed: () => performance.now(),
  uptime: () => performance.now(),
  sleep: (ms: number, signal?: AbortSignal) => sleep(ms, undefined, { signal }),
};

/** Starts `commonplace work`, and says by which signal it ended. */
function work(folder: string): { kill: () => void; ended: Promise<NodeJS.Signals | null> } {
  const flags = ['--data', folder, '--allow-private-addresses', 'true', '--workers', '2', '--log-level', 'silent'];
  const child = spawn(process.execPath, [builtProgram, 'work', ...flags], { stdio: 'ignore' });
  const ended = new Promise<NodeJS.Signals | null>((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
  return { kill: () => child.kill('SIGKILL'), ended };
}

test('embedding that was killed continues with the missing vectors, and words find everything meanwhile', async () => {
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
