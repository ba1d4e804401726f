import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createApp } from '../../../src/app/app.ts';
import { openTestServer } from '../../support/test-server.ts';
import { builtProgram } from '../../support/mcp.ts';
import { serve, startSite } from '../../support/servers/site.ts';

type TestServer = Awaited<ReturnType<typeof openTestServer>>;

/** Runs a command on the data folder of a test server. */
function run({ folder }: TestServer, ...words: string[]) {
  const flags = ['--data', folder, '--allow-private-addresses', 'true', '--embedder', 'none', '--log-level', 'silent'];
  const child = spawn(process.execPath, [builtProgram, ...words, ...flags], { stdio: 'ignore' });
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.once('exit', (code, signal) => resolve(code ?? signal)),
  );
  return { kill: () => child.kill('SIGKILL'), ended };
}

const count = async ({ app }: TestServer): Promise<number> =>
  (await (await app.stores.open('local')).listContent({ limit: 1, offset: 0 })).total;

/** Resolves as soon as the library has more items than this. */
async function untilMore(server: TestServer, than: number): Promise<void> {
  const changes = watch(join(server.folder, 'accounts'), { signal: AbortSignal.timeout(120_000) });
  for await (const _ of changes) if ((await count(server)) > than) return;
}

/** Checks what is due when the leases of killed processes have run out. */
async function finishLater({ app }: TestServer): Promise<void> {
  const clock = {
    now: () => Date.now() + 300_000,
    elapsed: () => performance.now(),
    uptime: () => performance.now(),
    sleep: (ms: number, signal?: AbortSignal) => sleep(ms, undefined, { signal }),
  };
  const later = await createApp(app.config, { clock });
  await later.worker.runUntilEmpty(undefined, { checksSources: true });
  await later.close();
}

test('two programs that watch a folder and are killed in their first pass lose no file and duplicate none', async () => {
  const server = await openTestServer({ embedder: 'none' });
  const notes = realpathSync(mkdtempSync(join(tmpdir(), 'commonplace-killed-watch-')));
  const number = 250;
  for (let n = 0; n < number; n += 1) writeFileSync(join(notes, `${n}.md`), `Note ${n} of a folder.`);
  const programs = [run(server, 'watch', notes), run(server, 'watch', notes)];
  await untilMore(server, 0);
  for (const { kill } of programs) kill();
  expect(await Promise.all(programs.map(({ ended }) => ended))).toEqual(['SIGKILL', 'SIGKILL']);
  await finishLater(server);
  const store = await server.app.stores.open('local');
  const [source] = await store.listSources('folder');
  expect([await count(server), source?.items]).toEqual([number, number]);

  mkdirSync(join(notes, 'moved'));
  for (let n = 0; n < 20; n += 1) renameSync(join(notes, `${n}.md`), join(notes, 'moved', `${n}.md`));
  for (let n = 20; n < 40; n += 1) rmSync(join(notes, `${n}.md`));
  writeFileSync(join(notes, 'new.md'), 'A new note.');
  const both = [run(server, 'watch', notes, '--once'), run(server, 'watch', notes, '--once')];
  expect(await Promise.all(both.map(({ ended }) => ended))).toEqual([0, 0]);
  expect([await count(server), (await store.getSource(source!.id))?.items]).toEqual([number - 19, number - 19]);
  await server.close();
  rmSync(notes, { recursive: true });
});

test('a killed feed check brings each entry once when it is repeated', async () => {
  const site = await startSite();
  const server = await openTestServer({ embedder: 'none' });
  const entries = (from: number, to: number): string =>
    Array.from(
      { length: to - from },
      (_, at) =>
        `<item><guid isPermaLink="false">${from + at}</guid><title>Entry ${from + at}</title><description>Said ${from + at}.</description></item>`,
    ).join('');
  const feed = (more: string): string => `<rss version="2.0"><channel><title>A feed</title>${more}</channel></rss>`;
  site.routes.set('/feed', serve(feed(entries(0, 5)), 'application/rss+xml'));
  const store = await server.app.stores.open('local');
  const { id } = await store.addSource({ kind: 'feed', address: `${site.url}/feed`, name: 'A feed' });
  expect(await run(server, 'work').ended).toBe(0);
  expect(await count(server)).toBe(5);

  site.routes.set('/feed', serve(feed(entries(0, 65)), 'application/rss+xml'));
  await store.askSource(id);
  const working = run(server, 'work');
  await untilMore(server, 5);
  working.kill();
  expect(await working.ended).toBe('SIGKILL');
  await finishLater(server);
  expect([await count(server), await store.countSourceEntries(id)]).toEqual([65, 65]);
  await server.close();
  await site.close();
});
