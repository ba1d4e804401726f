import { afterAll, beforeAll, expect, it } from 'vitest';
import { localAccountId } from '../../../src/domain/records/account.ts';
import type { KnownMetadata } from '../../../src/domain/records/document.ts';
import { parseQuery } from '../../../src/domain/search/query-language.ts';
import { createSearchService } from '../../../src/services/search/search.ts';
import { ManualClock } from '../../support/clock.ts';
import { addFinishedItem, paragraphs } from '../../support/content.ts';
import { openStores, rememberingLog, type TestStores } from '../../support/stores.ts';

/*
 * Questions with operators, written from docs/searching.md before any of them was asked, with what a reader of that page
 * expects to find. `list`: in a list; the others are searches.
 */

interface Item {
  url: string;
  text: string;
  tags?: string[];
  about?: Partial<
    KnownMetadata & { contentType: 'pdf' | 'youtube' | 'paper' | 'post'; publishedAt: string; language: string }
  >;
  saved: string;
  notes?: string;
  shelf?: 'later' | 'archive';
  isRead?: boolean;
  highlight?: string;
}

const library: Readonly<Record<string, Item>> = {
  boiler: {
    url: 'https://heat.example/manuals/boiler.pdf',
    text: 'The boiler needs its pressure checked each winter. Bleed the radiators first.',
    tags: ['house', 'heating'],
    about: {
      contentType: 'pdf',
      title: 'Boiler manual',
      author: 'Acme Heating',
      publishedAt: '2019-10-01T00:00:00.000Z',
    },
    saved: '2026-01-05',
    shelf: 'archive',
    isRead: true,
  },
  pump: {
    url: 'https://blog.heat.example/pumps',
    text: 'A heat pump replaces a boiler in most houses and costs less to run.',
    tags: ['house', 'energy'],
    about: { title: 'Heat pumps', author: 'Mira Lund', publishedAt: '2024-05-20T00:00:00.000Z' },
    saved: '2026-02-10',
    shelf: 'later',
    highlight: 'costs less to run',
  },
  bread: {
    url: 'https://kitchen.example/bread',
    text: 'Sourdough bread rises overnight. Flour, water and salt are all it takes.',
    tags: ['kitchen', 'to cook'],
    about: { title: 'Sourdough', author: 'Jo Bakes', publishedAt: '2023-01-02T00:00:00.000Z' },
    saved: '2026-02-20',
  },
  soup: {
    url: 'https://www.kitchen.example/soup?page=2',
    text: 'Lentil soup for a cold winter evening, with carrots and cumin.',
    tags: ['kitchen'],
    about: { title: 'Lentil soup' },
    saved: '2026-03-03',
    notes: 'More cumin next time.',
    isRead: true,
  },
  sleep: {
    url: 'https://www.youtube.com/watch?v=sleeptalk',
    text: 'In deep sleep the brain is washed. Coffee after noon takes deep sleep away.',
    tags: ['health', 'talks'],
    about: {
      contentType: 'youtube',
      title: 'Why deep sleep matters',
      author: 'Dr. Okonkwo',
      publishedAt: '2025-06-01T00:00:00.000Z',
    },
    saved: '2026-03-30',
  },
  tea: {
    url: 'https://health.example/tea',
    text: 'Green tea has less caffeine than coffee, and sleep comes easier.',
    tags: ['health'],
    about: { title: 'Tea or coffee', author: 'Mira Lundqvist', publishedAt: '2025-12-31T23:00:00.000Z' },
    saved: '2026-04-01',
    shelf: 'later',
  },
  schlaf: {
    url: 'https://gesund.example/schlaf',
    text: 'Guter Schlaf beginnt am Abend. Kaffee am Nachmittag stört ihn.',
    tags: ['health'],
    about: { title: 'Schlaf', language: 'de' },
    saved: '2026-04-15',
  },
  note: {
    url: 'https://forum.example/c++',
    text: 'In C++ the flag --dry-run exits with code -111 and foo:bar is a label.',
    about: { title: 'A label in C++', contentType: 'post' },
    saved: '2026-05-01',
  },
};

