import { describe, expect, it } from 'vitest';
import type { HeldTo } from '../../../../src/domain/access/held.ts';
import { createHeldStore } from '../../../../src/store/held-store.ts';
import type { Store } from '../../../../src/store/store.ts';
import { saveAndProcess, saving } from '../items/store-items.ts';
import type { StoreUnderTest } from '../store-under-test.ts';

const heldTo: HeldTo = { lists: [], tags: ['Work'] };
const walk = 'Walk to work every day.';
const walkToo = 'Always walk to work every day.';

/** What a caller that is restricted to a tag knows, where items are tied to others. Every operation is attacked in `tests/http/keys/held.test.ts`. */
export function heldContract(underTest: () => StoreUnderTest): void {
  const heldStore = (): Store => createHeldStore(underTest().store, heldTo, 'held');
  const add = async (url: string, text: string, tags: string[], actions: string[] = []) => {
    underTest().clock.advance(1000);
    return saveAndProcess(underTest().store, url, { text, actions, save: { tags } });
  };

  describe('a caller restricted to a tag', () => {
    it('has its own action where that was merged into one of another item', async () => {
      const { store } = underTest();
      const diary = await add('https://example.com/a', `A diary. ${walk}`, ['diary'], [walk]);
      const work = await add('https://example.com/b', `At work. ${walkToo}`, ['work'], [walkToo]);
      const more = await add('https://example.com/c', `More. ${walk}`, ['diary'], [walk]);
      expect((await store.getContent(work))?.actions).toMatchObject([{ contentId: diary, title: walk }]);
      const held = heldStore();
      const [own, ...others] = (await held.listActions({ offset: 0 })).items;
      expect([own, others]).toEqual([expect.objectContaining({ contentId: work, title: walkToo, quote: walkToo }), []]);
      expect(own).not.toHaveProperty('alsoIn');
      expect((await held.getContent(work))?.actions).toEqual([own]);
      expect(
        await held.updateAction((await store.getContent(diary))?.actions[0]?.id ?? '', { state: 'done' }),
      ).toBeNull();
      expect(await held.updateAction(own?.id ?? '', { state: 'done' })).toMatchObject({
        contentId: work,
        state: 'done',
      });
      expect((await store.getContent(diary))?.actions).toMatchObject([
        { state: 'open', alsoIn: [{ contentId: more }] },
      ]);
    });

    it('restricted to a list adds its items to the list and sees no others', async () => {
      const { store } = underTest();
      const { id } = await store.addList({ name: 'Work' });
      const { id: other } = await store.addList({ name: 'Diary' });
      const [diary, work] = [
        await add('https://example.com/a', 'A diary.', []),
        await add('https://example.com/b', 'At work.', []),
      ];
      await store.addToList('Work', [work]);
      await store.addToList('Diary', [diary, work]);
      const held = createHeldStore(store, { lists: [id], tags: [] }, 'held');
      expect(await held.listLists()).toMatchObject([{ id, items: 1 }]);
      expect((await held.getContent(work))?.lists).toEqual([{ id, name: 'Work' }]);
      for (const named of [other, 'diary']) {
        expect(await held.getList(named)).toBeNull();
        expect(await held.addToList(named, [work])).toBeNull();
      }
      expect(await held.addToList('work', [diary, work])).toMatchObject({ changed: 0, missing: [diary] });
      const saved = await held.saveContent(saving('https://example.com/c'));
      expect((await held.getList('WORK'))?.items).toBe(2);
      expect(await held.addToList(id, [saved.id], 0)).toMatchObject({ changed: 1, missing: [] });
      for (const refused of [
        () => held.addList({ name: 'Mine' }),
        () => held.updateList(id, { name: 'Mine' }),
        () => held.deleteList(id),
        () => held.removeFromList(id, [work]),
        () => held.listListsToExport(),
        () => held.restoreLists([], 'any'),
      ])
        await expect(refused()).rejects.toMatchObject({ code: 'insufficient_scope' });
    });

    it('does not see more when a list that another list refers to is gone', async () => {
      const { store } = underTest();
      const secret = await add('https://example.com/a', 'A diary.', []);
      const work = await add('https://example.com/b', 'At work.', []);
      await store.addList({ name: 'Private' });
      await store.addToList('Private', [secret]);
      await store.addList({ name: 'Open', query: '-list:private' });
      const seen = async (query: string) => {
        const { id } = await store.addList({ name: 'Held', query });
        const { items } = await createHeldStore(store, { lists: [id], tags: [] }, 'held').listContent({
          limit: 9,
          offset: 0,
        });
        return items.map((item) => item.id);
      };
      const queries = ['list:open', '-list:priv*', '-list:private', '-(-list:open)'];
      for (const query of queries) expect(await seen(query), query).toEqual([work]);
      const { id } = (await store.getList('Held'))!;
      await store.updateList(id, { name: 'Other', query: '-list:priv*' });
      await store.deleteList('Private');
      const held = createHeldStore(store, { lists: [id], tags: [] }, 'held');
      expect((await held.listContent({ limit: 9, offset: 0 })).total).toBe(0);
      await store.addList({ name: 'Private' });
      await store.updateList(id, { query: 'list:open' });
      await store.updateList('Private', { name: 'Secret' });
      expect((await held.listContent({ limit: 9, offset: 0 })).total).toBe(0);
    });

    it('is not shown what the query of its list names', async () => {
      const { store } = underTest();
      const { id } = await store.addList({ name: 'Work', query: 'tag:work OR tag:mauveness' });
      const held = createHeldStore(store, { lists: [id], tags: [] }, 'held');
      expect(JSON.stringify([await held.listLists(), await held.getList('work')])).not.toContain('mauve');
    });

    it('is told nothing of duplicates outside', async () => {
      const text = 'The same words, one after the other, in two items of the library.';
      const { store } = underTest();
      const diary = await add('https://example.com/a', text, ['diary']);
      const work = await add('https://example.com/b', text, ['work']);
      expect(await store.getContentSummary(work)).toMatchObject({ duplicateOf: diary });
      const held = heldStore();
      expect(await held.getContentSummary(work)).toMatchObject({ duplicateOf: null });
      expect((await held.listContent({ limit: 9, offset: 0 })).items).toMatchObject([{ id: work, duplicateOf: null }]);
    });

    it('cannot remove the tag from its items or add it to others', async () => {
      const diary = await add('https://example.com/a', 'A diary.', ['diary']);
      const work = await add('https://example.com/b', 'At work.', ['work']);
      const held = heldStore();
      for (const changes of [{ tags: [] }, { tags: ['diary'] }, { removeTags: ['WORK'] }])
        await expect(held.updateContent(work, changes)).rejects.toMatchObject({ code: 'invalid_input' });
      expect(await held.updateContent(work, { tags: ['WORK', 'more'] })).toMatchObject({ tags: ['WORK', 'more'] });
      expect(await held.updateContent(diary, { addTags: ['work'] })).toBeNull();
      expect(await underTest().store.getContentSummary(diary)).toMatchObject({ tags: ['diary'] });
    });

    it('searches by meaning among its own items', async (test) => {
      const { store, hasSearch } = underTest();
      test.skip(!hasSearch);
      const diary = await add('https://example.com/a', 'A diary.', ['diary']);
      const work = await add('https://example.com/b', 'At work.', ['work']);
      const passages = await store.listPassagesToEmbed('e', 9);
      await store.keepVectors(
        'e',
        passages.map(({ passageId }, at) => ({ passageId, vector: Float32Array.of(at, 1 - at) })),
      );
      const held = heldStore();
      const query = Float32Array.of(0, 1);
      const idsOf = async (searched: Store) =>
        (await searched.searchVectors('e', query, {}, 9)).map(({ contentId }) => contentId);
      expect(await idsOf(store)).toEqual([diary, work]);
      expect(await idsOf(held)).toEqual([work]);
      expect(await held.countVectors('e')).toEqual({ passages: 1, embedded: 1 });
      expect(await held.sampleItem(diary, 'e', 9)).toEqual([]);
      expect(await held.readPassages(passages.map(({ passageId }) => passageId))).toMatchObject([{ contentId: work }]);
    });
  });
}
