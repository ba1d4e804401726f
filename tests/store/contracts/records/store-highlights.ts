import { describe, expect, it } from 'vitest';
import { canonicalUrl } from '../../../../src/domain/links/url.ts';
import { placeQuotes } from '../../../../src/domain/records/highlights/highlight-words.ts';
import type { Highlight, ImportedHighlight } from '../../../../src/domain/records/highlights/highlight.ts';
import { maxHighlights } from '../../../../src/domain/records/limits.ts';
import type { Store } from '../../../../src/store/store.ts';
import { findItems, saveAndProcess, saving } from '../items/store-items.ts';
import type { StoreUnderTest } from '../store-under-test.ts';
import { claimJob } from '../../../support/store/claims.ts';

/** What undoing restores: it is a change itself. */
export function withoutTime(highlight: Highlight): Omit<Highlight, 'updatedAt'> {
  const { updatedAt: _, ...rest } = highlight;
  return rest;
}

/** Looks for all highlights that are due, as maintenance does. */
export async function placeAll(store: Store): Promise<void> {
  for (;;) {
    const due = await store.nextHighlightsToPlace(10);
    if (due === null) return;
    const quotes = due.highlights.map(({ quote }) => quote);
    const places = placeQuotes(quotes, due.transcript, due.item);
    await store.keepHighlightPlaces(
      due.contentId,
      due.documentId,
      due.highlights.map((one, at) => ({ ...one, place: places[at] ?? null })),
    );
  }
}

const text = 'The first sentence is about bread. The second one is about patience and salt.';

