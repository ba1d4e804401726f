import { beforeEach, describe, expect, it } from 'vitest';
import type { Document } from '../../../../src/domain/records/texts/document.ts';
import type { PassageFilter } from '../../../../src/store/records/search-records.ts';
import {
  claim,
  findItems,
  passageIds,
  processToPassages,
  resource,
  saveAndProcess,
  saving,
} from '../items/store-items.ts';
import type { StoreUnderTest } from '../store-under-test.ts';

export function searchContract(underTest: () => StoreUnderTest): void {
  const texts = async (query: string, filter: PassageFilter = {}, limit = 10) => {
    const { store } = underTest();
    const hits = await store.searchWords(query, filter, limit);
    return (await store.readPassages(passageIds(hits))).map(({ text }) => text);
  };
  /** Items that no question of the tests is about, so that the words asked for are rare ones. */
  const saveFiller = async () => {
    for (let i = 0; i < 8; i += 1)
      await saveAndProcess(underTest().store, `filler-${i}`, { text: `Filler number ${i}.` });
  };

  describe('searching by words', () => {
    beforeEach(saveFiller);

    it('finds words in other forms, with and without accents', async () => {
      const { store } = underTest();
      const written = ['Running shoes for runners.', 'Über das Café in Zürich.', 'ПРИВЕТ, мир!', 'हिन्दी में एक वाक्य।'];
      for (const text of written) await saveAndProcess(store, text, { text });
      expect(await texts('run')).toEqual([written[0]]);
      expect(await texts('shoe')).toEqual([written[0]]);
      expect(await texts('cafe zurich')).toEqual([written[1]]);
      expect(await texts('CAFÉ')).toEqual([written[1]]);
      expect(await texts('Cafe\u0301')).toEqual([written[1]]);
      expect(await texts('привет')).toEqual([written[2]]);
      expect(await texts('हिन्दी')).toEqual([written[3]]);
      expect(await texts('nowhere')).toEqual([]);
    });

    it('finds a text by its author, also under a title that a person gave', async () => {
      const { store } = underTest();
      const text = 'Coffee keeps you awake.';
      const id = await saveAndProcess(store, 'a', { text, document: { title: 'Late cups', author: 'Miriam Okonkwo' } });
      await saveAndProcess(store, 'b', { text: 'Tea does not.', document: { author: 'Tobias Renn' } });
      expect(await texts('miriam')).toEqual([text]);
      await store.updateContent(id, { title: 'Espresso' });
      expect(await texts('miriam okonkwo')).toEqual([text]);
      const withPhrase = async (phrase: string) =>
        (await findItems(store, 'coffee', { filter: { phrases: [phrase] } })).items.flat().map((found) => found.text);
      expect(await withPhrase('Miriam Okonkwo')).toEqual([text]);
      expect(await withPhrase('Okonkwo Miriam')).toEqual([]);
      expect(await texts('coffee tea', { excluded: ['okonkwo'] })).toEqual(['Tea does not.']);
    });

    it('finds a word followed by the number of a note', async () => {
      const { store } = underTest();
      const written = ['It ran anyway¹ on 20 m² for 10⁶ hours.', 'There are 106 of them on the roof.'];
      for (const text of written) await saveAndProcess(store, text, { text });
      expect(await texts('anyway')).toEqual([written[0]]);
      expect(await texts('m2')).toEqual([written[0]]);
      expect(await texts('106')).toEqual([written[1]]);
    });

    it.each([
      ['Chinese', '北京大学的图书馆今天开放。', ['图书馆', '北京', '馆'], '书店'],
      ['Japanese', '東京タワーへ行きました。', ['タワー', '東京', 'ﾀﾜｰ', '行'], '京都'],
      ['Korean', '도서관에서 책을 읽었습니다.', ['도서관', '책'], '학교'],
      ['Thai', 'ห้องสมุดเปิดวันนี้', ['ห้องสมุด', 'วันนี้'], 'โรงเรียน'],
      ['mixed scripts', 'iPhoneの使い方 v2.0を説明', ['iphone', '使い方', 'v2'], 'android'],
    ])('finds words within %s sentences', async (_, text, found, missed) => {
      await saveAndProcess(underTest().store, 'a', { text });
      for (const query of found) expect(await texts(query), query).toEqual([text]);
      expect(await texts(missed)).toEqual([]);
    });

    it('treats ligatures and full-width letters as the letters they represent', async () => {
      await saveAndProcess(underTest().store, 'a', { text: 'An e\ufb03cient o\ufb03ce, ＡＢＣ.' });
      expect(await texts('efficient')).toHaveLength(1);
      expect(await texts('abc')).toHaveLength(1);
    });

    it('treats punctuation as text, never as syntax', async () => {
      const text = 'The C++ error ECONNREFUSED (code: -111) NEAR "home"; title AND text.';
      await saveAndProcess(underTest().store, 'a', { text });
      for (const query of [
        '"econnrefused',
        'title:econnrefused',
        'econnrefused*',
        '-111',
        'NEAR(home',
        "home' OR 'x",
        '^home',
        '{a b}:home',
      ]) {
        expect(await texts(query), query).toEqual([text]);
      }
      expect(await texts('econnref* nowhere')).toEqual([]);
      expect(await texts('econnrefused NOT home')).toEqual([text]);
      for (const query of ['', '   ', '"', '*', '()', '\u0000', '\ud800', '🦊']) {
        expect(await underTest().store.searchWords(query, {}, 10), query).toEqual([]);
      }
    });

    it.each([
      ['one word of 100 kB', 'x'.repeat(100_000)],
      ['100 kB of distinct words', Array.from({ length: 15_000 }, (_, i) => `w${i}`).join(' ')],
      ['100 kB without spaces', '図書館'.repeat(12_000)],
      ['100 kB of quotation marks', '"'.repeat(100_000)],
    ])('answers %s', async (_, query) => {
      const text = 'Foxes in the 図書館.';
      await saveAndProcess(underTest().store, 'a', { text });
      expect((await texts(query)).length).toBeLessThanOrEqual(1);
    });

    it('ranks a word with its symbols above its parts', async () => {
      const { store } = underTest();
      await saveAndProcess(store, 'pieces', {
        text: 'Angle C. Side c. 75 degrees, 3 sides, 3 angles. A net of 1, 2 or 3 nets. Shop, shop.',
      });
      await saveAndProcess(store, 'signs', {
        text: 'The course begins with a little history and then turns to C++ and .NET, for which the book (v1.2.3) costs $3.75 🎉 in the shop.',
      });
      for (const n of [1, 2, 3]) await saveAndProcess(store, `other${n}`, { text: 'Nothing of that.' });
      for (const query of ['C++', '$3.75', 'book about (C++)?', '.NET', '1.2.3', 'v1.2.3', 'shop 🎉']) {
        const hits = await store.searchWords(query, {}, 10);
        const items = (await store.readPassages(passageIds(hits))).map(({ itemUrl }) => itemUrl);
        expect([query, items[0]]).toEqual([query, 'signs']);
        expect(hits[0]!.score).toBeLessThanOrEqual(1);
      }
    });

    it('ranks the better match first with a higher score', async () => {
      const { store } = underTest();
      await saveAndProcess(store, 'once', {
        text: 'A long text about many things, one of which is the fox, among others.',
      });
      await saveAndProcess(store, 'twice', { text: 'The fox is a fox.' });
      await saveAndProcess(store, 'title', {
        text: 'It is red and quick, and lives in the woods near us.',
        document: { title: 'The fox' },
      });
      const hits = await store.searchWords('fox', {}, 10);
      const items = (await store.readPassages(passageIds(hits))).map(({ itemUrl }) => itemUrl);
      expect(items.indexOf('once')).toBe(2);
      const scores = hits.map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      expect(scores.at(-1)).toBeGreaterThan(0);
      expect(scores[0]).toBeLessThanOrEqual(1);
    });

    it('counts each word of the question once, including unknown ones', async () => {
      const { store } = underTest();
      await saveAndProcess(store, 'a', { text: 'The fox.' });
      const score = async (query: string) => (await store.searchWords(query, {}, 10))[0]!.score;
      expect(await score('Fox fox FOX')).toBe(await score('fox'));
      // 9 passages, 1 of them with the one word and none with the other: what each could give is 2.2 times its idf.
      const [fox, unicorn] = [Math.log(8.5 / 1.5), Math.log(9.5 / 0.5)];
      expect(await score('fox unicorn')).toBeCloseTo(((await score('fox')) * fox) / (fox + unicorn), 10);
    });

    it('filters before it ranks, so a filtered answer is full', async () => {
      const { store } = underTest();
      for (let i = 0; i < 5; i += 1) await saveAndProcess(store, `many-${i}`, { text: 'Fox fox fox fox.' });
      const contentType = 'pdf' as const;
      await saveAndProcess(store, 'pdf', {
        text: 'A fox in a PDF.',
        document: { contentType },
        save: { tags: ['Wild', 'red'] },
      });
      await saveAndProcess(store, 'tagged', { text: 'A tagged fox.', save: { tags: ['wild'] } });
      expect(await texts('fox', {}, 2)).toEqual(['Fox fox fox fox.', 'Fox fox fox fox.']);
      expect(await texts('fox', { items: { type: contentType } }, 2)).toEqual(['A fox in a PDF.']);
      expect((await texts('fox', { items: { tag: 'WILD' } }, 2)).toSorted()).toEqual([
        'A fox in a PDF.',
        'A tagged fox.',
      ]);
      expect(await texts('fox', { items: { all: [{ tag: 'wild' }, { tag: 'RED' }] } }, 2)).toEqual(['A fox in a PDF.']);
      expect(await texts('fox', { items: { all: [{ type: 'article' }, { tag: 'wild' }] } }, 2)).toEqual([
        'A tagged fox.',
      ]);
      expect(await texts('fox', { items: { tag: 'nowhere' } }, 2)).toEqual([]);
    });

    it('treats an unknown last word as the beginning of one', async () => {
      await saveAndProcess(underTest().store, 'a', { text: 'Kubernetes and kubectl.' });
      expect(await texts('kuber')).toHaveLength(1);
      expect(await texts('running KUBE ')).toHaveLength(1);
      expect(await texts('ku')).toEqual([]);
      expect(await texts('kuber nowhere')).toEqual([]);
      expect(await texts('uber')).toEqual([]);
    });

    it('narrows by sites, types and dates', async () => {
      const { store, clock } = underTest();
      const save = async (url: string, document: Partial<Document>) => {
        await saveAndProcess(store, url, { text: `A fox of ${url}`, document });
        clock.advance(1_000);
      };
      const at = (date: string) => Date.parse(date);
      await save('https://www.example.com/a/b', { publishedAt: '2024-05-31T23:00:00.000Z' });
      await save('https://Blog.example.com:8080?x=1', { publishedAt: '2024-05-31T22:00:00Z', contentType: 'pdf' });
      await save('https://notexample.com/?u=https://a.example.com/', {
        publishedAt: '2024-06-01',
        contentType: 'post',
      });
      await save('https://example.org/a', { publishedAt: 'some day' });
      const urls = async (filter: PassageFilter) =>
        (await texts('fox', filter)).map((text) => text.replace('A fox of https://', '').slice(0, 7)).toSorted();
      const all = ['Blog.ex', 'example', 'notexam', 'www.exa'];
      expect(await urls({ phrases: [], excluded: [] })).toEqual(all);
      expect(await urls({ items: { site: 'example.com' } })).toEqual(['Blog.ex', 'www.exa']);
      expect(await urls({ items: { site: 'example' } })).toEqual(['Blog.ex', 'example', 'www.exa']);
      expect(await urls({ items: { site: 'blog.example.com:8080' } })).toEqual(['Blog.ex']);
      expect(await urls({ items: { site: 'example.com/a' } })).toEqual(['www.exa']);
      expect(await urls({ items: { any: [{ site: 'example.com/a/bc' }, { site: 'ample.com' }] } })).toEqual([]);
      expect(await urls({ items: { any: [{ site: 'example.org' }, { site: 'notexample.com' }] } })).toEqual([
        'example',
        'notexam',
      ]);
      expect(await urls({ items: { any: [{ type: 'pdf' }, { type: 'post' }] } })).toEqual(['Blog.ex', 'notexam']);
      expect(await urls({ items: { all: [{ any: [{ type: 'pdf' }, { type: 'post' }] }, { type: 'post' }] } })).toEqual([
        'notexam',
      ]);
      expect(await urls({ items: { published: { before: at('2024-06-01') } } })).toEqual(['Blog.ex', 'www.exa']);
      expect(
        await urls({ items: { published: { since: at('2024-05-31T22:30Z'), before: at('2024-06-01T00:00:01Z') } } }),
      ).toEqual(['notexam', 'www.exa']);
      // Not known: when it was saved.
      expect(await urls({ items: { published: { since: clock.now() - 1_000 } } })).toEqual(['example']);
    });

    it('narrows by phrases and excluded words', async () => {
      const { store } = underTest();
      const written = [
        'The deep sleep of foxes.',
        'Sleep, deep fox!',
        'A running fox, asleep.',
        'キツネは図書館の猫を見た fox',
      ];
      for (const text of written) await saveAndProcess(store, text, { text, document: { title: 'Red animals' } });
      const found = async (filter: PassageFilter) =>
        (await texts('fox', filter)).map((text) => written.indexOf(text)).toSorted();
      expect(await found({ phrases: ['deep sleep'] })).toEqual([0]);
      expect(await found({ phrases: ['sleep deep', 'foxes'] })).toEqual([1]);
      expect(await found({ phrases: ['図書館'] })).toEqual([3]);
      expect(await found({ phrases: ['図書館の'] })).toEqual([3]);
      expect(await found({ phrases: ['見た fox'] })).toEqual([3]);
      expect(await found({ phrases: ['図館'] })).toEqual([]);
      expect(await found({ phrases: ['red animals'] })).toHaveLength(4);
      expect(await found({ excluded: ['deep'] })).toEqual([2, 3]);
      expect(await found({ excluded: ['deep sleep', 'runs', '猫'] })).toEqual([1]);
      expect(await found({ excluded: ['animal'] })).toEqual([]);
      expect(await found({ phrases: ['deep'], excluded: ['deep sleep'] })).toEqual([1]);
    });

    it('finds a passage by the headings above it', async () => {
      const { store } = underTest();
      await saveAndProcess(store, 'a', { text: 'It is red.', headingPath: ['Foxes', 'Their habitat'] });
      expect(await texts('habitat')).toEqual(['It is red.']);
      expect(await texts('fox')).toEqual(['It is red.']);
    });

    it('shows only one version of a text', async () => {
      const { store } = underTest();
      const { id } = await store.saveContent(saving('a'));
      const failing = await processToPassages(store, await claim(store), { text: 'The old fox.' });
      const old = await store.searchWords('fox', {}, 10);
      await store.keepVectors('e', [{ passageId: old[0]!.passageId, vector: new Float32Array([1, 0]) }]);
      await store.failJob(failing, { code: 'internal', message: 'x', retryable: true, nextAttemptAt: null });
      await store.saveContent(saving('a', { original: resource('a', 'x') }));
      await processToPassages(store, await claim(store), { text: 'The new fox, red.' });
      expect((await store.readDocument(id))?.version).toBe(2);
      expect((await store.getContent(id))?.transcript).toBe('The new fox, red.');
      expect(await texts('fox')).toEqual(['The new fox, red.']);
      expect(await texts('old')).toEqual([]);
      expect(await store.readPassages(passageIds(old))).toEqual([]);
      expect(await store.searchVectors('e', new Float32Array([1, 0]), {}, 10)).toEqual([]);
      expect(await store.countVectors('e')).toEqual({ passages: 9, embedded: 0 });
    });
  });
}
