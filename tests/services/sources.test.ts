import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { isSetFolder } from '../../src/app/folder-sources.ts';
import { localAccountId } from '../../src/domain/records/account.ts';
import { type ChangeFace, newChange } from '../../src/domain/records/change.ts';
import { ProcessingError } from '../../src/errors.ts';
import { createSourcesService, type FindFeeds, type SourcesService } from '../../src/services/library/sources.ts';
import { ManualClock } from '../support/clock.ts';
import { openStores, type TestStores } from '../support/store/stores.ts';

let opened: TestStores;
let sources: SourcesService;
let feeds: Awaited<ReturnType<FindFeeds>> | Error;
const { signal } = new AbortController();

const by = (face: ChangeFace) => ({
  account: localAccountId,
  change: newChange({ face, by: null, operation: 'update_source', scopes: ['content:write'] }),
});

beforeEach(async () => {
  opened = await openStores(new ManualClock());
  sources = createSourcesService({
    stores: opened.stores,
    findFeeds: () => (feeds instanceof Error ? Promise.reject(feeds) : Promise.resolve(feeds)),
    save: () => Promise.reject(new Error('nothing is saved here')),
    settingOf: ({ kind }) => Promise.resolve(kind === 'mailbox' ? 'mailbox' : null),
    wake: () => undefined,
  });
});
afterEach(() => opened.close());

test('following takes the first feed of a page, by its title, and names the others', async () => {
  feeds = [
    { address: 'https://blog.example/feed', title: 'A blog' },
    { address: 'https://blog.example/comments', title: 'Comments' },
  ];
  const follow = () => sources.follow(by('cli'), { address: 'https://blog.example/', options: {} }, signal);
  const { source, isKnown, others } = await follow();
  expect(source).toMatchObject({ kind: 'feed', address: 'https://blog.example/feed', name: 'A blog' });
  expect(others).toEqual([feeds[1]]);
  expect([isKnown, (await follow()).isKnown]).toEqual([false, true]);
});

test('an address that cannot be followed is refused with the reason', async () => {
  const follow = (address: string) => sources.follow(by('cli'), { address, options: {} }, signal);
  feeds = [];
  await expect(follow('https://blog.example/')).rejects.toThrow('There is no feed at this address');
  feeds = new ProcessingError('timeout', 'The site did not answer in time.');
  await expect(follow('https://blog.example/')).rejects.toThrow('The site did not answer in time.');
  await expect(follow('file:///etc/passwd')).rejects.toMatchObject({ code: 'invalid_input' });
});

test('no token makes this machine read its disk: a paused folder is resumed on its own machine', async () => {
  const { id } = await opened.store.addSource({ kind: 'folder', address: '/home/someone', name: 'someone' });
  for (const face of ['rest', 'mcp'] as const) {
    await sources.update(by(face), id, { state: 'paused' });
    await expect(sources.update(by(face), id, { state: 'active' })).rejects.toMatchObject({
      code: 'insufficient_scope',
    });
    expect(await sources.get(localAccountId, id)).toMatchObject({ state: 'paused' });
    expect(await sources.update(by('page'), id, { state: 'active' })).toMatchObject({ state: 'active' });
  }
});

test('a source from a setting cannot be removed before the setting', async () => {
  const { id } = await opened.store.addSource({ kind: 'mailbox', address: '/home/someone/Maildir', name: 'Letters' });
  await expect(sources.delete(by('page'), id)).rejects.toThrow('The setting `mailbox` adds it again');
  const feed = await opened.store.addSource({ kind: 'feed', address: 'https://blog.example/feed', name: 'A blog' });
  expect(await sources.delete(by('page'), feed.id)).toMatchObject({ id: feed.id });
});

test('a folder that the settings name by a link belongs to the settings, even while it is missing', async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'commonplace-linked-')));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const [notes, link, absent] = [join(root, 'notes'), join(root, 'link'), join(root, 'absent')];
  mkdirSync(notes);
  symlinkSync(notes, link);
  expect(await isSetFolder(notes, [absent, link])).toBe(true);
  expect(await isSetFolder(absent, [absent, link])).toBe(true);
  expect(await isSetFolder(root, [absent, link])).toBe(false);
});