export function highlightContract(underTest: () => StoreUnderTest): void {
  const imported = (quote: string, more: Partial<ImportedHighlight> = {}): ImportedHighlight => ({
    source: `id:${quote}`,
    quote,
    note: null,
    colour: null,
    createdAt: null,
    ...more,
  });
  const importing = (store: Store, url: string, highlights: ImportedHighlight[]) =>
    store.importContent([
      {
        url,
        canonicalUrl: canonicalUrl(url),
        title: null,
        tags: [],
        notes: null,
        createdAt: null,
        highlights,
      },
    ]);
  const found = async (store: Store, query: string) => (await findItems(store, query, { by: 'words' })).items;

  describe('highlights', () => {
    it('are located at their words and keep the given fields', async () => {
      const { store } = underTest();
      const id = await saveAndProcess(store, 'https://example.org/a', { text });
      const added = await store.addHighlight({
        contentId: id,
        quote: 'patience and salt',
        note: 'mine',
        colour: 'red',
      });
      expect(added).toMatchObject({ contentId: id, note: 'mine', colour: 'red', place: 'unread', locator: null });
      await placeAll(store);
      const start = text.indexOf('patience');
      expect(await store.getHighlight(added!.id)).toMatchObject({
        place: 'found',
        locator: { kind: 'text', start, end: start + 'patience and salt'.length },
      });
      await store.addHighlight({ contentId: id, quote: 'words that are not there' });
      await placeAll(store);
      const { items, total } = await store.listHighlights({ offset: 0, contentId: id });
      expect(items.map(({ quote, place }) => [quote, place])).toEqual([
        ['patience and salt', 'found'],
        ['words that are not there', 'missing'],
      ]);
      expect(total).toBe(2);
      expect((await store.getContent(id))?.highlights).toEqual(items);
      expect(await store.addHighlight({ contentId: 'c_none', quote: 'x' })).toBeNull();
    });

    it('with the same words are merged, can be changed, and can be deleted', async () => {
      const { store, clock } = underTest();
      const id = await saveAndProcess(store, 'https://example.org/a', { text });
      const one = (await store.addHighlight({ contentId: id, quote: 'about bread', note: 'first' }))!;
      clock.advance(5);
      const same = await store.addHighlight({ contentId: id, quote: 'about bread', colour: 'blue' });
      expect(same).toMatchObject({ id: one.id, note: 'first', colour: 'blue', createdAt: one.createdAt });
      expect(same!.updatedAt > one.updatedAt).toBe(true);
      expect(await store.updateHighlight(one.id, { note: '' })).toMatchObject({ note: null, colour: 'blue' });
      const before = await store.getHighlight(one.id);
      expect(await store.updateHighlight(one.id, { colour: 'blue' })).toEqual(before);
      for (const again of [1, 2])
        expect(await store.deleteHighlight(one.id), `time ${again}`).toEqual({ id: one.id, contentId: id });
      expect(await store.deleteHighlight('h_none')).toBeNull();
      expect(await store.getHighlight(one.id)).toBeNull();
      expect(await store.updateHighlight(one.id, { note: 'x' })).toBeNull();
      expect((await store.getContent(id))?.highlights).toBeUndefined();
    });

    it('are found by the words of their notes, at their passage, until they are deleted', async () => {
      const { store } = underTest();
      const id = await saveAndProcess(store, 'https://example.org/a', { text, passageLength: 35 });
      const one = (await store.addHighlight({ contentId: id, quote: 'patience and salt', note: 'zeppelin' }))!;
      await store.addHighlight({ contentId: id, quote: 'quixotic words of another edition' });
      expect(await found(store, 'zeppelin')).toEqual([]);
      await placeAll(store);
      const [[passage] = []] = await found(store, 'zeppelin');
      expect(passage).toMatchObject({ contentId: id, ordinal: 1, marks: ['zeppelin'] });
      const [[first] = []] = await found(store, 'quixotic');
      expect(first).toMatchObject({ contentId: id, ordinal: 0, marks: ['quixotic words of another edition'] });
      await store.updateHighlight(one.id, { note: 'dirigible' });
      await placeAll(store);
      expect(await found(store, 'zeppelin')).toEqual([]);
      expect(await found(store, 'dirigible')).toHaveLength(1);
      await store.deleteHighlight(one.id);
      expect(await found(store, 'dirigible')).toEqual([]);
      expect(await found(store, 'patience')).toHaveLength(1);
    });

    it('are located again when the item gets another text', async () => {
      const { store } = underTest();
      const id = await saveAndProcess(store, 'https://example.org/a', { text });
      await store.addHighlight({ contentId: id, quote: 'about bread' });
      await placeAll(store);
      await store.reprocess('extract', id);
      const claim = (await claimJob(store, 60_000))!;
      const other = 'Now it says less, but still something about bread, further back.';
      const transcript = { text: other, blocks: [{ start: 0, end: other.length, kind: 'paragraph' as const }] };
      const {
        documentId: _,
        contentId: __,
        version: ___,
        transcript: ____,
        ...document
      } = (await store.readDocument(id))!;
      const splitting = await store.keepDocument(claim, document, transcript);
      const made = (await store.readDocument(id))!;
      const locator = { kind: 'text' as const, start: 0, end: other.length };
      await store.keepPassages(
        splitting,
        made.documentId,
        [{ ordinal: 0, start: 0, end: other.length, headingPath: [], locator }],
        null,
      );
      expect((await store.getContent(id))?.highlights).toMatchObject([{ place: 'unread', locator: null }]);
      await placeAll(store);
      expect((await store.getContent(id))?.highlights).toMatchObject([
        { place: 'found', locator: { start: other.indexOf('about bread') } },
      ]);
    });

    it("are imported once, follow the import's changes, and stay deleted", async () => {
      const { store } = underTest();
      const url = 'https://example.org/a';
      const createdAt = Date.UTC(2020, 1, 2);
      const first = [imported('about bread', { note: 'n', createdAt }), imported('about patience')];
      expect(await importing(store, url, first)).toMatchObject([{ outcome: 'taken' }]);
      expect(await importing(store, url, first)).toMatchObject([{ outcome: 'unchanged' }]);
      const [item] = (await store.listContent({ limit: 1, offset: 0 })).items;
      const all = async () => (await store.listHighlights({ offset: 0, contentId: item!.id })).items;
      expect(await all()).toMatchObject([
        { quote: 'about bread', note: 'n', source: 'id:about bread', createdAt: '2020-02-02T00:00:00.000Z' },
        { quote: 'about patience', place: 'unread' },
      ]);
      expect(await importing(store, url, [imported('about bread', { note: 'later' })])).toMatchObject([
        { outcome: 'merged' },
      ]);
      const [bread, patience] = await all();
      expect(bread).toMatchObject({ note: 'later', createdAt: '2020-02-02T00:00:00.000Z' });
      await store.updateHighlight(bread!.id, { note: 'ours' });
      await store.deleteHighlight(patience!.id);
      expect(await importing(store, url, first)).toMatchObject([{ outcome: 'unchanged' }]);
      expect(await all()).toMatchObject([{ quote: 'about bread', note: 'ours' }]);
    });

    it('from an import with the same words, or with changed ones, are distinguished by their source', async () => {
      const { store } = underTest();
      const url = 'https://example.org/a';
      await importing(store, url, [imported('first', { source: 'a' }), imported('first', { source: 'b' })]);
      const quotes = async () => (await store.listHighlights({ offset: 0 })).items.map(({ quote }) => quote).toSorted();
      expect(await quotes()).toEqual(['first']);
      await importing(store, url, [
        imported('second', { source: 'a' }),
        imported('first', { source: 'b' }),
        imported('second', { source: 'c' }),
        imported('third', { source: 'b' }),
      ]);
      expect(await quotes()).toEqual(['second', 'third']);
    });

    it('are limited, and an import reports those that do not fit', async () => {
      const { store } = underTest();
      const many = Array.from({ length: maxHighlights + 3 }, (_, at) => imported(`words of number ${at}`));
      const [taken] = await importing(store, 'https://example.org/a', many);
      expect(taken).toMatchObject({
        outcome: 'taken',
        leftOut: [`3 highlights: an item has ${maxHighlights} at most`],
      });
      const item = await store.getContent(taken!.id);
      expect(item?.highlights).toHaveLength(20);
      expect(item?.highlightsTotal).toBe(maxHighlights);
      await expect(store.addHighlight({ contentId: taken!.id, quote: 'one more' })).rejects.toMatchObject({
        code: 'invalid_input',
      });
    });

    it('are hidden with a deleted item, and are listed by their words', async () => {
      const { store } = underTest();
      const { id } = await store.saveContent(saving('https://example.org/a'));
      const { id: other } = await store.saveContent(saving('https://example.org/b'));
      const one = (await store.addHighlight({ contentId: id, quote: 'Some Words', note: 'a note' }))!;
      await store.addHighlight({ contentId: other, quote: 'others' });
      const texts = async (query: string) =>
        (await store.listHighlights({ offset: 0, text: query })).items.map(({ quote }) => quote);
      expect(await texts('some w')).toEqual(['Some Words']);
      expect(await texts('NOTE')).toEqual(['Some Words']);
      expect(await texts('%')).toEqual([]);
      expect((await store.listHighlights({ offset: 0, limit: 1 })).total).toBe(2);
      await store.deleteContent(id);
      expect((await store.listHighlights({ offset: 0 })).items.map(({ quote }) => quote)).toEqual(['others']);
      expect(await store.getHighlight(one.id)).toBeNull();
      await store.restoreContent(id);
      expect(await store.getHighlight(one.id)).toEqual(one);
    });
  });
}
