import { expect, test } from 'vitest';
import { openDataFolder } from '../../src/app/installations/data-folder.ts';
import { scopes } from '../../src/domain/records/account.ts';
import { newChange } from '../../src/domain/records/change.ts';
import { isoTime } from '../../src/domain/clock.ts';
import type { ExportedHistoryEntry } from '../../src/domain/records/transfers/exported.ts';
import { newId } from '../../src/domain/records/ids.ts';
import { ManualClock } from '../support/clock.ts';
import { textResource } from '../support/content.ts';
import { saveUrls } from '../support/store/stores.ts';
import { maxBetweenWritesMs } from '../../src/store/history/recording.ts';
import { temporaryFolder } from './temporary-folder.ts';

const dayMs = 86_400_000;

test('the history of an account stays within its size: the oldest changes are deleted, and the newest is always kept', async () => {
  const folder = temporaryFolder();
  const history = { keptMs: Number.MAX_SAFE_INTEGER, maxBytes: 20_000 };
  const clock = new ManualClock();
  const stores = await openDataFolder({ folder: folder.path, clock, history });
  const as = (operation: string) =>
    stores.open({ account: 'local', change: newChange({ face: 'cli', by: null, operation, scopes: [] }) });
  const store = await stores.open('local');
  const url = 'https://example.com/a';
  const save = { url, canonicalUrl: url, tags: [], notes: undefined };
  // Random bytes cannot be packed: replacing them keeps all of them.
  const bytes = crypto.getRandomValues(new Uint8Array(30_000));
  const { id } = await store.saveContent({ ...save, original: { ...textResource(url, ''), bytes } });
  for (let at = 0; at < 20; at += 1)
    await (await as('update_content')).updateContent(id, { notes: `${at}`.repeat(2_000) });
  const [notes] = await store.listNotesDue(1);
  expect(await store.keepNoteTasks(notes!, [])).toBe(true);
  const operations = async () => {
    const { items } = (await store.listHistory({ scopes, limit: 100, offset: 0 }))!;
    return items.map(({ operation }) => operation);
  };
  // Each change indexed the notes again: that is merged. No history goes while changes may go on.
  while (await store.maintain());
  expect(await operations()).toHaveLength(20);
  expect(await store.hasMaintenance()).toBe(false);
  clock.advance(maxBetweenWritesMs);
  expect(await store.hasMaintenance()).toBe(true);
  while (await store.maintain());
  const kept = (await operations()).length;
  expect([kept > 1, kept < 6]).toEqual([true, true]);
  expect(await store.hasMaintenance()).toBe(false);
  await (await as('save_content')).saveContent({ ...save, original: textResource(url, 'Other words.') });
  clock.advance(maxBetweenWritesMs);
  while (await store.maintain());
  expect(await operations()).toEqual(['save_content']);
  await (await as('update_content')).updateContent(id, { notes: 'last' });
  clock.advance(maxBetweenWritesMs);
  while (await store.maintain());
  expect(await operations()).toEqual(['update_content']);
  await stores.close();
  await folder.remove();
});

test('imported history ages, and is purged with its item', async () => {
  const folder = temporaryFolder();
  const clock = new ManualClock();
  const history = { keptMs: 20 * dayMs, maxBytes: 1_000_000 };
  const stores = await openDataFolder({ folder: folder.path, clock, history });
  const store = await stores.open('local');
  const ids = await saveUrls(store, ['https://example.com/a', 'https://example.com/b']);
  const entry = (at: number, of: string[]): ExportedHistoryEntry => ({
    id: newId('x'),
    at: isoTime(at),
    face: 'cli',
    by: null,
    operation: 'update_content',
    rows: of.length,
    undoneBy: null,
    undoes: null,
    changes: of.map((id) => ({
      id,
      contentId: null,
      title: 'T',
      field: 'notes',
      before: null,
      after: `note of ${id}`,
    })),
  });
  const [first = '', second = ''] = ids;
  const now = clock.now();
  const old = entry(now - 19 * dayMs, [second]);
  const [both, own] = [entry(now, ids), entry(now, [first])];
  await store.restoreHistory([old, both, own, entry(now - 21 * dayMs, ids), entry(now, [newId('c')])]);
  const listed = async () =>
    (await store.listHistory({ scopes, limit: 9, offset: 0 }))!.items.map(({ id, changes }) => [
      id,
      changes.map((change) => change.id),
    ]);
  while (await store.maintain());
  expect(await listed()).toEqual([
    [own.id, [first]],
    [both.id, ids],
    [old.id, [second]],
  ]);
  await store.deleteContent(first);
  clock.advance(2 * dayMs);
  while (await store.maintain());
  expect((await listed()).map(([id]) => id)).toEqual([own.id, both.id]);
  await stores.close();

  const longer = await openDataFolder({ folder: folder.path, clock, history: { ...history, keptMs: 90 * dayMs } });
  const later = await longer.open('local');
  clock.advance(30 * dayMs);
  expect(await later.purgeExpired(9)).toBe(1);
  const left = (await later.listHistory({ scopes, limit: 9, offset: 0 }))!.items;
  expect(left).toMatchObject([{ id: both.id, changes: [{ id: second, after: `note of ${second}` }] }]);
  await longer.close();
  await folder.remove();
});
