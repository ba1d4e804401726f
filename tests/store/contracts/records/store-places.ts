import { indexMethodsOf } from '../../../../src/search/index-methods.ts';
import { describe, expect, it } from 'vitest';
import { layOutTranscript } from '../../../../src/domain/records/texts/document.ts';
import type { SourceLocator } from '../../../../src/domain/records/texts/locator.ts';
import { findItems, passageIds, saveAndProcess, type ItemToProcess } from '../items/store-items.ts';
import type { StoreUnderTest } from '../store-under-test.ts';
import { listPassages } from '../../../support/store/store-reads.ts';

/** Where parts of passages stand. */
export function placesContract(underTest: () => StoreUnderTest): void {
  const save = async (url: string, item: ItemToProcess) => {
    const { store } = underTest();
    const id = await saveAndProcess(store, url, item);
    return { id, passages: passageIds(await listPassages(store, id)) };
  };
  const saveLocated = (locators: SourceLocator[], document: ItemToProcess['document']) => {
    const blocks = locators.map((locator, at) => ({ kind: 'paragraph' as const, text: `Part ${at}.`, locator }));
    return save('located', { ...layOutTranscript(blocks), document });
  };

  describe('locations of passages', () => {
    it('are offsets in a text, and the words that a link leads to on a page', async () => {
      const { passages } = await save('a', { text: 'One fox. Two wolves. Three.', passageLength: 9 });
      const whole = { start: 0, end: 9 };
      expect(
        await indexMethodsOf(underTest().store).locate(passages.map((passageId) => ({ passageId, ...whole }))),
      ).toEqual([
        { locator: { kind: 'text', start: 0, end: 9 }, fragment: 'One%20fox' },
        { locator: { kind: 'text', start: 9, end: 18 }, fragment: expect.stringContaining('Two%20') as string },
        { locator: { kind: 'text', start: 18, end: 27 }, fragment: expect.stringContaining('Three') as string },
      ]);
    });

    it('use the words stored with a passage when all of it is requested', async () => {
      const more = { passageLength: 9, fragments: ['stored', null] };
      const { passages } = await save('page', { text: 'One fox. Two cats. Red bird', ...more });
      const file = await save('file', { text: 'A fox.', fragments: ['stored'], document: { contentType: 'document' } });
      const { store } = underTest();
      const fragments = async (start: number) =>
        (await indexMethodsOf(store).locate(passages.map((passageId) => ({ passageId, start, end: 9 })))).map(
          (place) => place?.fragment,
        );
      expect(await fragments(0)).toEqual(['stored', null, 'Red%20bird']);
      expect(await fragments(4)).toEqual(['fox', 'cats', 'bird']);
      const { items } = await findItems(store, 'fox', { placed: Infinity });
      const found = new Map(items.flat().map(({ passageId, place }) => [passageId, place?.fragment]));
      expect(found.get(passages[0]!)).toBe('stored');
      expect(found.get(file.passages[0]!)).toBeNull();
    });

    it('of parts of a passage end where it ends', async () => {
      const { passages } = await save('a', { text: 'One fox. Two wolves.', passageLength: 9 });
      const [first, second] = [passages[0]!, passages[1]!];
      const locators = async (...parts: [number, number, number][]) =>
        (
          await indexMethodsOf(underTest().store).locate(
            parts.map(([passageId, start, end]) => ({ passageId, start, end })),
          )
        ).map((place) => place?.locator);
      expect(await locators([second, 4, 8], [first, 0, 500], [second, 4, 8])).toEqual([
        { kind: 'text', start: 13, end: 17 },
        { kind: 'text', start: 0, end: 9 },
        { kind: 'text', start: 13, end: 17 },
      ]);
    });

    it('have no words to lead to where a browser shows no text', async () => {
      const { passages } = await save('a', { text: 'One fox.', document: { contentType: 'document' } });
      expect(await indexMethodsOf(underTest().store).locate([{ passageId: passages[0]!, start: 4, end: 8 }])).toEqual([
        { locator: { kind: 'text', start: 4, end: 8 }, fragment: null },
      ]);
    });

    it.each<[string, SourceLocator[], ItemToProcess['document']]>([
      [
        'seconds of a recording',
        [
          { kind: 'time', seconds: 0 },
          { kind: 'time', seconds: 12.5 },
        ],
        { contentType: 'youtube' },
      ],
      [
        'pages of a document',
        [
          { kind: 'page', page: 1 },
          { kind: 'page', page: 2 },
        ],
        { contentType: 'pdf' },
      ],
    ])('are the %s where the visible part begins', async (_, locators, document) => {
      const { passages } = await saveLocated(locators, document);
      const [passageId] = passages;
      const at = async (start: number, end: number) => {
        const [place] = await indexMethodsOf(underTest().store).locate([{ passageId: passageId!, start, end }]);
        expect(place?.fragment).toBeNull();
        return place?.locator;
      };
      const [first, second] = locators;
      // 'Part 0.\n\nPart 1.'
      expect(await at(0, 16)).toEqual(first);
      expect(await at(5, 16)).toEqual(first);
      expect(await at(7, 16)).toEqual(second);
      expect(await at(9, 16)).toEqual(second);
    });

    it('are null for missing passages, in the requested order', async () => {
      const { store } = underTest();
      const kept = await save('kept', { text: 'A fox' });
      const gone = await save('gone', { text: 'A wolf.' });
      const parts = [gone.passages[0]!, 12_345, kept.passages[0]!].map((passageId) => ({
        passageId,
        start: 0,
        end: 6,
      }));
      const known = async () => (await indexMethodsOf(store).locate(parts)).map((place) => place !== null);
      expect(await known()).toEqual([true, false, true]);
      await store.deleteContent(gone.id);
      expect(await known()).toEqual([false, false, true]);
      await store.restoreContent(gone.id);
      expect(await known()).toEqual([true, false, true]);
      expect(await indexMethodsOf(store).locate([])).toEqual([]);
    });

    it('belong to the requested account, whatever another one requested before', async () => {
      const { store, stores } = underTest();
      const { id } = await stores.control.createAccount({ name: 'other', plan: 'pro' });
      const other = await stores.open(id);
      const { passages } = await save('a', { text: 'The fox.' });
      await saveAndProcess(other, 'a', { text: 'A wolf.' });
      const fragment = async (of: typeof store) =>
        (await indexMethodsOf(of).locate([{ passageId: passages[0]!, start: 0, end: 9 }]))[0]?.fragment;
      for (let round = 0; round < 2; round += 1) {
        expect(await fragment(store)).toBe('The%20fox');
        expect(await fragment(other)).toBe('A%20wolf');
      }
    });

    it('are the same in long texts, of which few are cached, however often they are requested', async () => {
      const ids: number[] = [];
      for (const animal of ['fox', 'wolf', 'bear']) {
        const { passages } = await save(animal, { text: `A ${animal}. ${'Much more. '.repeat(20_000)}` });
        ids.push(passages[0]!);
      }
      for (let round = 0; round < 2; round += 1) {
        const places = await indexMethodsOf(underTest().store).locate(
          ids.map((passageId) => ({ passageId, start: 0, end: 8 })),
        );
        expect(places.map((place) => place?.fragment)).toEqual([
          expect.stringContaining('A%20fox'),
          expect.stringContaining('A%20wolf'),
          expect.stringContaining('A%20bear'),
        ]);
      }
    });
  });
}
