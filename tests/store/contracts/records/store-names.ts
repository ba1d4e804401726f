import { describe, expect, it } from 'vitest';
import { addFinishedItem, emptyAnalysis, paragraphs } from '../../../support/content.ts';
import type { StoreUnderTest } from '../store-under-test.ts';

/** Questions about a stretch of time, and the names that there are. */
export function namesContract(underTest: () => StoreUnderTest): void {
  const add = (name: string, tags: string[] = []) => {
    const text = `Do what ${name} says.`;
    const place = { start: 0, end: text.length, locator: { kind: 'text' as const, start: 0, end: text.length } };
    return addFinishedItem(underTest().store, {
      url: `https://example.org/${name}`,
      blocks: paragraphs(text),
      about: { title: name },
      tags,
      analysis: {
        ...emptyAnalysis,
        actions: [{ title: name, reason: null, goalId: null, quote: text, url: null, ...place }],
      },
    });
  };

  it('lists items saved or processed in a period', async () => {
    const { store, clock } = underTest();
    const times: number[] = [];
    for (const name of ['one', 'two', 'three']) {
      times.push(clock.now());
      await add(name);
      clock.advance(1_000);
    }
    const listed = async (query: object) => {
      const { items, total } = await store.listContent({ limit: 2, offset: 0, ...query });
      return [total, ...items.map(({ title }) => title)];
    };
    expect(await listed({ filter: { saved: { since: times[1] } } })).toEqual([2, 'three', 'two']);
    expect(await listed({ filter: { saved: { before: times[1] } } })).toEqual([1, 'one']);
    expect(await listed({ processedSince: times[2], status: 'completed' })).toEqual([1, 'three']);
    expect(await listed({ neverProcessed: true })).toEqual([0]);
    await store.saveContent({
      url: 'https://a.example/',
      canonicalUrl: 'https://a.example/',
      tags: [],
      notes: undefined,
    });
    expect(await listed({ neverProcessed: true, status: 'pending' })).toEqual([1, null]);

    const { items } = await store.listActions({ offset: 0, createdBefore: times[2] });
    expect(items.map(({ title }) => title)).toEqual(['two', 'one']);
    expect(await store.listActions({ offset: 0, createdSince: times[2] })).toMatchObject({
      items: [{ title: 'three' }],
      total: 1,
    });
    const done = clock.now();
    await store.updateAction(items[0]!.id, { state: 'done' });
    expect(await store.listActions({ offset: 0, completedSince: done })).toMatchObject({
      items: [{ title: 'two' }],
      total: 1,
    });
    expect(await store.listActions({ offset: 0, completedSince: done + 1 })).toEqual({ items: [], total: 0 });
  });

  describe('names', () => {
    it('are tags by use and titles by age, without those of deleted items', async () => {
      const { store } = underTest();
      expect(await store.listNames(10)).toEqual({ tags: [], items: [] });
      const one = await add('one', ['garden', 'Home']);
      const two = await add('two', ['home']);
      const gone = await add('three', ['secret']);
      await store.updateContent(two, { title: 'Given' });
      await store.deleteContent(gone);
      expect(await store.listNames(10)).toEqual({
        tags: ['Home', 'garden'],
        items: [
          { id: two, title: 'Given' },
          { id: one, title: 'one' },
        ],
      });
      expect(await store.listTags({ limit: 9, offset: 0 })).toEqual({
        items: [
          { tag: 'Home', count: 2 },
          { tag: 'garden', count: 1 },
        ],
        total: 2,
      });
      expect(await store.listTags({ limit: 9, offset: 1 })).toEqual({ items: [{ tag: 'garden', count: 1 }], total: 2 });
      expect(await store.listNames(1)).toEqual({ tags: ['Home'], items: [{ id: two, title: 'Given' }] });
    });

    it('of kinds come with counts, without deleted and unfetched items', async () => {
      const { store } = underTest();
      await add('one');
      await add('two');
      await store.deleteContent(await add('three'));
      await addFinishedItem(store, {
        url: 'https://example.org/report.pdf',
        blocks: paragraphs('A report.'),
        about: { contentType: 'pdf' },
      });
      const url = 'https://example.org/waiting';
      await store.saveContent({ url, canonicalUrl: url, tags: [], notes: undefined });
      expect(await store.countKinds()).toEqual([
        { kind: 'article', count: 2 },
        { kind: 'pdf', count: 1 },
      ]);
    });

    it('of items come in list order, in parts, with their kinds and days', async () => {
      const { store } = underTest();
      await add('one', ['garden']);
      const two = await add('two');
      await store.deleteContent(await add('three'));
      await addFinishedItem(store, {
        url: 'https://example.org/report.pdf',
        blocks: paragraphs('A report.'),
        about: { title: 'a report', contentType: 'pdf', publishedAt: '2026-01-05' },
      });
      await store.updateContent(two, { title: 'Given' });
      const url = 'https://example.org/waiting';
      await store.saveContent({ url, canonicalUrl: url, tags: [], notes: undefined });
      for (const order of ['newest', 'oldest', 'title'] as const) {
        const list = await store.listContent({ limit: 9, offset: 0, order });
        const titles = await store.listTitles({ limit: 9, offset: 0, order });
        const expected = list.items.map(({ id, title, url: address, contentType, createdAt }) => ({
          id,
          title: title ?? address,
          contentType,
          createdAt,
        }));
        expect([order, titles]).toEqual([order, { items: expected, total: 4 }]);
      }
      const part = await store.listTitles({ limit: 2, offset: 1, order: 'title' });
      expect([part.items.map(({ title }) => title), part.total]).toEqual([['Given', url], 4]);
      const tagged = await store.listTitles({ limit: 9, offset: 0, filter: { tag: 'GARDEN' } });
      expect([tagged.items.map(({ title }) => title), tagged.total]).toEqual([['one'], 1]);
      expect(await store.listTitles({ limit: 9, offset: 0, status: 'pending' })).toMatchObject({ total: 1 });
    });

    it('of tags change on all items, and two can be merged', async () => {
      const { store } = underTest();
      const one = await add('one', ['Garden', 'home', 'gardening']);
      const two = await add('two', ['garden']);
      const gone = await add('three', ['garden']);
      const other = await add('four', ['home']);
      await store.deleteContent(gone);
      const tags = async (id: string) => (await store.getContentSummary(id))?.tags;
      const before = await store.getContentSummary(other);

      expect(await store.renameTag('GARDEN', 'Yard')).toEqual({ items: 2, merged: false });
      expect([await tags(one), await tags(two)]).toEqual([['Yard', 'home', 'gardening'], ['Yard']]);
      expect(await store.renameTag('gardening', 'YARD')).toEqual({ items: 1, merged: true });
      expect([await tags(one), await tags(two)]).toEqual([['YARD', 'home'], ['YARD']]);
      expect(await store.renameTag('yard', 'yard')).toEqual({ items: 2, merged: false });
      expect([await tags(one), await tags(two)]).toEqual([['yard', 'home'], ['yard']]);
      expect(await store.getContentSummary(other)).toEqual(before);
      await store.restoreContent(gone);
      expect(await tags(gone)).toEqual(['yard']);
    });

    it('of a tag do not change when it is unused or only on deleted items', async () => {
      const { store } = underTest();
      const gone = await add('one', ['garden']);
      await store.deleteContent(gone);
      expect(await store.renameTag('garden', 'yard')).toBeNull();
      expect(await store.renameTag('nothing', 'yard')).toBeNull();
      await store.restoreContent(gone);
      expect((await store.getContentSummary(gone))?.tags).toEqual(['garden']);
    });
  });
}
