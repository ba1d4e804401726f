import { indexMethodsOf } from '../../../../src/search/index-methods.ts';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { bestOfEachFirst } from '../../../../src/domain/records/texts/passage.ts';
import type { Filter } from '../../../../src/domain/search/filter.ts';
import { parseQuery } from '../../../../src/domain/search/query-language.ts';
import type { Question } from '../../../../src/search/query.ts';
import type { ItemSearch, ItemsFound } from '../../../../src/search/item-search.ts';
import type { QuestionVector } from '../../../../src/store/records/search-records.ts';
import { claim, findItems, passageIds, processToPassages, saveAndProcess, saving } from '../items/store-items.ts';
import type { StoreUnderTest } from '../store-under-test.ts';
import { listPassages } from '../../../support/store/store-reads.ts';
import { forAllAsync } from '../../../support/for-all.ts';
import { runs } from '../../../support/vitest/thorough.ts';

function questionVector(values: number[], more: Partial<QuestionVector> = {}): QuestionVector {
  return { embedderId: 'e', values: Float32Array.from(values), unrelatedCosine: 0, everyPassage: true, ...more };
}

const urlsOf = ({ items }: ItemsFound) => items.map(([best]) => best?.itemUrl);

export function findItemsContract(underTest: () => StoreUnderTest): void {
  const find = (text: string, more: Partial<ItemSearch> = {}) => findItems(underTest().store, text, more);
  const urls = async (text: string, more: Partial<ItemSearch> = {}) => urlsOf(await find(text, more));
  const passagesOf = async (id: string) => {
    const { store } = underTest();
    return passageIds(await listPassages(store, id));
  };

  describe('finding items', () => {
    const byRank: ItemSearch['by'][] = ['words', 'meaning', 'both', null];

    it.each(byRank)('finds nothing in an account without passages (by %s)', async (by) => {
      const coverage = { searchable: 0, pending: 0, failed: 0 };
      const facets = { types: [], tags: [], years: [] };
      const vector = questionVector([1, 0]);
      expect(await find('fox', { by, vector, isTyped: true, facets: true })).toEqual({
        correction: null,
        items: [],
        first: null,
        total: 0,
        isUpperBound: false,
        bestByWords: 0,
        bestByMeaning: 0,
        bestScore: 0,
        spellings: [],
        lacksRareWord: false,
        isCut: false,
        coverage,
        facets,
      });
    });

    it('finds the only passage by a word in it, and not by another word', async () => {
      await saveAndProcess(underTest().store, 'a', { text: 'A fox.' });
      const { items } = await find('fox');
      expect(await urls('fox')).toEqual(['a']);
      expect(items[0]?.[0]?.score).toBeGreaterThan(0);
      expect(await urls('wolf')).toEqual([]);
      expect(await urls('')).toEqual([]);
    });

    it('answers a prepared question like any other, including items saved since', async () => {
      const { store } = underTest();
      const { prepareQuestion, answerQuestion } = indexMethodsOf(store);
      const meaning = { vector: null, passagesToEmbed: 0 };
      const questionOf = (query: string, filter: Filter | null = null): Question => ({
        query: { query, filter, limit: 10 },
        parsed: { ...parseQuery(query, 0), filter },
        by: 'both',
        now: 0,
        meanings: new Map([query, 'forest paths'].map((text) => [text, meaning])),
        advice: null,
      });
      const found = async (question: Question) => {
        const answered = await answerQuestion(question);
        return 'answer' in answered ? answered.answer.results.map(({ url }) => url).sort() : answered;
      };
      await saveAndProcess(store, 'https://a.test/', { text: 'A forest with paths.' });
      const misspelt = questionOf('forrest paths');
      await prepareQuestion(misspelt);
      expect(await found(misspelt)).toEqual(['https://a.test/']);
      await prepareQuestion(misspelt);
      expect(await found(questionOf('forest paths', { items: [] }))).toEqual([]);
      await prepareQuestion(misspelt);
      await saveAndProcess(store, 'https://b.test/', { text: 'Another forest.' });
      expect(await found(misspelt)).toEqual(['https://a.test/', 'https://b.test/']);
    });

    it('returns the items page by page, each once, and counts them', async () => {
      const { store } = underTest();
      for (const fox of ['fox', 'fox fox', 'fox fox fox', 'fox and hare', 'one fox, two hares'])
        await saveAndProcess(store, fox, { text: `${fox} of ${fox.length} letters` });
      const pages = await Promise.all([0, 2, 4].map((offset) => find('fox', { items: 2, offset })));
      expect(pages.map(({ total, items }) => [total, items.length])).toEqual([
        [5, 2],
        [5, 2],
        [5, 1],
      ]);
      expect(pages.flatMap(urlsOf)).toEqual(urlsOf(await find('fox')));
      expect((await find('wolf')).total).toBe(0);
      const best = pages[0]?.items[0]?.[0]?.passageId;
      const behind = await find('fox', { items: 2, offset: 6 });
      expect([...pages, behind].map(({ first }) => first?.passageId)).toEqual([best, best, best, best]);
      expect(behind).toMatchObject({ items: [], total: 5, isUpperBound: false });
    });

    it('returns the best items first, each with its best passages', async () => {
      const { store } = underTest();
      for (let i = 0; i < 6; i += 1) await saveAndProcess(store, `filler-${i}`, { text: 'Something else.' });
      await saveAndProcess(store, 'much', { text: 'fox fox fox wolf', passageLength: 4 });
      await saveAndProcess(store, 'once', { text: 'The wolf and one fox.' });
      const { items, isCut } = await find('fox', { items: 1, passagesOfEach: 2 });
      expect(items.map((passages) => passages.map(({ itemUrl, text }) => [itemUrl, text.trim()]))).toEqual([
        [
          ['much', 'fox'],
          ['much', 'fox'],
        ],
      ]);
      expect(isCut).toBe(false);
      const all = await find('fox wolf');
      expect(urlsOf(all).toSorted()).toEqual(['much', 'once']);
      for (const passages of all.items) {
        const scores = passages.map(({ score }) => score);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      }
      const best = all.items.map(([first]) => first!.score);
      expect(best).toEqual(best.toSorted((a, b) => b - a));
      expect((await find('fox', { depth: 4 })).isCut).toBe(true);
      expect((await find('fox', { depth: 5 })).isCut).toBe(false);
    });

    it('omits repetitions on request and says where else a passage occurs', async () => {
      const { store } = underTest();
      for (let i = 0; i < 6; i += 1) await saveAndProcess(store, `filler-${i}`, { text: 'Something else.' });
      const text = `A fox and its den, as everybody tells of it: ${Array.from({ length: 30 }, (_, at) => `word${at}`).join(' ')}`;
      for (const url of ['one', 'two', 'three']) await saveAndProcess(store, url, { text: `${text} ${url}.` });
      await saveAndProcess(store, 'other', { text: 'Of another fox.' });
      const sorted = (found: ItemsFound) => urlsOf(found).toSorted();
      expect(sorted(await find('fox'))).toEqual(['one', 'other', 'three', 'two']);
      expect((await find('fox')).items.flat().every(({ alsoIn }) => alsoIn === undefined)).toBe(true);
      expect(await find('fox', { distinct: true, items: 1 })).toMatchObject({ total: 4, isUpperBound: true });
      expect(await find('fox', { distinct: true, items: 3 })).toMatchObject({ total: 2, isUpperBound: false });
      const found = await find('fox', { distinct: true, items: 3 });
      expect(found.items.map(([first]) => first?.text.startsWith(text)).toSorted()).toEqual([false, true]);
      const shown = found.items.flat().find((passage) => passage.text.startsWith(text));
      const others = (await find('everybody')).items.map(([first]) => first?.contentId);
      expect([shown?.contentId, ...(shown?.alsoIn ?? [])].toSorted()).toEqual(others.toSorted());
    });

    it('gives the locations of the passages in an answer', async () => {
      const { store } = underTest();
      for (let i = 0; i < 6; i += 1) await saveAndProcess(store, `filler-${i}`, { text: 'Something else.' });
      await saveAndProcess(store, 'a', { text: 'fox den. fox cub. ', passageLength: 9 });
      await saveAndProcess(store, 'b', { text: 'The fox alone.', document: { contentType: 'document' } });
      const placed = async (characters: number) => {
        const { items } = await find('fox', { placed: characters });
        const shown = bestOfEachFirst(items);
        const places = await indexMethodsOf(store).locate(
          shown.map(({ passageId, text }) => ({ passageId, start: 0, end: text.length })),
        );
        const given = shown.map(({ place }, index) => place ?? places[index]);
        expect(given).toEqual(places);
        return shown.map(({ place }) => place !== undefined);
      };
      expect(await placed(0)).toEqual([false, false, false]);
      expect(await placed(24)).toEqual([true, true, false]);
      expect(await placed(Infinity)).toEqual([true, true, true]);
    });

    it('counts searchable, waiting and failed items', async () => {
      const { store } = underTest();
      await saveAndProcess(store, 'a', { text: 'A fox.' });
      const deleted = await saveAndProcess(store, 'b', { text: 'A fox, too.' });
      const counts = async () => (await find('fox')).coverage;
      expect(await counts()).toEqual({ searchable: 2, pending: 0, failed: 0 });
      await store.saveContent(saving('c'));
      expect(await counts()).toEqual({ searchable: 2, pending: 1, failed: 0 });
      const failure = { code: 'internal' as const, message: 'x', retryable: false, nextAttemptAt: null };
      await store.failJob(await claim(store), failure);
      expect(await counts()).toEqual({ searchable: 2, pending: 0, failed: 1 });
      await store.deleteContent(deleted);
      expect(await counts()).toEqual({ searchable: 1, pending: 0, failed: 1 });
      await store.saveContent(saving('d'));
      await processToPassages(store, await claim(store), { text: 'A fox in haste.' });
      expect(await counts()).toEqual({ searchable: 2, pending: 0, failed: 1 });
    });

    it.each(byRank)('omits deleted items until they are restored (by %s)', async (by) => {
      const { store, clock } = underTest();
      const ids: string[] = [];
      for (const url of ['a', 'b', 'c']) {
        clock.advance(1_000);
        const id = await saveAndProcess(store, url, { text: `A fox of ${url}.`, save: { tags: [url] } });
        await store.keepVectors('e', [{ passageId: (await passagesOf(id))[0]!, vector: Float32Array.of(1, 0) }]);
        ids.push(id);
      }
      const ask = async () => {
        const found = await find('fox', { by, vector: questionVector([1, 0]), facets: true });
        return { urls: urlsOf(found).toSorted(), tags: found.facets?.tags.map(({ value }) => value).toSorted() };
      };
      const all = ['a', 'b', 'c'];
      expect(await ask()).toEqual({ urls: all, tags: all });
      await store.deleteContent(ids[1]!);
      expect(await ask()).toEqual({ urls: ['a', 'c'], tags: ['a', 'c'] });
      await store.restoreContent(ids[1]!);
      expect(await ask()).toEqual({ urls: all, tags: all });
    });

    it.each(byRank)('returns only items that match the filter (by %s)', async (by) => {
      const { store } = underTest();
      const save = async (url: string, text: string, contentType: 'article' | 'pdf', tags: string[]) => {
        const id = await saveAndProcess(store, url, { text, document: { contentType }, save: { tags } });
        await store.keepVectors('e', [{ passageId: (await passagesOf(id))[0]!, vector: Float32Array.of(1, 0) }]);
      };
      await save('https://example.com/a', 'A red fox.', 'article', ['wild']);
      await save('https://example.com/b', 'A grey fox.', 'pdf', ['wild', 'tame']);
      await save('https://example.org/c', 'The fox was red.', 'pdf', []);
      const through = async (filter: ItemSearch['filter']) =>
        (await urls('fox', { by, filter, vector: questionVector([1, 0]) })).map((url) => url?.at(-1)).toSorted();
      expect(await through({})).toEqual(['a', 'b', 'c']);
      expect(await through({ items: { type: 'pdf' } })).toEqual(['b', 'c']);
      expect(await through({ items: { all: [{ tag: 'WILD' }, { type: 'pdf' }] } })).toEqual(['b']);
      expect(await through({ items: { site: 'example.com' } })).toEqual(['a', 'b']);
      expect(await through({ phrases: ['red fox'] })).toEqual(['a']);
      expect(await through({ excluded: ['red'] })).toEqual(['b']);
      expect(await through({ items: { tag: 'nowhere' } })).toEqual([]);
    });

    it.each(byRank)('filters by the time of saving and by a name (by %s)', async (by) => {
      const { store, clock } = underTest();
      const times: number[] = [];
      const names = [{ author: 'Ann Lee' }, { siteName: 'Ann Lee' }, { author: 'Ann Leeson', siteName: 'NPR' }];
      for (const [at, document] of names.entries()) {
        clock.advance(60_000);
        times.push(clock.now());
        const id = await saveAndProcess(store, `https://example.com/${at}`, { text: 'A fox.', document });
        await store.keepVectors('e', [{ passageId: (await passagesOf(id))[0]!, vector: Float32Array.of(1, 0) }]);
      }
      const through = async (filter: ItemSearch['filter']) =>
        (await urls('fox', { by, filter, vector: questionVector([1, 0]) })).map((url) => url?.at(-1)).toSorted();
      expect(await through({ items: { saved: { since: times[1]! } } })).toEqual(['1', '2']);
      expect(await through({ items: { saved: { before: times[1]! } } })).toEqual(['0']);
      expect(await through({ items: { saved: { since: times[1]!, before: times[2]! } } })).toEqual(['1']);
      expect(await through({ items: { names: ['ANN LEE'] } })).toEqual(['0', '1']);
      expect(await through({ items: { names: ['npr', 'nobody'] } })).toEqual(['2']);
    });

    it('ranks preferred items higher and omits nothing', async () => {
      const { store } = underTest();
      for (let i = 0; i < 6; i += 1) await saveAndProcess(store, `filler-${i}`, { text: 'Something else.' });
      await saveAndProcess(store, 'short', { text: 'Fox den.' });
      await saveAndProcess(store, 'stems', { text: 'A fox in red dens, and more words of no account.' });
      await saveAndProcess(store, 'phrase', {
        text: 'A fox in a red den, and more words of no account at all.',
        document: { author: 'Ann Lee' },
      });
      expect((await urls('fox'))[0]).toBe('short');
      const ask = (factor: number, more: Partial<ItemSearch> = {}) =>
        find('fox', { preferred: [{ filter: { phrases: ['red den'] }, factor }], ...more });
      const found = await ask(3);
      expect(urlsOf(found)).toEqual(['phrase', 'short', 'stems']);
      expect(found.items.flat().every(({ score }) => score > 0 && score <= 1)).toBe(true);
      expect(await ask(1)).toEqual(await find('fox'));
      // Where everything fits, the order is as without the preference.
      const all = await find('fox', { preferred: [{ filter: { items: { saved: { since: 0 } } }, factor: 50 }] });
      expect(urlsOf(all)).toEqual(await urls('fox'));
      expect(all.items[0]?.[0]?.score).toBe(1);
      // However many others rank before it.
      const preferred = [{ filter: { items: { names: ['Ann Lee'] } }, factor: 3 }];
      expect(await urls('fox', { preferred, depth: 1 })).toEqual(['phrase', 'short']);
      expect(await urls('fox', { preferred: [{ filter: { items: { saved: { since: 1e15 } } }, factor: 3 }] })).toEqual(
        await urls('fox'),
      );
    });

    it('does not let a preference override the filter', async () => {
      const { store, clock } = underTest();
      await saveAndProcess(store, 'a', { text: 'A red fox.', save: { tags: ['x'] } });
      const after = clock.now() + 1;
      const preferred = [{ filter: { items: { saved: { since: 0, before: after } } }, factor: 2 }];
      expect(await urls('fox', { preferred, filter: { items: { tag: 'y' } } })).toEqual([]);
      expect(await urls('fox', { preferred, filter: { items: { saved: { since: after } } } })).toEqual([]);
      expect(await urls('fox', { preferred, filter: { items: { tag: 'x' } } })).toEqual(['a']);
    });

    it('ranks items higher whose author or site the question names', async () => {
      const { store } = underTest();
      for (let i = 0; i < 6; i += 1) await saveAndProcess(store, `filler-${i}`, { text: 'Something else.' });
      await saveAndProcess(store, 'plain', { text: 'A fox.' });
      const text = 'A fox, in a text that is longer.';
      await saveAndProcess(store, 'site', { text, document: { siteName: 'Nature' } });
      const first = async (question: string) =>
        (await find(question, { nameFactor: 4 })).items.map(([best]) => best?.itemUrl)[0];
      expect(await first('the fox of Nature')).toBe('site');
      expect(await first('the fox in nature')).toBe('plain');
      expect(await first('the fox of Natures')).toBe('plain');
      expect((await urls('the fox of Nature'))[0]).toBe('plain');
    });

    it('matches a phrase exactly, in results and in counts', async () => {
      const { store } = underTest();
      await saveAndProcess(store, 'a', { text: 'Deep sleep for foxes.' });
      await saveAndProcess(store, 'b', {
        text: 'A fox sleeps.',
        document: { title: 'Who sleeps deep', contentType: 'pdf' },
      });
      await saveAndProcess(store, 'c', {
        text: 'The fox.',
        headingPath: ['On Deep-Sleep'],
        document: { contentType: 'post' },
      });
      const ask = async (phrase: string) => {
        const found = await find('fox', { filter: { phrases: [phrase] }, facets: true });
        return [urlsOf(found).toSorted(), found.facets?.types.map(({ value }) => value).toSorted()];
      };
      expect(await ask('deep sleep')).toEqual([
        ['a', 'c'],
        ['article', 'post'],
      ]);
      expect(await ask('deep sleeps')).toEqual([[], []]);
      expect(await ask('sleeps deep')).toEqual([['b'], ['pdf']]);
    });

    it('counts all items with a word of the question, however few are requested', async () => {
      const { store } = underTest();
      const years = ['2024-03-01', '2024-05-01', '2025-01-01'];
      for (const [index, publishedAt] of years.entries()) {
        const tags = index === 0 ? ['Wild'] : ['wild', 'red'];
        await saveAndProcess(store, `${index}`, {
          text: `A fox, ${index}.`,
          document: { publishedAt },
          save: { tags },
        });
      }
      await saveAndProcess(store, 'other', { text: 'A wolf.', document: { contentType: 'pdf' } });
      const { items, facets } = await find('fox', { items: 1, depth: 1, facets: true });
      expect(items).toHaveLength(1);
      expect(facets?.types).toEqual([{ value: 'article', count: 3 }]);
      expect(facets?.tags.map(({ value, count }) => [value.toLowerCase(), count])).toEqual([
        ['wild', 3],
        ['red', 2],
      ]);
      expect(facets?.years).toEqual([
        { value: 2025, count: 1 },
        { value: 2024, count: 2 },
      ]);
      expect(await find('fox')).not.toHaveProperty('facets');
      const listed = await find('', { by: null, filter: { items: { tag: 'wild' } }, items: 1, depth: 1, facets: true });
      expect([listed.items.length, listed.isCut]).toEqual([1, true]);
      expect(listed.facets).toEqual(facets);
    });

    it('lists the newest items when nothing is ranked, each with its first passage', async () => {
      const { store, clock } = underTest();
      await saveAndProcess(store, 'filler', { text: 'Filler.' });
      for (const url of ['one', 'two', 'three']) {
        clock.advance(1_000);
        const text = `fox ${url} wolf ${url} `;
        await saveAndProcess(store, url, { text, passageLength: 5, save: { tags: ['wild'] } });
      }
      await store.deleteContent(await saveAndProcess(store, 'four', { text: 'gone', save: { tags: ['wild'] } }));
      const listed = async (filter: ItemSearch['filter'], depth = 10) => {
        const { items, isCut } = await find('', { by: null, filter, depth });
        expect(items.flat().every(({ score }) => score === 0)).toBe(true);
        expect(isCut).toBe(items.length === depth);
        return items.map((passages) => passages.map(({ itemUrl, ordinal }) => `${itemUrl} ${ordinal}`).join());
      };
      expect(await listed({ items: { tag: 'wild' } })).toEqual(['three 0', 'two 0', 'one 0']);
      expect(await listed({ items: { tag: 'wild' } }, 2)).toEqual(['three 0', 'two 0']);
      expect(await listed({ items: { tag: 'wild' }, excluded: ['fox', 'hree'] })).toEqual([
        'three 2',
        'two 1',
        'one 1',
      ]);
      expect(await listed({ excluded: ['filler'] }, 1)).toEqual(['three 0']);
      expect(await listed({ items: { tag: 'tame' } })).toEqual([]);
    });

    it('never throws, whatever the query', async () => {
      const { store } = underTest();
      await saveAndProcess(store, 'a', { text: 'Some text about foxes. 図書館。' });
      const parts = fc.constantFrom(
        'fox',
        'texd',
        '図書',
        '"',
        '*',
        '(',
        ':',
        '-',
        ' AND ',
        ' NOT ',
        '\u0301',
        '\u0000',
        '\ud83e',
      );
      const anything = fc.oneof(
        fc.string({ unit: 'binary', maxLength: 100 }),
        fc.array(parts, { maxLength: 20 }).map((some) => some.join('')),
      );
      await forAllAsync(runs(100), anything, async (query) => {
        await find(query, { isTyped: true });
        const items = { all: [{ site: query }, { tag: query }, { author: query }, { word: query }] };
        const filter = { phrases: [query], excluded: [query], items };
        expect((await find(query, { filter, facets: true })).items).toEqual([]);
        expect((await find(query, { by: null, filter })).items).toEqual([]);
      });
    });

    it('omits and does not count picture-only items that have no word of the question', async () => {
      const { store } = underTest();
      const save = async (url: string, text: string, direction: number[], passageLength?: number) => {
        const id = await saveAndProcess(store, url, { text, ...(passageLength !== undefined && { passageLength }) });
        const vector = Float32Array.from(direction);
        await store.keepVectors(
          'e',
          (await passagesOf(id)).map((passageId) => ({ passageId, vector })),
        );
      };
      const picture = '![](https://a.example/wolf.png)\n';
      await save('pictures', picture.repeat(4), [1, 0], picture.length);
      await save('mixed', `${picture.repeat(3)}An animal.`, [0.9, 0.1], picture.length);
      await save('words', 'A beast.', [0.8, 0.2]);
      const vector = questionVector([1, 0]);
      const found = await find('zzzz', { vector, items: 2, facets: true });
      expect(urlsOf(found)).toEqual(['mixed', 'words']);
      expect(found.items[0]?.map(({ text }) => text)).toEqual(['An animal.']);
      expect(found.facets?.types).toEqual([{ value: 'article', count: 2 }]);
      expect(urlsOf(await find('png', { vector, items: 1 }))).toEqual(['pictures']);
    });

    it('skips the search for a caller that has gone', async () => {
      const { stores, store } = underTest();
      await saveAndProcess(store, 'a', { text: 'A fox.' });
      const controller = new AbortController();
      const asked = await stores.open('local', controller.signal);
      expect(urlsOf(await findItems(asked, 'fox'))).toEqual(['a']);
      controller.abort(new Error('enough'));
      await expect(findItems(asked, 'fox')).rejects.toThrow('enough');
      await expect(indexMethodsOf(asked).locate([])).rejects.toThrow('enough');
      expect(await urls('fox')).toEqual(['a']);
    });
  });

  describe('finding items by words and meaning', () => {
    /** By the item's address: each has one passage. */
    let passages: Record<string, number>;

    beforeEach(async () => {
      const { store } = underTest();
      passages = {};
      for (let i = 0; i < 6; i += 1) await saveAndProcess(store, `filler-${i}`, { text: 'Something else.' });
      for (const [url, text] of [
        ['words', 'The fox.'],
        ['both', 'A fox.'],
        ['near', 'An animal.'],
        ['far', 'A stone.'],
      ] as const) {
        [passages[url] = 0] = await passagesOf(await saveAndProcess(store, url, { text }));
      }
      await store.keepVectors('e', [
        { passageId: passages['both']!, vector: Float32Array.of(0.8, 0.6) },
        { passageId: passages['near']!, vector: Float32Array.of(0.6, 0.8) },
        { passageId: passages['far']!, vector: Float32Array.of(0, 1) },
      ]);
    });

    const scores = async (more: Partial<ItemSearch>) => {
      const { items } = await find('fox', { vector: questionVector([1, 0]), ...more });
      return Object.fromEntries(items.flat().map(({ itemUrl, score }) => [itemUrl, score]));
    };

    it('ranks by one of them, or by both', async () => {
      const byWords = await scores({ by: 'words' });
      expect(Object.keys(byWords).toSorted()).toEqual(['both', 'words']);
      const byMeaning = await scores({ by: 'meaning' });
      expect(Object.keys(byMeaning)).toEqual(['both', 'near', 'far']);
      expect(byMeaning['both']).toBeCloseTo(0.8, 2);
      const fused = await scores({});
      expect(Object.keys(fused)).toEqual(['both', 'near', 'words']);
      expect(await scores({ vector: null })).toEqual(byWords);
      expect(await scores({ vector: null, by: 'meaning' })).toEqual({});
    });

    it('scores a passage without a vector by its words alone', async () => {
      const { store } = underTest();
      const half = await scores({});
      const whole = await scores({ vector: questionVector([1, 0], { everyPassage: false }) });
      expect(whole['words']).toBeCloseTo(2 * half['words']!, 10);
      expect(whole['both']).toBeCloseTo(half['both']!, 10);
      // One that has a vector has its half, however far it is from the question.
      await store.keepVectors('e', [{ passageId: passages['words']!, vector: Float32Array.of(-1, 0) }]);
      const near = await scores({ depth: 2, vector: questionVector([1, 0], { everyPassage: false }) });
      expect(near['words']).toBeCloseTo(half['words']!, 10);
    });

    it('scores items saved after the last vector by their words alone', async () => {
      const { store } = underTest();
      const before = await scores({});
      await saveAndProcess(store, 'new', { text: 'The fox.' });
      const after = await scores({});
      expect(after['new']! / before['words']!).toBeGreaterThan(1.5);
      expect(after['words']).toBeCloseTo(after['new']!, 10);
    });

    it('also searches the vectors of the previous embedder and brings both to one scale', async () => {
      const { store } = underTest();
      await store.keepVectors('new', [{ passageId: passages['near']!, vector: Float32Array.of(0.6, 0, 0.8) }]);
      const before = questionVector([1, 0], { everyPassage: false });
      const values = Float32Array.of(1, 0, 0);
      const vector = { embedderId: 'new', values, unrelatedCosine: 0.2, everyPassage: false };
      expect(Object.keys(await scores({ vector, by: 'meaning' }))).toEqual(['near']);
      const byMeaning = await scores({ vector: { ...vector, before }, by: 'meaning' });
      expect(Object.keys(byMeaning)).toEqual(['both', 'near', 'far']);
      // (.6 − .2) ÷ (1 − .2)
      expect(byMeaning['near']).toBeCloseTo(0.5, 2);
      expect(byMeaning['both']).toBeCloseTo(0.8, 2);
      expect(Object.keys(await scores({ vector: { ...vector, before }, by: 'meaning', depth: 2 }))).toEqual([
        'both',
        'near',
      ]);
      const wordsOf = async (more: Partial<QuestionVector>) =>
        (await scores({ vector: { ...vector, ...more } }))['both'] ?? 0;
      const alone = (await scores({ by: 'words' }))['both']!;
      // Only the embedder before has a vector of it.
      expect(await wordsOf({})).toBeCloseTo(alone, 10);
      expect(await wordsOf({ before })).toBeCloseTo(alone / 2 + 0.4, 2);
    });
  });
}
