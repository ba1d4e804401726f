import { describe, expect, it } from 'vitest';
import type { ExportedItem } from '../../../../src/domain/records/transfers/exported.ts';
import { addressOfUpload } from '../../../../src/domain/links/shown-address.ts';
import { newChange } from '../../../../src/domain/records/change.ts';
import type { Resource } from '../../../../src/domain/records/resource.ts';
import type { Store, Stores } from '../../../../src/store/store.ts';
import { placeAll, withoutTime } from './store-highlights.ts';
import { claim, processToPassages, saveAndProcess, saving } from '../items/store-items.ts';
import type { StoreUnderTest } from '../store-under-test.ts';

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

  /** How many passages have a word that stands in a note alone. */
  const countFound = async (store: Store): Promise<number> =>
    underTest().hasSearch ? (await store.searchWords('zeppelin', {}, 5)).length : 0;
  const isFound = (): number => (underTest().hasSearch ? 1 : 0);

  describe('exporting and importing a library', () => {
    it('has a new state after each change of exported data, and no other', async () => {
      const { store } = underTest();
      const states = [await store.stateToExport()];
      const id = await saveAndProcess(store, 'https://example.org/a', { text });
      states.push(await store.stateToExport());
      await store.updateContent(id, { tags: ['fox'] });
      states.push(await store.stateToExport());
      expect(await store.stateToExport()).toBe(states[2]);
      await store.deleteContent(id);
      expect(await store.stateToExport()).toBe(states[0]);
      expect(new Set(states).size).toBe(3);
    });

    it('gives another account the same items, with their ids, in the same order', async () => {
      const { store, stores, hasSearch } = underTest();
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
      // Its site has no picture for it.
      const original = (await store.readOriginal(first))!;
      await store.keepCompanion(first, 'picture', { ...original, bytes: new Uint8Array() });
      const items = await exportAll(store);
      expect(items.map(({ state }) => state)).toEqual(['completed', 'unfinished']);

      const account = await stores.control.createAccount({ name: 'other', plan: 'pro' });
      const other = await stores.open(account.id);
      expect(await other.restoreGoals(await store.listGoalsToExport())).toEqual(new Map([[goal.id, goal.id]]));
      for (const item of items)
        expect(await other.restoreItem(item, await originalsOf(store, item))).toMatchObject({ outcome: 'taken' });
      expect(await exportAll(other)).toEqual(items);
      expect((await other.readOriginal(first, 'picture'))?.bytes.length).toBe(0);
      expect(await other.listGoalsToExport()).toEqual(await store.listGoalsToExport());
      expect(await other.getContent(first)).toEqual(await store.getContent(first));
      expect(await other.listActions({ offset: 0 })).toEqual(await store.listActions({ offset: 0 }));
      const found = hasSearch ? await other.searchWords('tame', {}, 5) : [];
      expect(found.map(({ contentId }) => contentId)).toEqual(hasSearch ? [first] : []);
      expect((await other.listNames(5)).items).toEqual([{ id: first, title: 'Foxes' }]);
      expect((await claim(other)).contentId).toBe(items[1]!.id);
      for (const item of items)
        expect(await other.restoreItem(item, await originalsOf(store, item))).toMatchObject({ outcome: 'unchanged' });
    });

    it('shows no address of an uploaded file, even in stored links, and exports it as stored', async () => {
      const { store } = underTest();
      const url = addressOfUpload('foxes.pdf', 'ab'.repeat(32));
      const id = await saveAndProcess(store, url, { text, actions: ['Feed the fox.'] });
      const stored = (await store.readToExport(id))!;
      const linked = { url: `${url}#page=2` };
      const older = {
        ...stored,
        insights: [{ version: 1, text, quote: text, start: 0, end: text.length, locator: null, ...linked }],
        actions: stored.actions.map((action) => ({ ...action, ...linked })),
        updatedAt: stored.updatedAt + 1,
      };
      expect(await store.restoreItem(older, await originalsOf(store, stored))).toMatchObject({ outcome: 'merged' });
      expect(await store.readToExport(id)).toMatchObject({ url, insights: [linked], actions: [linked] });
      const item = (await store.getContent(id))!;
      expect(item).toMatchObject({ url: null, canonicalUrl: null, fileName: 'foxes.pdf' });
      expect([...item.keyInsights, ...item.actions].map((one) => one.url)).toEqual([null, null]);
      expect((await store.listActions({ offset: 0 })).items).toMatchObject([{ url: null }]);
    });

    it('replaces older records and leaves newer or deleted ones alone', async () => {
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

    it('overwrites newer and deleted items on request', async () => {
      const { store, stores } = underTest();
      for (const name of ['a', 'b'])
        await saveAndProcess(store, `https://example.org/${name}`, {
          text: `${text} ${name}`,
          actions: ['Feed the fox.'],
        });
      const items = await exportAll(store);
      const { id } = await stores.control.createAccount({ name: 'other', plan: 'pro' });
      const other = await stores.open(id);
      const restoreAll = async (replaces: 'older' | 'any') => {
        const given = await Promise.all(
          items.map(async (item) => ({ item, originals: await originalsOf(store, item) })),
        );
        if (replaces === 'any') await other.restoreItems(given);
        else for (const { item, originals } of given) await other.restoreItem(item, originals);
        const merges = items.flatMap(({ actions }) =>
          actions.flatMap((action) => (action.mergedInto === null ? [] : [{ id: action.id, into: action.mergedInto }])),
        );
        await other.restoreMerges(merges);
      };
      await restoreAll('older');
      await other.updateContent(items[0]!.id, { notes: 'newer' });
      await other.deleteContent(items[1]!.id);
      await restoreAll('older');
      expect(await exportAll(other)).toMatchObject([{ notes: 'newer' }]);
      await restoreAll('any');
      expect(await exportAll(other)).toEqual(items);
      // The merged action had moved on when its first item was deleted.
      await other.deleteContent(items[0]!.id);
      await restoreAll('any');
      expect(await exportAll(other)).toEqual(items);
      expect(await other.listActions({ offset: 0 })).toEqual(await store.listActions({ offset: 0 }));
    });

    const asChange = async (stores: Stores, account: string, operation: string) => {
      const change = newChange({ face: 'cli', by: null, operation, scopes: ['content:write'] });
      return { change, store: await stores.open({ account, change }) };
    };

    it('can be undone: new items are deleted, and the next import takes them again', async () => {
      const { store, stores } = underTest();
      const { id: contentId } = await store.saveContent(saving('https://example.org/a'));
      await store.addAction({
        contentId,
        title: 'Buy feed',
        due: '2026-03-31',
        priority: 'low',
        snoozedUntil: '2026-03-01',
      });
      const id = await saveAndProcess(store, 'https://example.org/a', {
        text,
        passageLength: 20,
        actions: ['Feed the fox.'],
        save: { tags: ['Fox'], notes: 'n' },
      });
      await store.addHighlight({ contentId: id, quote: 'hungry in winter', note: 'zeppelin' });
      await placeAll(store);
      const item = (await store.readToExport(id))!;
      const originals = await originalsOf(store, item);
      const { id: account } = await stores.control.createAccount({ name: 'other', plan: 'pro' });
      const other = await stores.open(account);
      const seen = async () => {
        const { highlights, ...whole } = (await other.getContent(id))!;
        return {
          whole,
          highlights: highlights?.map(withoutTime),
          actions: await other.listActions({ offset: 0 }),
          hits: await countFound(other),
        };
      };
      const first = await asChange(stores, account, 'import');
      expect(await first.store.restoreItem(item, originals)).toMatchObject({ outcome: 'taken' });
      const taken = await seen();
      expect(taken.hits).toBe(isFound());
      for (const time of [1, 2]) {
        const undoing = await asChange(stores, account, 'undo');
        expect(await undoing.store.undo(first.change.id, { force: false }), `time ${time}`).toMatchObject({
          outcome: 'undone',
          conflicts: [],
        });
        expect(await other.listContent({ limit: 9, offset: 0 })).toMatchObject({ total: 0 });
        expect(await other.listActions({ offset: 0 })).toMatchObject({ total: 0 });
        expect(await other.listHighlights({ offset: 0 })).toMatchObject({ total: 0 });
        const again = await asChange(stores, account, 'undo');
        await again.store.undo(undoing.change.id, { force: false });
        await placeAll(other);
        expect(await seen(), `time ${time}`).toEqual(taken);
      }
      const undoing = await asChange(stores, account, 'undo');
      expect(await undoing.store.undo(first.change.id, { force: false })).toMatchObject({ outcome: 'undone' });
      for (const time of [1, 2]) {
        const { change, store: importing } = await asChange(stores, account, 'import');
        expect(await importing.restoreItem(item, originals), `time ${time}`).toMatchObject({ outcome: 'taken' });
        expect(await seen(), `time ${time}`).toEqual(taken);
        const later = await asChange(stores, account, 'undo');
        expect(await later.store.undo(change.id, { force: false }), `time ${time}`).toMatchObject({
          outcome: 'undone',
          conflicts: [],
        });
        expect(await other.getContent(id)).toBeNull();
      }
    });

    it('can be undone: replaced records are restored', async () => {
      const { store, stores } = underTest();
      const id = await saveAndProcess(store, 'https://example.org/a', {
        text,
        passageLength: 20,
        actions: ['Feed the fox.'],
        save: { tags: ['Fox'], notes: 'n' },
      });
      await store.addHighlight({ contentId: id, quote: 'hungry in winter', note: 'zeppelin' });
      await store.addHighlight({ contentId: id, quote: 'tame in summer' });
      await placeAll(store);
      const seen = async () => {
        const { highlights, ...whole } = (await store.getContent(id))!;
        return {
          whole,
          highlights: highlights?.map(withoutTime),
          actions: (await store.listActions({ offset: 0 })).items,
          hits: await countFound(store),
        };
      };
      const before = await seen();
      const item = (await store.readToExport(id))!;
      const later: ExportedItem = {
        ...item,
        notes: 'from elsewhere',
        tags: ['Other'],
        updatedAt: item.updatedAt + 10_000,
        actions: item.actions.map((action) => ({
          ...action,
          title: 'Feed it',
          state: 'done',
          touchedAt: 5,
          completedAt: 5,
        })),
        highlights: item.highlights.slice(0, 1).map((one) => ({ ...one, note: 'dirigible' })),
      };
      const { change, store: importing } = await asChange(stores, 'local', 'import');
      expect(await importing.restoreItem(later, await originalsOf(store, item))).toMatchObject({ outcome: 'merged' });
      const after = await seen();
      expect(after.hits).toBe(0);
      const undoing = await asChange(stores, 'local', 'undo');
      expect(await undoing.store.undo(change.id, { force: false })).toMatchObject({ outcome: 'undone', conflicts: [] });
      await placeAll(store);
      expect(await seen()).toEqual(before);
      const again = await asChange(stores, 'local', 'undo');
      expect(await again.store.undo(undoing.change.id, { force: false })).toMatchObject({
        outcome: 'undone',
        conflicts: [],
      });
      await placeAll(store);
      expect(await seen()).toEqual(after);
    });

    it('is undone only with force where its text replaced actions of the previous one', async () => {
      const { store, stores } = underTest();
      const id = await saveAndProcess(store, 'https://example.org/a', { text, actions: ['Feed the fox.'] });
      const item = (await store.readToExport(id))!;
      const later: ExportedItem = {
        ...item,
        notes: 'from elsewhere',
        updatedAt: item.updatedAt + 10_000,
        documents: item.documents.map((document) => ({ ...document, text: document.text.replace('Feed', 'Seek') })),
        actions: [],
      };
      const { change, store: importing } = await asChange(stores, 'local', 'import');
      expect(await importing.restoreItem(later, await originalsOf(store, item))).toMatchObject({ outcome: 'merged' });
      const undoing = await asChange(stores, 'local', 'undo');
      expect(await undoing.store.undo(change.id, { force: false })).toMatchObject({
        outcome: 'changed_since',
        conflicts: [{ field: 'title', before: 'Feed the fox.', canForce: false }],
      });
      expect(await store.readToExport(id)).toEqual(later);
      expect(await undoing.store.undo(change.id, { force: true })).toMatchObject({ outcome: 'undone' });
      expect(await store.getContentSummary(id)).toMatchObject({ notes: item.notes });
    });

    it('is undone with its goals, unless somebody has used them since', async () => {
      const { store, stores } = underTest();
      const goal = await store.addGoal({ title: 'Feed foxes', category: 'Relationships' });
      const id = await saveAndProcess(store, 'https://example.org/a', { text, actions: ['Feed the fox.'] });
      const [action] = (await store.listActions({ offset: 0 })).items;
      await store.updateAction(action!.id, { goalId: goal.id });
      const item = (await store.readToExport(id))!;
      const { id: other } = await stores.control.createAccount({ name: 'other', plan: 'pro' });
      const importOnce = async () => {
        const { change, store: importing } = await asChange(stores, other, 'import');
        await importing.restoreGoals(await store.listGoalsToExport());
        await importing.restoreItem(item, await originalsOf(store, item));
        return change.id;
      };
      const undo = async (change: string) =>
        (await asChange(stores, other, 'undo')).store.undo(change, { force: false });
      expect(await undo(await importOnce())).toMatchObject({ outcome: 'undone' });
      const theirs = await stores.open(other);
      expect((await theirs.listGoals({ offset: 0 })).total).toBe(0);
      const again = await importOnce();
      const own = await saveAndProcess(theirs, 'https://example.org/b', {
        text: 'Help a fox.',
        actions: ['Help a fox.'],
      });
      await theirs.updateAction((await theirs.getContent(own))!.actions[0]!.id, { goalId: goal.id });
      expect(await undo(again)).toMatchObject({ outcome: 'changed_since', conflicts: [{ id: goal.id }] });
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

    it('merges merged actions again', async () => {
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
