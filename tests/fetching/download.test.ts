import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { createDownloader, type Downloader } from '../../src/fetching/download.ts';
import { ManualClock } from '../support/clock.ts';
import { startModelHub, type ModelHub } from '../support/servers/model-hub.ts';

const never = new AbortController().signal;
const content = Buffer.from(Array.from({ length: 200_000 }, (_, at) => (at * at) % 251));
const sha256 = createHash('sha256').update(content).digest('hex');
let hub: ModelHub;
let folder: string;
let target: string;
let clock: ManualClock;
let downloader: Downloader;

beforeEach(async () => {
  hub = await startModelHub();
  hub.files.set('/weights', content);
  folder = await mkdtemp(join(tmpdir(), 'commonplace-download-'));
  target = join(folder, 'weights');
  clock = new ManualClock();
  downloader = createDownloader(clock);
});
afterEach(async () => {
  await downloader.close();
  await hub.close();
  await rm(folder, { recursive: true, force: true });
});

/** Lets every wait between attempts pass at once. */
async function download(onProgress: (bytes: number) => void = () => undefined, signal = never): Promise<void> {
  const ticking = setInterval(() => clock.advance(60_000), 1);
  const file = { url: new URL('/weights', hub.url), target, bytes: content.length, sha256 };
  await downloader.fetch(file, onProgress, signal).finally(() => clearInterval(ticking));
}

async function refusal(): Promise<AppError> {
  const error = await download().then(
    () => new Error('it was not refused'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw error;
  expect(error).toMatchObject({ code: 'unavailable' });
  expect(error.message).not.toContain('SECRET');
  return error;
}

it('appears only when complete, reports its progress, and is not fetched again', async () => {
  const progress: number[] = [];
  await download((bytes) => progress.push(bytes));
  expect((await readFile(target)).equals(content)).toBe(true);
  expect(existsSync(`${target}.part`)).toBe(false);
  expect(progress.at(-1)).toBe(content.length);
  expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  await download();
  expect(hub.asked).toEqual(['GET /weights']);
});

it('resumes where it broke off, in the same call and in the next', async () => {
  hub.misbehave = ({ headers }, response, file) => {
    if (headers.range !== undefined) return false;
    response.writeHead(200, { 'content-length': content.length });
    response.write(file!.subarray(0, 100_000));
    // Not before some of it is stored: what is still on its way when a connection breaks off is lost.
    const looking = setInterval(() => {
      if ((statSync(`${target}.part`, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
      clearInterval(looking);
      response.socket?.end();
    }, 1);
    return true;
  };
  await download();
  expect((await readFile(target)).equals(content)).toBe(true);
  expect(hub.asked.at(-1)).toMatch(/^GET \/weights bytes=[1-9]\d*-$/);

  await rm(target);
  await writeFile(`${target}.part`, content.subarray(0, 1_000));
  await download();
  expect(hub.asked.at(-1)).toBe('GET /weights bytes=1000-');
  expect((await readFile(target)).equals(content)).toBe(true);
});

it.each([
  ['of another file', Buffer.alloc(1_000, 1), 'GET /weights bytes=1000-'],
  ['too long', Buffer.alloc(content.length + 1), 'GET /weights'],
  ['as long, and wrong', Buffer.alloc(content.length), 'GET /weights'],
])('starts over when the partial file is %s', async (_name, part, first) => {
  await writeFile(`${target}.part`, part);
  await download();
  expect((await readFile(target)).equals(content)).toBe(true);
  expect(hub.asked[0]).toBe(first);
  expect(hub.asked.at(-1)).toBe('GET /weights');
});

it('fetches the whole file from a server without ranges', async () => {
  await writeFile(`${target}.part`, content.subarray(0, 1_000));
  hub.misbehave = (_request, response, file) => {
    response.writeHead(200, { 'content-length': content.length }).end(file);
    return true;
  };
  await download();
  expect((await readFile(target)).equals(content)).toBe(true);
});

it.each([
  ['other bytes', Buffer.alloc(content.length, 7)],
  ['more bytes', Buffer.concat([content, content])],
])('with %s is refused after a second attempt and leaves nothing behind', async (_name, wrong) => {
  hub.files.set('/weights', wrong);
  expect((await refusal()).message).toMatch(/wrong checksum/);
  expect(hub.asked).toHaveLength(2);
  expect([existsSync(target), existsSync(`${target}.part`)]).toEqual([false, false]);
});

it.each<[string, (response: Parameters<ModelHub['misbehave']>[1]) => void, RegExp]>([
  ['is not there', (response) => response.writeHead(404).end(), /does not have this file/],
  ['is locked', (response) => response.writeHead(401).end(), /refuses access to this file/],
  ['is in a circle', (response) => response.writeHead(302, { location: '/weights' }).end(), /too many times/],
  ['is elsewhere without TLS', (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(), /TLS/],
  [
    'is at a private address',
    (response) => response.writeHead(302, { location: 'https://127.0.0.1:1/' }).end(),
    /private/,
  ],
  ['is ill', (response) => response.writeHead(500).end('SECRET'), /cannot be reached/],
])('reports in plain words that %s', async (_name, answer, words) => {
  hub.misbehave = (_request, response) => {
    answer(response);
    return true;
  };
  expect((await refusal()).message).toMatch(words);
});

it('follows a redirect to another address of the hub', async () => {
  hub.files.set('/elsewhere', content);
  hub.misbehave = ({ url }, response) => {
    if (url !== '/weights') return false;
    response.writeHead(302, { location: '/elsewhere' }).end();
    return true;
  };
  await download();
  expect((await readFile(target)).equals(content)).toBe(true);
});

it('reports a missing network', async () => {
  await hub.close();
  hub.close = async () => undefined;
  expect((await refusal()).message).toMatch(/Check the network/);
});

it('ends when interrupted and keeps the partial file', async () => {
  hub.misbehave = (_request, response) => {
    response.writeHead(200, { 'content-length': content.length });
    response.write(content.subarray(0, 5_000));
    return true;
  };
  const stop = new AbortController();
  await expect(download(() => stop.abort(new Error('enough')), stop.signal)).rejects.toThrow('enough');
  expect((await stat(`${target}.part`)).size).toBeGreaterThan(0);
});
