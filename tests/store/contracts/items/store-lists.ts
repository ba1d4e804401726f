import { beforeEach, describe, expect, it } from 'vitest';
import { scopes } from '../../../../src/domain/records/account.ts';
import { newChange } from '../../../../src/domain/records/change.ts';
import { newId } from '../../../../src/domain/records/ids.ts';
import { maxLists } from '../../../../src/domain/records/limits.ts';
import type { Store } from '../../../../src/store/store.ts';
import { saving } from './store-items.ts';
import type { StoreUnderTest } from '../store-under-test.ts';

export function listContract(underTest: () => StoreUnderTest): void {
  describe('lists', () => {
    let ids: string[];
    const page = { limit: 100, offset: 0 };

    beforeEach(async () => {
      const { store } = underTest();
      ids = [];
      for (const name of ['a', 'b', 'c', 'd', 'e'])
        ids.push((await store.saveContent(saving(`https://example.com/${name}`))).id);
    });

    const itemsOf = async (list: string) =>
      (await underTest().store.listContent({ ...page, filter: { list } })).items.map(({ id }) => id);
    const namesIn = async () => (await underTest().store.listLists()).map(({ name }) => name);
    /** By number, counted from 0. */
    const numbersIn = async (list: string) => (await itemsOf(list)).map((id) => ids.indexOf(id));
    const some = (...numbers: number[]) => numbers.map((number) => ids[number] ?? '');

    const as = async (operation: string) => {
      const change = newChange({ face: 'cli', by: null, operation, scopes: ['content:write'] });
      return { change, store: await underTest().stores.open({ account: 'local', change }) };
    };
    const undo = async (id: string, force = false) => {
      const { store, change } = await as('undo');
      return { undone: await store.undo(id, { force }), change };
    };
    const seen = async () => {
      const { store } = underTest();
      const lists = (await store.listLists()).map((list) => ({ ...list, updatedAt: null }));
      return { lists, items: await Promise.all(lists.map(({ id }) => itemsOf(id))) };
    };

    it('have a name, an icon and an order', async () => {
      const { store } = underTest();
      const work = await store.addList({ name: 'Work', icon: '💼' });
      expect(work).toMatchObject({ name: 'Work', icon: '💼', query: null, items: 0 });
      expect(work.id).toMatch(/^l_[a-z2-7]{16}$/);
      for (const name of ['Reading', 'Café', 'Later']) await store.addList({ name });
      expect(await namesIn()).toEqual(['Work', 'Reading', 'Café', 'Later']);
      expect(await store.getList('CAFÉ')).toMatchObject({ name: 'Café', icon: null });
      expect(await store.getList(work.id)).toEqual(work);
      expect(await store.getList('none')).toBeNull();
      await store.updateList('Later', { position: 0 });
      await store.updateList('Work', { position: 2, name: 'Work, mostly', icon: '' });
      expect(await namesIn()).toEqual(['Later', 'Reading', 'Work, mostly', 'Café']);
      await store.updateList('reading', { position: 99, name: 'READING' });
      expect(await namesIn()).toEqual(['Later', 'Work, mostly', 'Café', 'READING']);
      expect(await store.getList(work.id)).toMatchObject({ icon: null });
      expect(await store.updateList('none', { name: 'x' })).toBeNull();
      await expect(store.updateList('Later', { name: 'café' })).rejects.toMatchObject({ code: 'invalid_input' });
      // The same name again is the same list.
      expect(await store.addList({ name: 'café', icon: '☕' })).toMatchObject({ name: 'Café', icon: '☕' });
      await expect(store.addList({ name: 'Café', query: 'tag:x' })).rejects.toMatchObject({ code: 'invalid_input' });
    });

    it('can be reordered without limit', async () => {
      const { store } = underTest();
      for (const name of ['1', '2', '3']) await store.addList({ name });
      await store.addToList('1', ids);
      let order = [0, 1, 2, 3, 4];
      for (let time = 0; time < 40; time += 1) {
        await store.updateList('3', { position: 1 });
        await store.updateList('2', { position: 1 });
        await store.addToList('1', some(order[4] ?? 0), 1);
        order = [order[0], order[4], order[1], order[2], order[3]].map((number) => number ?? 0);
      }
      expect(await namesIn()).toEqual(['1', '2', '3']);
      expect(await numbersIn('1')).toEqual(order);
    });

    it('hold items in their order', async () => {
      const { store } = underTest();
      await store.addList({ name: 'Work' });
      const added = await store.addToList('work', [...some(2, 0), 'c_none', ...some(2)]);
      expect(added).toMatchObject({ changed: 2, missing: ['c_none'], list: { name: 'Work', items: 2 } });
      await store.addToList('Work', some(1, 0));
      expect(await numbersIn('Work')).toEqual([2, 0, 1]);
      await store.addToList('Work', some(3, 1), 0);
      expect(await numbersIn('Work')).toEqual([3, 1, 2, 0]);
      await store.addToList('Work', some(4, 3), 2);
      expect(await numbersIn('Work')).toEqual([1, 2, 4, 3, 0]);
      await store.addToList('Work', some(1), 100);
      expect(await numbersIn('Work')).toEqual([2, 4, 3, 0, 1]);
      const pages = await store.listContent({ limit: 2, offset: 1, filter: { list: 'Work' } });
      expect(pages.total).toBe(5);
      expect(pages.items.map(({ id }) => ids.indexOf(id))).toEqual([4, 3]);
      expect((await store.listContent({ ...page, filter: { list: 'Work' }, order: 'oldest' })).items[0]?.id).toBe(
        ids[0],
      );
      expect((await store.listTitles({ ...page, filter: { list: 'Work' } })).items.map(({ id }) => id)).toEqual(
        some(2, 4, 3, 0, 1),
      );
      const removed = await store.removeFromList('Work', [...some(4, 2), 'c_none']);
      expect(removed).toMatchObject({ changed: 2, missing: ['c_none'], list: { items: 3 } });
      expect(await store.removeFromList('Work', some(4))).toMatchObject({ changed: 0 });
      expect(await numbersIn('Work')).toEqual([3, 0, 1]);
      expect(await store.addToList('none', ids)).toBeNull();
      expect(await store.removeFromList('none', ids)).toBeNull();
      await expect(itemsOf('none')).rejects.toMatchObject({ code: 'invalid_input' });
    });

    it('are named by their items, whose version changes with them', async () => {
      const { store } = underTest();
      const { id } = await store.addList({ name: 'Work' });
      const { id: later } = await store.addList({ name: 'Later' });
      const versions = [await store.getContentVersion(ids[0] ?? '')];
      const changes = [
        () => store.addToList('Later', some(0)),
        () => store.addToList('Work', some(0)),
        () => store.updateList('Work', { name: 'Working' }),
      ];
      for (const change of changes) {
        await change();
        versions.push(await store.getContentVersion(ids[0] ?? ''));
      }
      expect(new Set(versions).size).toBe(4);
      expect((await store.getContent(ids[0] ?? ''))?.lists).toEqual([
        { id, name: 'Working' },
        { id: later, name: 'Later' },
      ]);
      expect(await store.getContent(ids[1] ?? '')).not.toHaveProperty('lists');
    });

    it('hide a deleted item and take it back at its position', async () => {
      const { store } = underTest();
      await store.addList({ name: 'Work' });
      await store.addToList('Work', ids);
      await store.deleteContent(ids[2] ?? '');
      expect(await numbersIn('Work')).toEqual([0, 1, 3, 4]);
      expect(await store.listLists()).toMatchObject([{ items: 4 }]);
      expect(await store.addToList('Work', some(2))).toMatchObject({ missing: some(2) });
      await store.addToList('Work', some(4), 2);
      await store.restoreContent(ids[2] ?? '');
      expect((await numbersIn('Work')).toSorted()).toEqual([0, 1, 2, 3, 4]);
      expect(await store.getList('Work')).toMatchObject({ items: 5 });
    });

    it('are deleted without their items', async () => {
      const { store } = underTest();
      const { id } = await store.addList({ name: 'Work' });
      await store.addToList('Work', ids);
      expect(await store.deleteList('work')).toMatchObject({ id, items: 5 });
      expect(await store.deleteList(id)).toBeNull();
      expect(await store.listLists()).toEqual([]);
      expect((await store.listContent(page)).total).toBe(5);
      expect(await store.getContent(ids[0] ?? '')).not.toHaveProperty('lists');
    });

    it('are limited in number', async () => {
      const { store } = underTest();
      const made = Array.from({ length: maxLists }, (_, at) => ({
        id: newId('l'),
        name: `List ${at}`,
        icon: null,
        query: null,
        ordinal: 0,
        createdAt: 0,
        updatedAt: 0,
        items: at === 0 ? ids : [],
      }));
      expect(await store.restoreLists(made.slice(0, -1), 'older')).toEqual([]);
      await store.addList({ name: 'The last one' });
      await expect(store.addList({ name: 'One more' })).rejects.toThrow(`There are ${maxLists} lists already`);
      expect(await store.restoreLists(made, 'older')).toEqual([`List ${maxLists - 1}`]);
      expect(await itemsOf('List 0')).toEqual(ids);
    });

    it('of two accounts are independent', async () => {
      const { store, stores } = underTest();
      const account = (await stores.control.createAccount({ name: 'other', plan: 'pro' })).id;
      const other = await stores.open(account);
      const theirs = (await other.saveContent(saving('https://example.com/a'))).id;
      const { id } = await store.addList({ name: 'Work' });
      await store.addToList('Work', ids);
      expect(await other.listLists()).toEqual([]);
      for (const named of [id, 'Work']) {
        expect(await other.getList(named)).toBeNull();
        expect(await other.updateList(named, { name: 'Mine' })).toBeNull();
        expect(await other.addToList(named, [theirs])).toBeNull();
        expect(await other.removeFromList(named, ids)).toBeNull();
        expect(await other.deleteList(named)).toBeNull();
      }
      await other.addList({ name: 'Work' });
      expect(await other.addToList('Work', [...ids, theirs])).toMatchObject({ changed: 1, missing: ids });
      expect(await numbersIn('Work')).toEqual([0, 1, 2, 3, 4]);
    });

    const writes: Record<string, (store: Store) => Promise<unknown>> = {
      'a new list': (store) => store.addList({ name: 'New', icon: '✨' }),
      'another name, icon and place': (store) => store.updateList('Work', { name: 'Play', icon: '🎈', position: 1 }),
      'items that were added': (store) => store.addToList('Work', some(3, 4, 0)),
      'items that were moved': (store) => store.addToList('Work', some(2, 3), 0),
      'items that were taken out': (store) => store.removeFromList('Work', some(0, 2)),
      'a deleted list': (store) => store.deleteList('Work'),
    };

    it.each(Object.entries(writes))('%s can be undone and redone', async (_, write) => {
      const { store } = underTest();
      await store.addList({ name: 'Work' });
      await store.addToList('Work', some(0, 1, 2));
      await store.addList({ name: 'Other' });
      const before = await seen();
      const done = await as('write');
      await write(done.store);
      const after = await seen();
      expect(after).not.toEqual(before);
      for (const expected of [before, after, before]) {
        const { undone, change } = await undo(done.change.id);
        expect(undone).toMatchObject({ outcome: 'undone', conflicts: [] });
        expect(await seen()).toEqual(expected);
        done.change.id = change.id;
      }
    });

    it('are not overwritten by an undo when they were changed since', async () => {
      const { store } = underTest();
      const made = await as('add_list');
      const { id } = await made.store.addList({ name: 'Work' });
      const put = await as('add_to_list');
      await put.store.addToList('Work', some(0));
      expect((await undo(made.change.id)).undone).toMatchObject({ outcome: 'changed_since', conflicts: [{ id }] });
      const named = await as('update_list');
      await named.store.updateList(id, { name: 'Play' });
      await store.addList({ name: 'Work' });
      expect((await undo(named.change.id, true)).undone).toMatchObject({ conflicts: [{ canForce: false }] });
      expect((await undo(made.change.id, true)).undone).toMatchObject({ outcome: 'undone' });
      expect(await namesIn()).toEqual(['Work']);
    });

    it('are in their own history and in that of their items', async () => {
      const { store } = underTest();
      const made = await as('add_list');
      const { id } = await made.store.addList({ name: 'Work' });
      const put = await as('add_to_list');
      await put.store.addToList('Work', some(0, 1));
      const historyOf = async (about: string) =>
        (await store.listHistory({ id: about, scopes, limit: 9, offset: 0 }))?.items.map(({ operation, changes }) => [
          operation,
          changes.map((change) => [change.id, change.field, change.before, change.after]),
        ]);
      const added = (number: number) => [ids[number], 'lists', [], ['Work']];
      expect(await historyOf(id)).toEqual([
        ['add_to_list', [added(0), added(1)]],
        ['add_list', [[id, 'list', null, 'Work']]],
      ]);
      expect(await historyOf(ids[1] ?? '')).toEqual([['add_to_list', [added(1)]]]);
      const { entries } = await store.readHistoryToExport({ after: null, since: 0, limit: 9 });
      expect(entries.map(({ operation }) => operation)).toEqual(['add_list', 'add_to_list']);
    });

    it('defined by a query show its current results, and refuse an invalid or circular one', async () => {
      const { store } = underTest();
      await store.addList({ name: 'Hand' });
      await store.addToList('Hand', some(3, 1));
      await store.updateContent(ids[1] ?? '', { addTags: ['sleep'] });
      const { id } = await store.addList({ name: 'Asleep', query: 'tag:sleep' });
      await store.addList({ name: 'Both', query: 'list:asleep OR list:"hand"' });
      expect(await numbersIn('Asleep')).toEqual([1]);
      await store.updateContent(ids[0] ?? '', { addTags: ['Sleep'] });
      expect(await numbersIn('asleep')).toEqual([1, 0]);
      expect(await numbersIn('Both')).toEqual([3, 1, 0]);
      expect((await store.listTitles({ limit: 1, offset: 0, filter: { list: 'Both' }, maxTotal: 2 })).total).toBe(2);
      const refused = { code: 'invalid_input' };
      for (const query of ['list:both', `list:asleep -tag:x`, `list:${id}`, 'list:A*', 'is:unraed', 'list:none', '""'])
        await expect(store.updateList('Asleep', { query }), query).rejects.toMatchObject(refused);
      await expect(store.addList({ name: 'Bothered', query: 'list:bo*' })).rejects.toMatchObject(refused);
      await expect(store.updateList('Hand', { query: 'tag:x' })).rejects.toMatchObject(refused);
      await expect(store.addToList('Asleep', ids)).rejects.toMatchObject(refused);
      await expect(store.removeFromList('Asleep', ids)).rejects.toMatchObject(refused);
      expect(await store.updateList('Asleep', { query: 'list:hand tag:sleep' })).toMatchObject({ id });
      expect(await numbersIn('Both')).toEqual([3, 1]);
    });

    it('are exported, and restored where they are missing', async () => {
      const { store, stores } = underTest();
      await store.addList({ name: 'Work', icon: '💼' });
      await store.addToList('Work', some(2, 0, 1));
      await store.addList({ name: 'Sleep', query: 'tag:sleep' });
      await store.deleteContent(ids[0] ?? '');
      const exported = await store.listListsToExport();
      expect(exported).toMatchObject([
        { name: 'Work', icon: '💼', query: null, items: some(2, 1) },
        { name: 'Sleep', query: 'tag:sleep', items: null },
      ]);
      const account = (await stores.control.createAccount({ name: 'other', plan: 'pro' })).id;
      const other = await stores.open(account);
      for (const id of some(1, 2)) await other.restoreItem((await store.readToExport(id))!, []);
      expect(await other.restoreLists(exported, 'older')).toEqual([]);
      expect(await other.listListsToExport()).toEqual(exported);
      // An item that is replaced stays in its lists.
      await store.updateContent(ids[1] ?? '', { notes: 'new' });
      expect(await other.restoreItem((await store.readToExport(ids[1] ?? ''))!, [])).toMatchObject({
        outcome: 'merged',
      });
      expect(await other.listListsToExport()).toEqual(exported);
      // What was done there stays.
      await other.removeFromList('Work', some(2));
      await other.updateList('work', { name: 'WORK' });
      expect(await other.restoreLists(exported, 'older')).toEqual([]);
      expect((await other.listListsToExport())[0]).toMatchObject({ name: 'WORK', items: some(1, 2) });
      await other.addList({ name: 'Further' });
      await other.restoreLists(exported, 'any');
      expect(await other.listListsToExport()).toEqual(exported);
    });
  });
}
