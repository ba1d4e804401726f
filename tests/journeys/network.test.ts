import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtProgram } from '../support/mcp.ts';
import { makeBook, makeDocx, paragraph, prose } from '../support/texts/office-files.ts';
import { column, makePdf } from '../support/texts/pdf.ts';
import { articlePage, serve, startSite, type Site } from '../support/servers/site.ts';

interface Call {
  kind: string;
  target: string;
  guarded: boolean;
}

const watcher = new URL('../support/faults/watch-network.mjs', import.meta.url).href;
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

/** Exit code of a save of which an item failed. */
const itemFailed = 4;

/** Runs Node on a file and gives what it printed and every use that it, its threads and its children made of the network. */
async function watch(name: string, ...command: string[]): Promise<{ stdout: string; calls: Call[] }> {
  const log = join(folder, `${name}.log`);
  writeFileSync(log, '');
  const stdout = await new Promise<string>((resolve, reject) => {
    execFile(
      process.execPath,
      command,
      { env: { ...process.env, NODE_OPTIONS: `--import ${watcher}`, COMMONPLACE_TEST_NETWORK_LOG: log } },
      (error, out, err) =>
        error === null || error.code === itemFailed ? resolve(out) : reject(new Error(err, { cause: error })),
    );
  });
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  return { stdout, calls: lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Call) };
}

const data = () => ['--data', join(folder, 'data'), '--allow-private-addresses', 'true'];

test('the check detects a connection outside the guarded fetch, in threads and child processes too', async () => {
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

test('files and recordings are fetched only through the guarded fetch, also by reading processes', async () => {
  // A reader that opened its own connections would do so for fonts, pictures and stylesheets.
  const away = `${site.url}/away`;
  const link = `<a href="${away}/link">there</a> <img src="${away}/picture.png"/><link rel="stylesheet" href="${away}/style.css"/>`;
  site.routes.set('/bees.pdf', serve(await makePdf([column([prose], 72, 100)]), 'application/pdf'));
  site.routes.set(
    '/ferry.epub',
    serve(makeBook({ 'OEBPS/one.xhtml': `<html><body><p>${prose}</p>${link}</body></html>` })),
  );
  site.routes.set('/minutes.docx', serve(makeDocx(paragraph(prose))));
  site.routes.set(
    '/talk',
    serve(
      articlePage('A talk', [
        prose,
        `<video src="${site.url}/talk.mp4"><track kind="captions" src="${site.url}/talk.vtt" srclang="en"></video>`,
      ]),
    ),
  );
  site.routes.set('/talk.vtt', serve(`WEBVTT\n\n00:01.000 --> 00:04.000\n${prose}\n`, 'text/vtt'));
  const mail = `MIME-Version: 1.0\nContent-Type: text/html\n\n<p>${prose}</p>${link}`;
  site.routes.set('/letter.eml', serve(`From: a@example.org\n${mail}`));
  site.routes.set('/page.mhtml', serve(`Snapshot-Content-Location: ${away}/page\n${mail}`));
  const paths = ['/bees.pdf', '/ferry.epub', '/minutes.docx', '/talk', '/letter.eml', '/page.mhtml'];
  const addresses = paths.map((path) => site.url + path);
  const { stdout, calls } = await watch('files', builtProgram, 'save', ...addresses, '--wait', '--json', ...data());
  const items = JSON.parse(stdout) as { status: string; contentType: string }[];
  expect(items.map(({ status, contentType }) => [status, contentType])).toEqual(
    ['pdf', 'ebook', 'document', 'video', 'document', 'article'].map((type) => ['completed', type]),
  );
  expect(calls.some(({ guarded }) => guarded)).toBe(true);
  expect(calls.filter(({ guarded }) => !guarded)).toEqual([]);
  expect(site.requests.filter((path) => path.startsWith('/away') || path.endsWith('.mp4'))).toEqual([]);
});

test('saving, processing, searching and reprocessing use only the guarded fetch', async () => {
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

test('a web archive is contacted only when the setting allows it, and never about a private address', async () => {
  const { host } = new URL(site.url);
  for (const [name, ...flags] of [['archive-by-default'], ['archive-on', '--web-archive', 'on']]) {
    const save = ['save', `${site.url}/gone/${name}`, '--wait', '--json', ...flags];
    const { stdout, calls } = await watch(name ?? '', builtProgram, ...save, ...data());
    expect(JSON.parse(stdout)).toMatchObject({ status: 'failed', failure: { code: 'not_found' } });
    expect(calls.filter(({ guarded }) => !guarded)).toEqual([]);
    expect(new Set(calls.map(({ target }) => target))).toEqual(new Set([host]));
  }
});
