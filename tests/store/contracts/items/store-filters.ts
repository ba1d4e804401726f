import { beforeEach, describe, expect, it } from 'vitest';
import { type Filter, leavesOf } from '../../../../src/domain/search/filter.ts';
import { newId } from '../../../../src/domain/records/ids.ts';
import type { ExportedList } from '../../../../src/domain/records/transfers/exported.ts';
import { parseQuery } from '../../../../src/domain/search/query-language.ts';
import type { Document } from '../../../../src/domain/records/texts/document.ts';
import { findItems, saveAndProcess, saving } from './store-items.ts';
import type { StoreUnderTest } from '../store-under-test.ts';

const day = (date: string) => Date.parse(`${date}T00:00:00Z`);

/** Items by letters: a boiler's manual, a garden blog, a talk, a German article, and one that waits. */
const library: readonly [url: string, text: string, document: Partial<Document>, tags: string[], actions?: string[]][] =
  [
    [
      'https://heat.example.com/boilers/manual.pdf',
      'Bleed the radiators before winter.',
      { contentType: 'pdf', title: 'A boiler manual', author: 'Ann Lee', publishedAt: '2024-03-05T00:00:00.000Z' },
      ['House', 'to read'],
      ['Bleed the radiators before winter.'],
    ],
    [
      'https://www.garden.example/b?x=1',
      'Coffee grounds feed the roses. ![A rose](https://www.garden.example/rose.png)',
      { title: 'Roses', author: 'Bob Leeson', siteName: 'Garden' },
      ['garden', 'house-plants'],
    ],
    [
      'https://www.youtube.com/watch?v=c',
      'Welcome everyone, today tea and coffee, and a boiler.',
      { contentType: 'youtube', title: 'A talk', publishedAt: '2025-12-31T23:30:00.000Z' },
      ['talks'],
    ],
    [
      'https://zeitung.example/boilers',
      'Heizkessel brauchen Wartung.',
      { language: 'de', title: 'Der Kessel' },
      ['House'],
    ],
  ];

/** What each query finds; in brackets, what only words in the index tell. */
const found: readonly [query: string, urls: string][] = [
  ['tag:house', 'ad'],
  ['tag:HOUSE tag:"to read"', 'a'],
  ['tag:house*', 'abd'],
  ['-tag:house', 'bce'],
  ['-tag:*', 'e'],
  ['tag:house OR tag:garden', 'abd'],
  ['tag:house OR tag:garden -type:pdf', 'bd'],
  ['type:pdf type:youtube', 'ac'],
  ['-type:pdf', 'bcde'],
  ['site:example.com', 'a'],
  ['site:heat.example.com/boilers', 'a'],
  ['site:example.com/boilers', 'a'],
  ['site:boilers', ''],
  ['site:garden.example/b', 'b'],
  ['site:youtube', 'c'],
  ['site:youtube OR site:garden', 'bc'],
  ['-site:youtube -site:garden.example', 'ade'],
  ['author:lee', 'ab'],
  ['author:"ann lee"', 'a'],
  ['-author:*', 'cde'],
  ['lang:de', 'd'],
  ['-lang:de', 'abce'],
  ['is:failed', ''],
  ['is:inbox', 'ade'],
  ['-is:inbox', 'bc'],
  ['is:later OR is:archived', 'bc'],
  ['is:inbox is:later', 'acde'],
  ['is:unread', 'abde'],
  ['is:read', 'c'],
  ['read:2026-02', 'c'],
  ['read:2025', ''],
  ['-read:2026-02', 'abde'],
  ['is:highlighted', 'b'],
  ['is:noted', 'be'],
  ['-has:note', 'acd'],
  ['has:action', 'a'],
  ['-has:action -has:highlight', 'cde'],
  ['has:picture', 'b'],
  ['saved:2026-01', 'ab'],
  ['saved:2026-02..', 'cde'],
  ['-saved:2026-01', 'cde'],
  ['saved:>=2026-02 saved:<2026-03', 'cd'],
  ['published:2024-03-05', 'a'],
  ['published:2024..2025', 'ac'],
  ['published:2025-12-31', 'c'],
  ['published:>2025', 'bde'],
  ['before:2025', 'a'],
  ['after:2026-02', 'de'],
  ['words:4..5', 'a'],
  ['words:>2', 'abcd'],
  ['-words:>0', 'e'],
  ['words:<=3', 'd'],
  ['goal:heat', 'a'],
  ['-goal:*', 'bcde'],
];
const foundByWords: readonly [query: string, urls: string][] = [
  ['boiler', 'ac'],
  ['boilers -type:pdf', 'c'],
  ['coffee boiler', 'c'],
  ['coffee OR radiator', 'abc'],
  ['-coffee', 'ade'],
  ['-(coffee OR tag:house)', 'e'],
  ['"tea and coffee"', 'c'],
  ['"coffee and tea"', ''],
  ['(tea tag:talks) OR (rose -tag:talks)', 'bc'],
  ['tag:house OR welcome', 'acd'],
  ['-(-coffee)', 'bc'],
  ['leeson', 'b'],
  ['Wartung', 'd'],
  ['waiting', 'e'],
];