const questions: readonly [query: string, found: string, where?: 'list'][] = [
  // Words, phrases, what is excluded.
  ['boiler -radiators', 'pump'],
  ['boiler -tag:heating', 'pump'],
  ['boiler -site:blog.heat.example', 'boiler'],
  ['boiler -type:pdf', 'pump'],
  ['"deep sleep"', 'sleep'],
  ['coffee -"deep sleep"', 'tea'],
  ['winter tag:kitchen', 'soup'],
  ['winter -is:read', ''],
  ['winter is:read', 'boiler soup'],
  ['coffee OR boiler', 'boiler pump sleep tea'],
  ['coffee OR boiler -tag:health', 'boiler pump'],
  ['(coffee OR boiler) type:pdf', 'boiler'],
  ['-(tag:health OR tag:house)', 'bread soup note'],
  ['sleep -(coffee brain)', 'tea'],
  ['sleep OR Schlaf lang:de', 'schlaf'],
  // Tags.
  ['tag:house', 'boiler pump'],
  ['tag:HOUSE -tag:energy', 'boiler'],
  ['tag:"to cook"', 'bread'],
  ['tag:he*', 'boiler sleep tea schlaf'],
  ['-tag:*', 'note'],
  ['tag:house tag:energy', 'pump'],
  ['tag:house OR tag:kitchen', 'boiler pump bread soup'],
  // Types, sites, authors, languages.
  ['type:pdf', 'boiler'],
  ['type:pdf type:post', 'boiler note'],
  ['type:youtube OR type:post -tag:talks', 'note'],
  ['site:heat.example', 'boiler pump'],
  ['site:heat.example/manuals', 'boiler'],
  ['site:youtube', 'sleep'],
  ['site:kitchen.example site:health.example', 'bread soup tea'],
  ['author:lund', 'pump tea'],
  ['author:"mira lund" -author:lundqvist', 'pump'],
  ['-author:*', 'soup schlaf note'],
  ['lang:de', 'schlaf'],
  // Shelves and states.
  ['is:later', 'pump tea'],
  ['is:later OR is:archived', 'boiler pump tea'],
  ['is:inbox is:read', 'soup'],
  ['is:unread tag:health -is:later', 'sleep schlaf'],
  ['has:highlight', 'pump'],
  ['is:noted', 'soup'],
  ['has:note OR has:highlight', 'pump soup'],
  ['-has:note is:read', 'boiler'],
  // Dates and lengths.
  ['saved:2026-01..2026-02', 'boiler pump bread'],
  ['saved:>2026-03', 'tea schlaf note'],
  ['saved:>=2026-03 -saved:2026-04', 'soup sleep note'],
  ['saved:last-month', 'tea schlaf'],
  ['published:2025', 'sleep tea'],
  ['published:..2023', 'boiler bread'],
  ['published:<2024 tag:kitchen', 'bread'],
  ['before:2020', 'boiler'],
  ['saved:this-month OR published:2019', 'boiler note'],
  ['words:<=11', 'soup schlaf tea'],
  // Plain text.
  ['foo:bar', 'note'],
  ['--dry-run', 'note pump'],
  // In lists, every word counts.
  ['coffee sleep', 'sleep tea', 'list'],
  ['"coffee sleep"', '', 'list'],
  ['boiler winter', 'boiler', 'list'],
  ['boiler OR lentil -is:archived', 'pump soup', 'list'],
  ['-coffee tag:health', 'schlaf', 'list'],
  ['(cumin OR flour) tag:kitchen -has:note', 'bread', 'list'],
  ['radiator', 'boiler', 'list'],
];

let testServer: TestStores;
let ask: (query: string) => Promise<string[]>;
const names = new Map<string, string>();

beforeAll(async () => {
  const clock = new ManualClock();
  testServer = await openStores(clock);
  const { store } = testServer;
  for (const [name, { url, text, tags, about, saved, notes, shelf, isRead, highlight }] of Object.entries(library)) {
    clock.advance(Date.parse(saved) - clock.now());
    const id = await addFinishedItem(store, { url, about, tags, blocks: paragraphs(text) });
    names.set(id, name);
    await store.updateContent(id, {
      ...(notes !== undefined && { notes }),
      ...(shelf !== undefined && { shelf }),
      ...(isRead !== undefined && { read: isRead }),
    });
    if (highlight !== undefined) await store.addHighlight({ contentId: id, quote: highlight });
  }
  clock.advance(Date.parse('2026-05-20') - clock.now());
  const service = createSearchService(testServer.stores, null, clock, rememberingLog());
  ask = async (query) => {
    const asked = { query, limit: 20, asWritten: true };
    const { results } = await service.search(localAccountId, asked, new AbortController().signal);
    return results.map(({ id }) => id);
  };
});
afterAll(() => testServer.close());

it('there are sixty questions', () => {
  expect(questions).toHaveLength(60);
});

it.each(questions)('%j finds %j', async (query, found, where) => {
  const now = Date.parse('2026-05-20');
  const filter = parseQuery(query, now).condition;
  const ids =
    where === 'list'
      ? (await testServer.store.listContent({ limit: 20, offset: 0, filter })).items.map(({ id }) => id)
      : await ask(query);
  const wanted = found.split(' ').filter(Boolean);
  expect(ids.map((id) => names.get(id)).toSorted()).toEqual(wanted.toSorted());
});
