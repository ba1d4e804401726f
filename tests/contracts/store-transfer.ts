import { describe, expect, it } from 'vitest';
import type { ExportedItem } from '../../src/domain/records/exported.ts';
import type { Resource } from '../../src/domain/records/resource.ts';
import type { Store } from '../../src/store/store.ts';
import { claim, processToPassages, saveAndProcess, saving } from './store-items.ts';
import type { StoreUnderTest } from './store-under-test.ts';

const text = 'Feed the fox. It is hungry in winter, and tame in summer.';

export function transferContract(underTest: () => StoreUnderTest): void {
  const originalsOf = async (store: Store, item: ExportedItem): Promise<Resource[]> =>
    Promise.all(
      item.originals.map(async ({ name }) => {
        const { given: _, ...resource } = (await store.readOriginal(item.id, name))!;
        return resource;
      }),
    );
  const exportAll = async (store: Store): Promise<ExportedItem[]> => {
    const listed = await store.listToExport(0, 100);
    return Promise.all(listed.map(async ({ id }) => (await store.readToExport(id))!));
  };

  describe('taking a library along', () => {
    it('gives another account the same items, with their ids, in the same order', async () => {
      const { store, stores } = underTest();
      const goal = await store.addGoal({ title: 'Feed foxes', category: 'Relationships' });
      const first = await saveAndProcess(store, 'https://example.org/a', {
        text,
        passageLength: 20,
        actions: ['Feed the fox.'],
        save: { tags: ['Fox', 'winter'], notes: 'n' },
        document: { title: 'Foxes', author: 'Ann' },
        fingerprint: new Uint8Array(32).fill(3),
      });
      await store.saveContent(saving('https://example.org/pending'));
      await processToPassages(store, await claim(store), { text: 'Half of it is done.' });
      const [action] = (await store.listActions({ offset: 0 })).items;
      await store.updateAction(action!.id, { state: 'done', goalId: goal.id });
      await store.addHighlight({ contentId: first, quote: 'hungry in winter', note: 'zeppelin' });
      const items = await exportAll(store);
      expect(items.map(({ state }) => state)).toEqual(['completed', 'unfinished']);

      const account = await stores.control.createAccount({ name: 'other', plan: 'pro' });
      const other = await stores.open(account.id);
      expect(await other.restoreGoals(await store.listGoalsToExport())).toEqual(new Map([[goal.id, goal.id]]));
      for (const item of items)
        expect(await other.restoreItem(item, await originalsOf(store, item))).toMatchObject({ outcome: 'taken' });
      expect(await exportAll(other)).toEqual(items);
      expect(await other.listGoalsToExport()).toEqual(await store.listGoalsToExport());
      expect(await other.getContent(first)).toEqual(await store.getContent(first));
      expect(await other.listActions({ offset: 0 })).toEqual(await store.listActions({ offset: 0 }));
      expect((await other.searchWords('tame', {}, 5)).map(({ contentId }) => contentId)).toEqual([first]);
      expect((await other.listNames(5)).items).toEqual([{ id: first, title: 'Foxes' }]);
      expect((await claim(other)).contentId).toBe(items[1]!.id);
      for (const item of items)
        expect(await other.restoreItem(item, await originalsOf(store, item))).toMatchObject({ outcome: 'unchanged' });
    });

    it('replaces what is older here, and leaves alone what is newer or in the trash', async () => {
      const { store } = underTest();
      const id = await saveAndProcess(store, 'https://example.org/a', { text });
      const before = (await store.readToExport(id))!;
      const originals = await originalsOf(store, before);
      await store.updateContent(id, { notes: 'newer' });
      expect(await store.restoreItem(before, originals)).toEqual({ id, outcome: 'unchanged', leftOut: [] });
      const later = { ...before, notes: 'from elsewhere', updatedAt: before.updatedAt + 10_000 };
      expect(await store.restoreItem(later, originals)).toEqual({ id, outcome: 'merged', leftOut: [] });
      expect(await store.readToExport(id)).toEqual(later);
      expect((await store.listContent({ limit: 9, offset: 0 })).total).toBe(1);
      await store.deleteContent(id);
      expect(await store.restoreItem({ ...later, updatedAt: later.updatedAt + 1e9 }, originals)).toMatchObject({
        outcome: 'deleted',
      });
    });

    it('adds to an item that has the address and another id', async () => {
      const { store } = underTest();
      const id = await saveAndProcess(store, 'https://example.org/a', { text });
      const item = (await store.readToExport(id))!;
      const other = { ...item, id: 'c_aaaaaaaaaaaaaaaa', tags: ['theirs'], givenTitle: null };
      expect(await store.restoreItem(other, await originalsOf(store, item))).toMatchObject({ id, outcome: 'merged' });
      expect(await store.getContentSummary(id)).toMatchObject({ tags: ['theirs'] });
      expect(await store.readToExport(other.id)).toBeNull();
    });

    it('makes merged actions one again', async () => {
      const { store, stores } = underTest();
      for (const name of ['a', 'b'])
        await saveAndProcess(store, `https://example.org/${name}`, {
          text: `${text} ${name}`,
          actions: ['Feed the fox.'],
        });
      const items = await exportAll(store);
      const merges = items.flatMap(({ actions }) =>
        actions.flatMap(({ id, mergedInto }) => (mergedInto === null ? [] : [{ id, into: mergedInto }])),
      );
      expect(merges).toHaveLength(1);
      const account = await stores.control.createAccount({ name: 'other', plan: 'pro' });
      const other = await stores.open(account.id);
      for (const item of items) await other.restoreItem(item, await originalsOf(store, item));
      expect((await other.listActions({ offset: 0 })).total).toBe(2);
      await other.restoreMerges(merges);
      await other.restoreMerges(merges);
      expect(await exportAll(other)).toEqual(items);
      expect(await other.listActions({ offset: 0 })).toEqual(await store.listActions({ offset: 0 }));
    });
  });
}