export function filterContract(underTest: () => StoreUnderTest): void {
  describe('filters', () => {
    const urls: string[] = [];

    beforeEach(async () => {
      const { store, clock } = underTest();
      urls.length = 0;
      const goal = await store.addGoal({ title: 'A heated house', category: 'Health' });
      clock.advance(day('2026-01-10') - clock.now());
      for (const [at, [url, text, document, tags, actions]] of library.entries()) {
        if (at === 2) clock.advance(day('2026-02-10') - clock.now());
        const id = await saveAndProcess(store, url, {
          text,
          document,
          save: { tags },
          ...(actions !== undefined && { actions }),
        });
        urls.push(url);
        if (at === 1) await store.updateContent(id, { shelf: 'archive' });
        if (at === 2) await store.updateContent(id, { shelf: 'later', read: true });
        if (at === 0)
          await store.updateAction((await store.listActions({ offset: 0, contentId: id })).items[0]!.id, {
            goalId: goal.id,
          });
        if (at === 1) await store.addHighlight({ contentId: id, quote: 'Coffee grounds', note: 'try it' });
        if (at === 3)
          await store.addHighlight({ contentId: id, quote: 'brauchen' }).then((one) => store.deleteHighlight(one!.id));
        clock.advance(1_000);
      }
      clock.advance(day('2026-03-10') - clock.now());
      await store.saveContent(saving('https://example.org/waiting', { notes: 'for later' }));
      urls.push('https://example.org/waiting');
    });

    const letters = (shown: readonly { url: string | null }[]) =>
      shown
        .map(({ url }) => 'abcde'.charAt(urls.indexOf(url ?? '')))
        .toSorted()
        .join('');

    it('narrow lists', async () => {
      const { store, hasSearch, clock } = underTest();
      const answers: [string, string][] = [];
      const asked = [...found, ...(hasSearch ? foundByWords : [])];
      for (const [query] of asked) {
        const filter = parseQuery(query, clock.now()).condition;
        const { items, total } = await store.listContent({ limit: 9, offset: 0, filter });
        expect([query, total]).toEqual([query, items.length]);
        answers.push([query, letters(items)]);
      }
      expect(answers).toEqual(asked);
    });

    it('narrow searches to the same items', async () => {
      const { store, clock } = underTest();
      const answers: [string, string][] = [];
      for (const [query] of [...found, ...foundByWords]) {
        const filter = parseQuery(query, clock.now()).condition!;
        const items = await store.resolveFilter(filter);
        const listed = await findItems(store, '', { by: null, filter: { items } });
        answers.push([query, letters(listed.items.map(([passage]) => ({ url: passage!.itemUrl })))]);
      }
      expect(answers).toEqual([...found, ...foundByWords]);
      const items = await store.resolveFilter({ any: [{ tag: 'house' }, { has: 'highlight' }] });
      const ranked = await findItems(store, 'coffee boiler', { filter: { items } });
      expect(letters(ranked.items.map(([passage]) => ({ url: passage!.itemUrl })))).toBe('ab');
    });

    const listed = async (filter: Filter) =>
      letters((await underTest().store.listContent({ limit: 9, offset: 0, filter })).items);

    it('name lists by a prefix of their names, both manual and query lists', async () => {
      const { store } = underTest();
      const [, b] = (await store.listContent({ limit: 9, offset: 0, order: 'oldest' })).items;
      await store.addList({ name: 'Fine' });
      await store.addToList('Fine', [b!.id]);
      await store.addList({ name: 'Films', query: 'tag:talks' });
      await store.addList({ name: 'All', query: 'list:fi* OR type:pdf' });
      const answers = ['fi*', 'fin*', 'all', '*', 'none*'].map((list) => listed({ list }));
      expect(await Promise.all(answers)).toEqual(['bc', 'b', 'abc', 'abc', '']);
      expect(await listed({ not: { list: 'fi*' } })).toBe('ade');
    });

    it('are refused when a list refers to a missing one or the whole is too complex', async () => {
      const { store } = underTest();
      await store.addList({ name: 'Private' });
      await store.addList({ name: 'Most', query: '-list:private' });
      await store.addList({ name: 'Many', query: Array.from({ length: 49 }, (_, at) => `-tag:${at}`).join(' ') });
      expect(await listed({ list: 'most' })).toBe('abcde');
      await store.deleteList('private');
      const many = { all: Array.from({ length: 11 }, () => ({ list: 'many' })) };
      for (const filter of [{ list: 'most' }, { not: { list: 'most' } }, many]) {
        await expect(listed(filter)).rejects.toMatchObject({ code: 'invalid_input' });
        await expect(store.resolveFilter(filter)).rejects.toMatchObject({ code: 'invalid_input' });
      }
      const empty: ExportedList = {
        id: newId('l'),
        name: 'Empty',
        icon: null,
        query: '→',
        ordinal: 9,
        createdAt: 0,
        updatedAt: 0,
        items: null,
      };
      await store.restoreLists([empty], 'any');
      expect(await listed({ not: { list: 'Empty' } })).toBe('');
    });

    it('take `*` literally in an exact tag', async () => {
      await underTest().store.saveContent(saving('https://zeitung.example/boilers', { tags: ['house*'] }));
      expect(await listed({ tag: 'house*' })).toBe('abd');
      expect(await listed({ tag: 'house*', isExact: true })).toBe('d');
    });

    it('that index replicas cannot evaluate are sent to the database once, without deleted items', async () => {
      const { store } = underTest();
      const { items, total } = await store.listContent({ limit: 1, offset: 0 });
      await store.deleteContent(items[0]!.id);
      const unread: Filter = { any: [{ read: false }, { read: true }] };
      const itemsOf = async (filter: Filter) =>
        [...leavesOf(await store.resolveFilter(filter))].flatMap((leaf) => ('items' in leaf ? [leaf.items] : []));
      // SQLite has the index in the file of the library.
      expect([[], [[]]]).toContainEqual(await itemsOf({ all: [unread, { tag: '*' }, { not: unread }] }));
      expect([undefined, total - 1]).toContain((await itemsOf(unread))[0]?.length);
    });
  });
}
