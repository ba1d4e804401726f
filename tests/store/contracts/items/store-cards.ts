import { describe, expect, it } from 'vitest';
import type { ItemSearch } from '../../../../src/search/item-search.ts';
import type { ImportContent } from '../../../../src/store/records.ts';
import { claim, findItems, saveAndProcess, saving } from './store-items.ts';
import type { StoreUnderTest } from '../store-under-test.ts';

const failure = { code: 'not_found', message: 'There is no page.', retryable: false, nextAttemptAt: null } as const;

/** Items without text, which are found by their titles, addresses, tags and notes. */
export function cardContract(underTest: () => StoreUnderTest): void {
  const found = async (text: string, more: Partial<ItemSearch> = {}) => {
    const { items } = await findItems(underTest().store, text, more);
    return items.flat().map(({ itemUrl, itemTitle, text: shown, cardOf }) => [itemUrl, itemTitle, shown, cardOf]);
  };
  const urls = async (text: string, more: Partial<ItemSearch> = {}) => (await found(text, more)).map(([url]) => url);
  const entry = (url: string, more: Partial<ImportContent> = {}): ImportContent => ({
    url,
    canonicalUrl: url,
    title: null,
    tags: [],
    notes: null,
    createdAt: null,
    ...more,
  });
  const grinders = 'https://www.example.org/shop/hand-grinders?ref=1';

  describe('an item without text', () => {
    it('is found by its title, address, tags and notes from the moment it is imported', async () => {
      const { store } = underTest();
      await store.importContent([
        entry(grinders, { title: 'Grinding coffee', tags: ['kitchen'], notes: 'Anna likes it' }),
        entry('https://example.org/tea', { title: 'Brewing tea' }),
      ]);
      const card = [grinders, 'Grinding coffee', '', 'pending'];
      for (const word of ['coffee', 'grind', 'kitchen', 'Anna', 'shop grinders', 'example.org coffee'])
        expect(await found(word), word).toContainEqual(card);
      expect(await urls('coffee')).toEqual([grinders]);
      expect((await urls('example')).toSorted()).toEqual(['https://example.org/tea', grinders]);
      expect(await urls('www')).toEqual([]);
      expect(await urls('"grinding coffee"', { filter: { phrases: ['grinding coffee'] } })).toEqual([grinders]);
      expect(await urls('coffee', { filter: { phrases: ['coffee grinding'] } })).toEqual([]);
      expect(await urls('example', { filter: { excluded: ['kitchen'] } })).toEqual(['https://example.org/tea']);
      expect(
        await urls('coffee', { filter: { items: { all: [{ tag: 'kitchen' }, { site: 'example.org' }] } } }),
      ).toEqual([grinders]);
      expect(await urls('', { by: null, filter: { items: { site: 'example.org/shop' } } })).toEqual([grinders]);
      expect((await findItems(store, 'coffee')).coverage).toEqual({ searchable: 0, pending: 2, failed: 0 });
      expect((await findItems(store, 'brewing', { isTyped: true })).correction).toBeNull();
      expect((await findItems(store, 'cofee', { isTyped: true })).correction).toMatchObject({ text: 'coffee' });
    });

    it('is found by its address when it failed, and by a title that is known', async () => {
      const { store } = underTest();
      const [gone, other] = ['https://example.org/gone', 'https://example.org/other'];
      await store.saveContent(saving(gone, {}));
      await store.failJob(await claim(store), { ...failure, known: { title: 'Red foxes' } });
      await saveAndProcess(store, other, { text: 'A page about what is gone.' });
      const listed = { by: null, filter: { items: { addresses: [gone] } } } as const;
      expect(await found('', listed)).toEqual([[gone, 'Red foxes', '', 'failed']]);
      expect(await urls('fox')).toEqual([gone]);
    });

    it('is found by its current fields and not by earlier ones', async () => {
      const { store } = underTest();
      const { id } = await store.saveContent(saving(grinders, { tags: ['old'], notes: 'first' }));
      await store.updateContent(id, { title: 'Moka', notes: 'second', removeTags: ['old'], addTags: ['new'] });
      for (const word of ['moka', 'second', 'new']) expect(await urls(word), word).toEqual([grinders]);
      for (const word of ['old', 'first']) expect(await urls(word), word).toEqual([]);
      await store.deleteContent(id);
      expect(await urls('moka')).toEqual([]);
      await store.saveContent(saving(grinders, {}));
      expect(await urls('moka')).toEqual([grinders]);
    });

    it('is found by its text once that exists, with its tags and notes at the beginning', async () => {
      const { store } = underTest();
      await store.saveContent(saving(grinders, { tags: ['kitchen'], notes: 'Anna likes it' }));
      expect(await urls('shop')).toEqual([grinders]);
      const texts = { text: 'Beans are ground. Water is hot.', passageLength: 18 };
      await saveAndProcess(store, grinders, texts);
      expect(await found('beans')).toEqual([[grinders, null, 'Beans are ground. ', undefined]]);
      expect(await urls('shop')).toEqual([]);
      for (const word of ['kitchen', 'Anna'])
        expect(await found(word), word).toEqual([[grinders, null, 'Beans are ground. ', undefined]]);
      const { items } = await findItems(store, 'Anna');
      expect(items[0]?.[0]?.marks).toEqual(['Anna likes it']);
      await store.updateContent(items[0]?.[0]?.contentId ?? '', { notes: null, tags: ['stove'] });
      expect(await urls('kitchen')).toEqual([]);
      expect(await urls('stove')).toEqual([grinders]);
      expect(await urls('water')).toEqual([grinders]);
    });

    it('counts as a passage that needs no vector', async () => {
      const { store } = underTest();
      await saveAndProcess(store, 'https://example.org/a', { text: 'A fox.' });
      await store.importContent([entry('https://example.org/b', { title: 'Another fox' })]);
      expect(await store.listPassagesToEmbed('e', 9)).toHaveLength(1);
      expect(await store.countVectors('e')).toEqual({ passages: 1, embedded: 0 });
      const { items } = await store.listContent({ limit: 1, offset: 0 });
      expect(await store.sampleItem(items[0]?.id ?? '', 'e', 9)).toEqual([]);
    });
  });
}
