import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtProgram } from '../support/mcp.ts';
import { articlePage, serve, startSite, type Site } from '../support/site.ts';

interface Call {
  kind: string;
  target: string;
  guarded: boolean;
}

const watcher = new URL('../support/watch-network.mjs', import.meta.url).href;
let folder: string;
let site: Site;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'commonplace-network-'));
  site = await startSite();
});
afterAll(async () => {
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs Node on a file and gives what it printed and every use that it, its threads and its children made of the network. */
async function watch(name: string, ...command: string[]): Promise<{ stdout: string; calls: Call[] }> {
  const log = join(folder, `${name}.log`);
  writeFileSync(log, '');
  const stdout = await new Promise<string>((resolve, reject) => {
    execFile(
      process.execPath,
      command,
      { env: { ...process.env, NODE_OPTIONS: `--import ${watcher}`, COMMONPLACE_TEST_NETWORK_LOG: log } },
      (error, out, err) => (error === null ? resolve(out) : reject(new Error(err, { cause: error }))),
    );
  });
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  return { stdout, calls: lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Call) };
}

const data = () => ['--data', join(folder, 'data'), '--allow-private-addresses', 'true'];

test('a connection that goes round the guarded fetch is seen, in threads and children too', async () => {
  const rogue = join(folder, 'rogue.mjs');
  const ask = `await fetch(${JSON.stringify(site.url)}).catch(() => undefined);`;
  writeFileSync(
    rogue,
    `import { Worker } from 'node:worker_threads';
     import { spawnSync } from 'node:child_process';
     ${ask}
     await new Promise((done) => new Worker(${JSON.stringify(ask)}, { eval: true, execArgv: [] }).on('exit', done));
     spawnSync(process.execPath, ['--input-type=module', '-e', ${JSON.stringify(ask)}]);`,
  );
  const { calls } = await watch('rogue', rogue);
  const connections = calls.filter(({ kind }) => kind === 'connect');
  expect(connections).toHaveLength(3);
  expect(connections.every(({ guarded }) => !guarded)).toBe(true);
});

test('saving, processing, searching and reprocessing reach the network through the guarded fetch alone', async () => {
  site.routes.set(
    '/page',
    serve(
      articlePage('A page that points elsewhere', [
        'The words of this page are long enough to be kept, and so the page is read, split, embedded and summarised.',
        `<img src="${site.url}/image.png"> <iframe src="${site.url}/frame"></iframe> <a href="${site.url}/link">link</a>`,
        `<script src="${site.url}/script.js"></script><link rel="stylesheet" href="${site.url}/style.css">`,
      ]),
    ),
  );
  const { stdout, calls } = await watch(
    'save',
    builtProgram,
    'save',
    `${site.url}/page`,
    '--wait',
    '--json',
    ...data(),
  );
  expect(JSON.parse(stdout)).toMatchObject({ status: 'completed' });
  expect(calls.some(({ guarded }) => guarded)).toBe(true);
  expect(calls.filter(({ guarded }) => !guarded)).toEqual([]);

  const offline = [
    ['search', 'what is kept of a page'],
    ['reprocess', '--all'],
    ['extract', fileURLToPath(new URL('../../README.md', import.meta.url))],
    ['doctor'],
  ];
  for (const [at, words] of offline.entries()) {
    expect((await watch(`offline-${at}`, builtProgram, ...words, ...data())).calls, words[0]).toEqual([]);
  }
});
