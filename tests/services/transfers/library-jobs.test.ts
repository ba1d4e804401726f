import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openLibraryJobs, type LibraryJobServices } from '../../../src/app/transfers.ts';
import { newChange } from '../../../src/domain/records/change.ts';
import { exportKeptMs } from '../../../src/domain/records/transfers/library-job.ts';
import type { ExportService } from '../../../src/services/library/exporting.ts';
import type { ImportRequest } from '../../../src/services/library/importing.ts';
import { createLog } from '../../../src/workers/log.ts';
import { ManualClock } from '../../support/clock.ts';

const dayMs = 24 * 60 * 60 * 1_000;
const account = 'local';
const other = 'u_aaaaaaaaaaaaaaaa';

let folder: string;
let clock: ManualClock;
let services: LibraryJobServices;
/** Imports that have begun, and wait to be let go on. */
let begun: { request: ImportRequest; goOn: () => void; account: string }[];
let onBegin: () => void;

/** What happens before and after the first progress of an export. */
let around: { before: (place: string) => Promise<void>; after: (place: string) => Promise<void> };
let onError: () => void;
const log = createLog('silent');
log.error = () => onError();

const exporting: ExportService = {
  exportFolder: () => Promise.reject(new Error('not here')),
  async exportFile(_account, _format, { place, onProgress }) {
    await around.before(place);
    onProgress(1, 2);
    await writeFile(place, 'the file');
    await around.after(place);
    onProgress(2, 2);
    return { items: 2 };
  },
};

/** An import goes on when the test says so; then each line of the file is an entry. */
const importing = {
  async import(writer: unknown, request: ImportRequest): Promise<void> {
    request.signal.throwIfAborted();
    const held = Promise.withResolvers<void>();
    const { account: of } = writer as { account: string };
    begun.push({ request, goOn: held.resolve, account: of });
    onBegin();
    request.signal.addEventListener('abort', () => held.reject(request.signal.reason as Error), { once: true });
    await held.promise;
    const about = { line: 1, what: 'x', title: null, reason: '', id: null, file: 'f', format: 'list' };
    await request.onResults([{ ...about, outcome: 'taken' }], { bytesRead: 4, bytesTotal: 4 });
  },
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commonplace-jobs-'));
  clock = new ManualClock();
  begun = [];
  onBegin = () => undefined;
  onError = () => undefined;
  around = { before: () => Promise.resolve(), after: () => Promise.resolve() };
  services = open();
});
afterEach(async () => {
  await services.close();
  await rm(folder, { recursive: true, force: true });
});

function open(listShared: (() => Promise<string[]>) | null = null): LibraryJobServices {
  return openLibraryJobs(folder, { listShared, importing, exporting, clock, log });
}

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function start(of = account, text = 'text'): Promise<string> {
  const upload = await services.importJobs.receive(of, 'list.txt', bytes(text));
  const change = newChange({ face: 'rest', by: null, operation: 'import', scopes: [] });
  return (await services.importJobs.begin({ account: of, change }, upload, { tags: [], follow: false })).id;
}

/** Resolves when so many imports have begun. */
async function untilBegun(count: number): Promise<void> {
  while (begun.length < count) await new Promise<void>((resolve) => (onBegin = resolve));
}

const stateOf = async (id: string, of = account) => (await services.importJobs.get(of, id)).state;

async function untilEnded(id: string, of = account): Promise<void> {
  while (['waiting', 'running'].includes(await stateOf(id, of))) await new Promise((resolve) => setImmediate(resolve));
}

it('an account’s imports run one after the other without delaying other accounts', async () => {
  const [first, second] = [await start(), await start()];
  const elsewhere = await start(other);
  await untilBegun(2);
  expect(begun.map((one) => one.account)).toEqual([account, other]);
  expect([await stateOf(first), await stateOf(second), await stateOf(elsewhere, other)]).toEqual([
    'running',
    'waiting',
    'running',
  ]);
  begun[0]?.goOn();
  await untilEnded(first);
  await untilBegun(3);
  expect(await stateOf(first)).toBe('done');
  await services.importJobs.cancel(account, second);
  begun[1]?.goOn();
  await untilEnded(elsewhere, other);
  expect([await stateOf(second), await stateOf(elsewhere, other)]).toEqual(['cancelled', 'done']);
});

