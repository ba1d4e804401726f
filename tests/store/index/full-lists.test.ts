import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDataFolder } from '../../../src/app/installations/data-folder.ts';
import { createSystemClock } from '../../../src/workers/system-clock.ts';
import { newChange } from '../../../src/domain/records/change.ts';
import { newId } from '../../../src/domain/records/ids.ts';
import { maxListItems } from '../../../src/domain/records/limits.ts';
import { exportedList } from '../../../src/domain/records/transfers/exported.ts';
import { moveLibrary } from '../../../src/services/moving/move.ts';
import type { Store, Stores } from '../../../src/store/store.ts';
import { saving } from '../contracts/items/store-items.ts';
import { putNewLibrary } from '../../support/store/new-library.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/* A list that has as many items as a list may have. The steps are those of both engines. */

let stores: Stores;
const folder = temporaryFolder();

beforeEach(async () => {
  await putNewLibrary(folder.path);
  stores = await openDataFolder({ folder: folder.path, clock: createSystemClock() });
});
afterEach(async () => {
  await stores.close();
  folder.remove();
});

test('a full list accepts nothing from an import, a restricted save or an undo', async () => {
  const store = await stores.open('local');
  const { id } = await store.addList({ name: 'Full' });
  const entries = Array.from({ length: maxListItems + 1 }, (_, at) => {
    const url = `https://example.com/full/${at}`;
    return { url, canonicalUrl: url, notes: null, tags: [], title: null, createdAt: null };
  });
  const ids = (await store.importContent(entries)).map((imported) => imported.id);
  const last = ids.at(-1) ?? '';
  const [list] = await store.listListsToExport();
  expect(await store.restoreLists([{ ...list!, items: ids }], 'older')).toEqual(['Full']);
  const full = { id, items: maxListItems };
  expect(await store.getList('Full')).toMatchObject(full);
  const held = { lists: [id], tags: [] };
  const invalid = { code: 'invalid_input' };
  await expect(store.saveContent({ ...saving('https://example.com/held'), held })).rejects.toMatchObject(invalid);
  expect(await store.findByAddress('https://example.com/held')).toBeNull();
  const change = newChange({ face: 'cli', by: null, operation: 'take_from_list', scopes: ['content:write'] });
  await (await stores.open({ account: 'local', change })).removeFromList('Full', ids.slice(0, 1));
  await store.addToList('Full', [last]);
  const undo = newChange({ face: 'cli', by: null, operation: 'undo', scopes: ['content:write'] });
  const undoing = (await stores.open({ account: 'local', change: undo })).undo(change.id, { force: true });
  await expect(undoing).rejects.toMatchObject(invalid);
  expect(await store.getList('Full')).toMatchObject(full);
  const [exported] = await store.listListsToExport();
  const more = { ...exported!, items: [...exported!.items!, ...ids.slice(0, 1)] };
  expect(exportedList.safeParse(more).success).toBe(true);
}, 60_000);

test('a move fails when the other library has no room for a list', async () => {
  const library = (lists: unknown[]) => ({
    listToExport: () => Promise.resolve([]),
    listGoalsToExport: () => Promise.resolve([]),
    restoreGoals: () => Promise.resolve(new Map()),
    listListsToExport: () => Promise.resolve(lists),
    restoreLists: () => Promise.resolve(['Full']),
    readHistoryToExport: () => Promise.resolve({ entries: [], next: null }),
  });
  const [from, to] = [library([{ id: newId('l') }]), library([])] as unknown as [Store, Store];
  const { signal } = new AbortController();
  await expect(moveLibrary(from, to, { signal })).rejects.toThrow('no room for all items of these lists: Full');
});
