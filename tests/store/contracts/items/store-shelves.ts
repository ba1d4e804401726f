import { describe, expect, it } from 'vitest';
import { scopes } from '../../../../src/domain/records/account.ts';
import { newChange } from '../../../../src/domain/records/change.ts';
import type { Store } from '../../../../src/store/store.ts';
import { claim, processToPassages, resource, saveAndProcess, saving } from './store-items.ts';
import type { StoreUnderTest } from '../store-under-test.ts';

const text = 'Feed the fox. It is hungry in winter.';

export function shelvesContract(underTest: () => StoreUnderTest): void {
  const stateOf = async (store: Store, id: string) => {
    const { shelf, readAt, reading } = (await store.getContentSummary(id))!;
    return { shelf, readAt, reading };
  };
  const recorded = async (operation: string) => {
    const change = newChange({ face: 'mcp', by: 'laptop', operation, scopes: ['content:write'] });
    return { change, store: await underTest().stores.open({ account: 'local', change }) };
  };

  describe('shelves', () => {
    it('list and count the items on them, without deleted ones', async () => {
      const { store } = underTest();
      const ids = [];
      for (const name of 'abcd') ids.push((await store.saveContent(saving(`https://${name}.example/`))).id);
      const [a = '', b = '', c = '', d = ''] = ids;
      expect(await store.countItems()).toEqual({ shelves: { inbox: 4, later: 0, archive: 0 }, unread: 4 });
      await store.updateContent(a, { shelf: 'archive', read: true });
      await store.updateContent(b, { shelf: 'later' });
      await store.updateContent(c, { read: true });
      await store.deleteContent(d);
      expect(await store.countItems()).toEqual({ shelves: { inbox: 1, later: 1, archive: 1 }, unread: 1 });
      for (const [shelf, id] of [['inbox', c] as const, ['later', b] as const, ['archive', a] as const]) {
        const { items, total } = await store.listContent({ filter: { shelf }, limit: 9, offset: 0 });
        expect({ ids: items.map((item) => item.id), total }).toEqual({ ids: [id], total: 1 });
      }
      expect((await store.listContent({ limit: 9, offset: 0 })).total).toBe(3);
    });

    it('keep the time at which an item was first read until it is unread', async () => {
      const { store, clock } = underTest();
      const { id } = await store.saveContent(saving('https://a.example/'));
      await store.updateContent(id, { read: true });
      const { readAt } = await stateOf(store, id);
      expect(readAt).toBe(new Date(clock.now()).toISOString());
      clock.advance(60_000);
      await store.updateContent(id, { read: true });
      expect((await stateOf(store, id)).readAt).toBe(readAt);
      await store.updateContent(id, { read: false });
      expect((await stateOf(store, id)).readAt).toBeNull();
    });

    it('keep an item that is saved again, unless another shelf is given or it was deleted', async () => {
      const { store } = underTest();
      const save = (shelf?: 'later') => store.saveContent(saving('https://a.example/', { shelf }));
      const { id } = await save('later');
      expect(await stateOf(store, id)).toMatchObject({ shelf: 'later' });
      await store.updateContent(id, { shelf: 'archive', read: true });
      expect((await save()).item).toMatchObject({ shelf: 'archive', readAt: expect.any(String) as string });
      expect((await save('later')).item.shelf).toBe('later');
      await store.deleteContent(id);
      expect(await save()).toMatchObject({ outcome: 'restored', item: { shelf: 'inbox' } });
    });

    it('file an item created for an action as read and archived, unless it existed before', async () => {
      const { store } = underTest();
      const file = (name: string) => store.saveContent(saving(name, { isFiled: true }));
      const { id, item } = await file('https://a.example/');
      expect(item).toMatchObject({ shelf: 'archive', readAt: expect.any(String) as string });
      expect(await store.countItems()).toEqual({ shelves: { inbox: 0, later: 0, archive: 1 }, unread: 0 });
      await store.updateContent(id, { shelf: 'inbox', read: false });
      await store.deleteContent(id);
      expect(await file('https://a.example/')).toMatchObject({
        outcome: 'restored',
        item: { id, shelf: 'archive', readAt: expect.any(String) as string },
      });
      await store.saveContent(saving('https://b.example/'));
      expect((await file('https://b.example/')).item).toMatchObject({ shelf: 'inbox', readAt: null });
    });

    it('are part of the history and can be undone', async () => {
      const { store } = underTest();
      const { id } = await store.saveContent(saving('https://a.example/'));
      const moved = await recorded('update_contents');
      await moved.store.updateContent(id, { shelf: 'archive', read: true });
      const { readAt } = await stateOf(store, id);
      const { items } = (await store.listHistory({ id: moved.change.id, scopes, limit: 1, offset: 0 }))!;
      expect(items[0]?.changes).toEqual([
        { id, title: 'https://a.example/', field: 'shelf', before: 'inbox', after: 'archive' },
        { id, title: 'https://a.example/', field: 'readAt', before: null, after: readAt },
      ]);
      await store.updateContent(id, { shelf: 'later' });
      const undo = async (force: boolean) => (await recorded('undo')).store.undo(moved.change.id, { force });
      expect(await undo(false)).toMatchObject({
        outcome: 'changed_since',
        conflicts: [{ id, field: 'shelf', before: 'inbox', now: 'later', canForce: true }],
      });
      expect(await undo(true)).toMatchObject({ outcome: 'undone' });
      expect(await stateOf(store, id)).toMatchObject({ shelf: 'inbox', readAt: null });
    });
  });

  describe('the reading position', () => {
    it('is not a change of the item, and keeps only its relative place when the text changes', async () => {
      const { store } = underTest();
      const id = await saveAndProcess(store, 'https://a.example/', { text });
      const version = await store.getContentVersion(id);
      const reader = await recorded('update_reading');
      expect(await reader.store.keepReading(id, { start: 14, share: 0.4 })).toBe(true);
      expect(await stateOf(store, id)).toMatchObject({ reading: { start: 14, share: 0.4 } });
      expect(await store.getContentVersion(id)).toBe(version);
      expect((await store.listHistory({ id, scopes, limit: 9, offset: 0 }))!.total).toBe(0);

      await store.saveContent(saving('https://a.example/', { original: resource('https://a.example/', 'Other.') }));
      await processToPassages(store, await claim(store), { text: `In short: ${text}` });
      expect(await stateOf(store, id)).toMatchObject({ reading: { start: null, share: 0.4 } });
    });

    it('is not stored for a missing item', async () => {
      const { store } = underTest();
      const { id } = await store.saveContent(saving('https://a.example/'));
      await store.deleteContent(id);
      expect(await store.keepReading(id, { start: 0, share: 0 })).toBe(false);
      expect(await store.keepReading('c_aaaaaaaaaaaaaaaa', { start: 0, share: 0 })).toBe(false);
    });
  });

  it('an import restores shelf and reading position; from an older export, the shelf of its tags', async () => {
    const { store, stores } = underTest();
    const ids = [];
    for (const tag of ['Unread', 'later', 'sleep'])
      ids.push(await saveAndProcess(store, `https://${tag}.example/`, { text, save: { tags: [tag], shelf: 'later' } }));
    await store.updateContent(ids[0]!, { read: true });
    await store.keepReading(ids[0]!, { start: 3, share: 0.25 });
    const exported = await Promise.all(ids.map(async (id) => (await store.readToExport(id))!));

    const stated = async (account: string) => {
      const { items } = await (await stores.open(account)).listContent({ order: 'oldest', limit: 9, offset: 0 });
      return items.map(({ shelf, readAt, reading }) => ({ shelf, readAt, reading }));
    };
    const restored = async (items: typeof exported) => {
      const { id } = await stores.control.createAccount({ name: 'other', plan: 'pro' });
      const other = await stores.open(id);
      for (const item of items) await other.restoreItem({ ...item, originals: [] }, []);
      return stated(id);
    };
    expect(await restored(exported)).toEqual(await stated('local'));
    const older = structuredClone(exported);
    for (const item of older)
      for (const field of ['shelf', 'readAt', 'readingStart', 'readingShare'] as const) delete item[field];
    expect(await restored(older)).toEqual(
      ['inbox', 'later', 'archive'].map((shelf) => ({ shelf, readAt: null, reading: null })),
    );
  });
}
