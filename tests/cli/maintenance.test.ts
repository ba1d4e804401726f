import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { backUpWhenDue, runMaintenance } from '../../src/cli/commands/serve.ts';
import {
  backupsHolding,
  newestBackup,
  recoverLibrary,
  removeExpiredBackups,
  restoreBackup,
  verifyBackup,
  writeBackup,
} from '../../src/store/sqlite/backup/backups.ts';
import { openTestServer } from '../support/test-server.ts';

const hourMs = 60 * 60_000;
let testServer: Awaited<ReturnType<typeof openTestServer>>;
let folder: string;
let now: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commonplace-kept-'));
  testServer = await openTestServer({ backupTo: folder });
  now = Date.UTC(2026, 5, 1, 8);
  // Its library is made when it is first used.
  await (await testServer.app.stores.open('local')).nextJobDueAt();
});
afterEach(async () => {
  await testServer.close();
  await rm(folder, { recursive: true });
});

const backups = {
  now: () => now,
  write: writeBackup,
  verify: verifyBackup,
  restore: restoreBackup,
  recover: recoverLibrary,
  holding: backupsHolding,
  newest: newestBackup,
  removeExpired: removeExpiredBackups,
};
const look = () => backUpWhenDue({ app: testServer.app, backups, signal: new AbortController().signal });
const names = async () => (await readdir(folder)).toSorted();

test('a server writes a backup when the newest is too old and keeps backups by the retention rules', async () => {
  await look();
  expect(await names()).toEqual(['commonplace-2026-06-01T080000Z.zip']);
  now += 23 * hourMs;
  await look();
  expect(await names()).toHaveLength(1);
  for (let times = 0; times < 12; times += 1) {
    now += 25 * hourMs;
    await look();
  }
  // The newest of seven days, and of the week before them.
  expect(await names()).toEqual(
    ['07T12', '08T13', '09T14', '10T15', '11T16', '12T17', '13T18', '14T19'].map(
      (time) => `commonplace-2026-06-${time}0000Z.zip`,
    ),
  );
  expect(await backupsHolding(folder, 'local')).toHaveLength(8);
  expect(await backupsHolding(folder, 'u_aaaaaaaaaaaaaaaa')).toEqual([]);
  // Whoever writes one by hand names it as they like.
  await rename(join(folder, 'commonplace-2026-06-13T180000Z.zip'), join(folder, 'before-the-move'));
  await mkdir(join(folder, 'a-folder.zip'));
  await writeFile(join(folder, 'empty'), '');
  const holding = await backupsHolding(folder, 'local');
  expect(holding).toHaveLength(8);
  expect(holding).toContain(join(folder, 'before-the-move'));
});

test('a backup from the future or an unrelated file does not prevent a backup', async () => {
  await writeFile(join(folder, 'commonplace-2030-01-01T000000Z.zip'), 'x');
  await writeFile(join(folder, 'other.zip'), 'x');
  await look();
  expect(await names()).toContain('commonplace-2026-06-01T080000Z.zip');
  now += hourMs;
  await look();
  expect(await backupsHolding(folder, 'local')).toEqual([join(folder, 'commonplace-2026-06-01T080000Z.zip')]);
});

test('a failing maintenance task does not prevent the others', async () => {
  const ending = new AbortController();
  const failing = () => Promise.reject(new Error('a damaged file'));
  const app = {
    ...testServer.app,
    access: { ...testServer.app.access, removeExpiredAccounts: failing },
    libraryJobs: { ...testServer.app.libraryJobs, removeExpired: failing },
  };
  const last: typeof removeExpiredBackups = (...asked) => {
    ending.abort();
    return removeExpiredBackups(...asked);
  };
  await runMaintenance({ app, backups: { ...backups, removeExpired: last }, signal: ending.signal });
  expect(await names()).toHaveLength(1);
});
