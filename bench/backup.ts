import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openDataFolder } from '../src/app/installations/data-folder.ts';
import type { Clock } from '../src/domain/clock.ts';
import { resource, saving } from '../tests/store/contracts/items/store-items.ts';

/*
 * What a backup costs those who use the server meanwhile: `node bench/backup.ts [megabytes]`. The built server answers 50
 * requests a second (lists, single items, searches by words, and saves), first alone, then while `commonplace backup` copies the
 * library, then alone again. The originals are random bytes, which do not compress. A request counts from the moment at which it
 * was due, so a server that stands still cannot hide it.
 */

const megabytes = Number(process.argv[2] ?? 1_000);
const perSecond = 50;
const aloneSeconds = 20;
const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'commonplace-bench-backup-'));
const data = join(folder, 'data');
/** A port that is free. */
const port = await new Promise<number>((resolve) => {
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const address = probe.address();
    probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
  });
});
const clock: Clock = { now: Date.now, elapsed: () => performance.now(), uptime: () => 1, sleep: async () => {} };

const stores = await openDataFolder({ folder: data, clock });
const store = await stores.open('local');
for (let at = 0; at < megabytes; at += 1) {
  const url = `https://example.com/${at}`;
  const bytes = new Uint8Array(1_000_000);
  for (let from = 0; from < bytes.length; from += 50_000) crypto.getRandomValues(bytes.subarray(from, from + 50_000));
  await store.saveContent(saving(url, { tags: [`tag${at % 9}`], original: { ...resource(url, ''), bytes } }));
}
await stores.close();
const printed = execFileSync(process.execPath, [main, 'token', 'create', 'bench', '--data', data, '--json']);
const { token } = JSON.parse(printed.toString()) as { token: string };
const settings = [
  '--port',
  String(port),
  '--data',
  data,
  '--embedder',
  'none',
  '--log-level',
  'error',
  '--rate-limit-per-minute',
  '0',
  '--workers',
  '0',
];
const server = spawn(process.execPath, [main, 'serve', ...settings], { stdio: ['ignore', 'ignore', 'inherit'] });
const base = `http://127.0.0.1:${port}`;
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
const post = (body: object): RequestInit => ({ method: 'POST', headers, body: JSON.stringify(body) });
const { items } = await (async function whenUp(): Promise<{ items: { id: string }[] }> {
  try {
    return (await (await fetch(`${base}/content?limit=100`, { headers })).json()) as { items: { id: string }[] };
  } catch {
    await sleep(200);
    return whenUp();
  }
})();

let sent = 0;
function request(): Promise<Response> {
  sent += 1;
  if (sent % 10 === 0) return fetch(`${base}/content`, post({ url: `https://example.org/${sent}` }));
  if (sent % 3 === 0) return fetch(`${base}/search`, post({ query: `page ${sent}` }));
  if (sent % 3 === 1) return fetch(`${base}/content?limit=20&offset=${sent % 500}`, { headers });
  return fetch(`${base}/content/${items[sent % items.length]?.id}`, { headers });
}

async function timed(due: number): Promise<number> {
  const response = await request();
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return performance.now() - due;
}

/** Latencies in milliseconds, of requests that are sent until the promise is settled. */
async function load(until: Promise<unknown>): Promise<{ times: number[]; seconds: number }> {
  const over = new AbortController();
  void until.then(() => over.abort());
  const times: number[] = [];
  const open: Promise<void>[] = [];
  const started = performance.now();
  for (let at = 0; !over.signal.aborted; at += 1) {
    const due = started + (at * 1_000) / perSecond;
    await sleep(Math.max(0, due - performance.now()));
    open.push(timed(due).then((ms) => void times.push(ms)));
  }
  await Promise.all(open);
  return { times, seconds: (performance.now() - started) / 1_000 };
}

const share = (times: readonly number[], part: number): number =>
  Number((times.toSorted((a, b) => a - b)[Math.floor(times.length * part)] ?? 0).toFixed(1));
const shown = ({ times, seconds }: Awaited<ReturnType<typeof load>>) => ({
  seconds: Number(seconds.toFixed(1)),
  requests: times.length,
  'p50 ms': share(times, 0.5),
  'p95 ms': share(times, 0.95),
  'p99 ms': share(times, 0.99),
});

try {
  await load(sleep(5_000));
  const before = shown(await load(sleep(aloneSeconds * 1_000)));
  const file = join(folder, 'library.zip');
  const backup = spawn(process.execPath, [main, 'backup', file, '--data', data], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => void backup.once('exit', resolve));
  const during = shown(await load(ended));
  const after = shown(await load(sleep(aloneSeconds * 1_000)));
  console.table({ alone: before, 'while a backup is written': during, 'alone again': after });
  const alone = Math.max(before['p95 ms'], after['p95 ms']);
  console.log(
    `backup: exit ${await ended}, ${Math.round((await stat(file)).size / 1e6)} MB; p95 ${(during['p95 ms'] / alone).toFixed(2)} times that of the slower run alone`,
  );
} finally {
  server.kill();
  await new Promise((resolve) => void server.once('exit', resolve));
  await rm(folder, { recursive: true });
}