it('jobs interrupted by the end of the server are resumed with the same change', async () => {
  const id = await start();
  await untilBegun(1);
  await services.close();
  services = open();
  expect(await stateOf(id)).toBe('interrupted');
  await services.importJobs.resume(account, id);
  await untilBegun(2);
  begun[1]?.goOn();
  await untilEnded(id);
  expect(await services.importJobs.get(account, id)).toMatchObject({ state: 'done', counts: { taken: 1 } });
  expect(existsSync(join(folder, 'jobs', account, id, 'upload'))).toBe(false);
  await expect(services.importJobs.resume(account, id)).rejects.toMatchObject({ code: 'conflict' });
});

it('a job whose process was killed is interrupted, and can be cancelled', async () => {
  const id = await start();
  await untilBegun(1);
  // As after a kill: another instance finds the record of a job that nobody does.
  const after = open();
  expect((await after.importJobs.get(account, id)).state).toBe('interrupted');
  expect((await after.importJobs.cancel(account, id)).state).toBe('cancelled');
  await after.close();
});

it('an account has a limited number of jobs, and one upload at a time', async () => {
  for (let index = 0; index < 5; index += 1) await start();
  await expect(start()).rejects.toMatchObject({ code: 'conflict' });
  await start(other);
  const held = Promise.withResolvers<void>();
  async function* slow(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('a');
    await held.promise;
    throw new Error('gone');
  }
  const receiving = services.importJobs.receive(other, 'a', slow());
  await expect(services.importJobs.receive(other, 'b', bytes('b'))).rejects.toMatchObject({ code: 'conflict' });
  held.resolve();
  await expect(receiving).rejects.toThrow('gone');
  // Nothing is left of a file that did not arrive.
  expect(readdirSync(join(folder, 'jobs', other))).toHaveLength(1);
});

it('a file that is too large is not kept', async () => {
  async function* endless(): AsyncGenerator<Uint8Array> {
    const piece = Buffer.alloc(32 * 2 ** 20);
    for (;;) yield piece;
  }
  const receiving = services.importJobs.receive(account, 'large', endless());
  await expect(receiving).rejects.toMatchObject({ code: 'payload_too_large' });
  expect(readdirSync(join(folder, 'jobs', account))).toEqual([]);
});

it('the file of an export is kept for a day, and a job is forgotten after a month', async () => {
  const { id } = await services.exportJobs.begin(account, 'csv', undefined);
  const done = async () => (await services.exportJobs.get(account, id)).state === 'done';
  while (!(await done())) await new Promise((resolve) => setImmediate(resolve));
  expect(await services.exportJobs.get(account, id)).toMatchObject({
    bytes: 8,
    items: 2,
    progress: { done: 2, total: 2 },
  });
  const imported = await start();
  await untilBegun(1);
  begun[0]?.goOn();
  await untilEnded(imported);
  clock.advance(exportKeptMs);
  await services.removeExpired();
  expect((await services.exportJobs.fileOf(account, id)).bytes).toBe(8);
  clock.advance(1);
  await expect(services.exportJobs.get(account, id)).rejects.toMatchObject({ code: 'not_found' });
  expect((await services.exportJobs.list(account, { limit: 9, offset: 0 })).total).toBe(0);
  await services.removeExpired();
  expect(readdirSync(join(folder, 'jobs', account))).toEqual([imported]);
  clock.advance(30 * dayMs);
  await services.removeExpired();
  expect(readdirSync(join(folder, 'jobs', account))).toEqual([]);
});

it('one of several servers says that it knows only its own jobs', async () => {
  const id = 'j_aaaaaaaaaaaaaaaa';
  const several = open(() => Promise.resolve([account]));
  for (const jobs of ['importJobs', 'exportJobs'] as const) {
    await expect(several[jobs].get(account, id)).rejects.toThrow('ask that one');
    await expect(services[jobs].get(account, id)).rejects.not.toThrow('ask that one');
  }
  await several.close();
});

