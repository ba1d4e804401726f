import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { dataPlaceOf } from '../../src/app/inspect-app.ts';
import { localAccountId, scopes } from '../../src/domain/records/account.ts';
import { placeCheck } from '../../src/services/operating/inspection.ts';
import { ManualClock } from '../support/clock.ts';
import { openTestServer } from '../support/test-server.ts';

let testServer: Awaited<ReturnType<typeof openTestServer>> | undefined;
afterEach(() => testServer?.close());

test('tokens without access are not counted as in use', async () => {
  const clock = new ManualClock();
  testServer = await openTestServer({ embedder: 'none' }, { clock });
  const { access } = testServer.app;
  const serving = async () => (await testServer?.app.inspect())?.find(({ name }) => name === 'Serving over HTTP');
  const create = (account: string, lifetimeMs?: number) =>
    access.createToken({ account, name: 'test', scopes, lifetimeMs });
  const { id: free } = await access.addAccount('Ada', 'free');

  await create(free);
  await create(localAccountId, 1_000);
  expect(await serving()).toMatchObject({ state: 'ok', detail: '2 accounts, 1 token in use: commonplace serve' });
  clock.advance(1_000);
  expect(await serving()).toMatchObject({
    state: 'optional',
    detail: expect.stringContaining('2 accounts, 0 tokens in use: other programs') as string,
  });
  const { id } = await create(localAccountId);
  expect(await serving()).toMatchObject({ state: 'ok' });
  await access.revokeToken(id);
  expect(await serving()).toMatchObject({ state: 'optional' });
});

test('a data folder in a synchronised folder causes a warning with advice', async () => {
  const above = await mkdtemp(join(tmpdir(), 'commonplace-synced-'));
  await mkdir(join(above, '.stfolder'));
  testServer = await openTestServer({ embedder: 'none', data: join(above, 'library') });
  const check = (await testServer.app.inspect()).find(({ name }) => name === 'Data folder');
  expect(check).toMatchObject({
    state: 'warning',
    detail: expect.stringContaining('Syncthing') as string,
    fix: expect.stringContaining('commonplace backup') as string,
  });
  await testServer.close();
  testServer = undefined;
  await rm(above, { recursive: true });
});

test('a nearly full disk causes a warning', () => {
  const place = (freeBytes: number | null) =>
    placeCheck({ dataFolder: '/data', dataPlace: { syncService: null, networkDrive: null, freeBytes } });
  expect(place(12.7 * 1024 * 1024)).toMatchObject({
    state: 'warning',
    detail: '/data, on a disk with 12 MB free.',
    fix: expect.stringContaining('Free some space') as string,
  });
  expect(place(1024 ** 3)).toEqual(place(null));
  expect(dataPlaceOf(tmpdir()).freeBytes).toBeGreaterThan(0);
});