it('jobs of an account removed at another server are deleted with their files', async () => {
  let accounts = [account];
  await services.close();
  services = open(() => Promise.resolve(accounts));
  const id = await start();
  await untilBegun(1);
  await services.removeExpired();
  expect(await stateOf(id)).toBe('running');
  accounts = [];
  await services.removeExpired();
  await expect(stateOf(id)).rejects.toMatchObject({ code: 'not_found' });
  expect(existsSync(join(folder, 'jobs', account, id))).toBe(false);
});

it('an upload left by a killed process is removed', async () => {
  const left = join(folder, 'jobs', account, 'j_aaaaaaaaaaaaaaaa');
  await mkdir(join(left, 'upload'), { recursive: true });
  clock.setBy(Date.now() - clock.now() + dayMs);
  await services.removeExpired();
  expect(existsSync(left)).toBe(false);
});

it('internal errors are not shown to the client', async () => {
  const { id } = await services.exportJobs.begin(account, 'archive', undefined);
  const job = async () => services.exportJobs.get(account, id);
  while ((await job()).state !== 'failed') await new Promise((resolve) => setImmediate(resolve));
  expect((await job()).failure).toBe(
    'Something went wrong inside Commonplace. The log of the server says what; try again.',
  );
});

it('a full disk is reported to the client', async () => {
  around.before = () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOSPC' }));
  const { id } = await services.exportJobs.begin(account, 'csv', undefined);
  const job = async () => services.exportJobs.get(account, id);
  while ((await job()).state !== 'failed') await new Promise((resolve) => setImmediate(resolve));
  expect((await job()).failure).toBe(
    'There was too little room on the disk of the server. Free some space, and begin again.',
  );
});

it('a damaged record is ignored and deleted with its files', async () => {
  const id = await start();
  await untilBegun(1);
  begun[0]?.goOn();
  await untilEnded(id);
  await services.close();
  services = open();
  await writeFile(join(folder, 'jobs', account, id, 'job.json'), '');
  await expect(stateOf(id)).rejects.toMatchObject({ code: 'not_found' });
  const next = await start();
  await untilBegun(2);
  begun[1]?.goOn();
  await untilEnded(next);
  expect(await stateOf(next)).toBe('done');
  clock.setBy(Date.now() - clock.now() + dayMs);
  await services.removeExpired();
  expect(existsSync(join(folder, 'jobs', account, id))).toBe(false);
});

/** A folder where a record is written keeps it from being written. */
const inTheWay = (id: string) => join(folder, 'jobs', account, id, 'job.json.new');
const idOfJobAt = (place: string) => basename(dirname(place));

it('a job whose progress could not be written is finished, and says so', async () => {
  const logged = Promise.withResolvers<void>();
  onError = logged.resolve;
  around = {
    async before(place) {
      await mkdir(inTheWay(idOfJobAt(place)));
      clock.advance(1_001);
    },
    async after(place) {
      await logged.promise;
      await rm(inTheWay(idOfJobAt(place)), { recursive: true });
    },
  };
  const { id } = await services.exportJobs.begin(account, 'csv', undefined);
  const state = async () => (await services.exportJobs.get(account, id)).state;
  while (['waiting', 'running'].includes(await state())) await new Promise((resolve) => setImmediate(resolve));
  await services.close();
  services = open();
  expect(await state()).toBe('done');
});

it('a job that could not be resumed keeps its state', async () => {
  const id = await start();
  await untilBegun(1);
  await services.close();
  services = open();
  await mkdir(inTheWay(id));
  await expect(services.importJobs.resume(account, id)).rejects.toThrow('EISDIR');
  await rm(inTheWay(id), { recursive: true });
  expect(await stateOf(id)).toBe('interrupted');
  expect((await services.importJobs.cancel(account, id)).state).toBe('cancelled');
});

it('a long file name with multi-byte characters keeps its extension', async () => {
  const name = `${'長'.repeat(95)}😀.csv`;
  const { fileName } = await services.importJobs.receive(account, name, bytes('text'));
  expect(fileName).toMatch(/^長+😀\.csv$/u);
  expect(Buffer.byteLength(fileName)).toBeLessThanOrEqual(140);
});
