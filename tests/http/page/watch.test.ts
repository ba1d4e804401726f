import { expect, it } from 'vitest';
import { exampleSummary } from '../../../src/domain/records/examples.ts';
import type { ContentSummary } from '../../../src/domain/records/content.ts';
import { createLibraryWatch, type LibraryNews } from '../../../src/http/page/event-route.ts';
import { ManualClock } from '../../support/clock.ts';

/** A library that shows its 20 newest items of each state under way, like that of the program, and those that are asked for. */
function libraryOf(states: Map<string, ContentSummary['status']>) {
  const looks: number[] = [];
  const itemOf = (id: string): ContentSummary => ({ ...exampleSummary, id, status: states.get(id) ?? 'pending' });
  return {
    looks,
    underWay(_account: string, ids: readonly string[]) {
      const of = (status: ContentSummary['status']) => [...states.keys()].filter((id) => states.get(id) === status);
      const listed = new Set(['processing', 'pending'].flatMap((status) => of(status as 'pending').slice(-20)));
      looks.push(listed.size + ids.length);
      const items = [...listed, ...ids.filter((id) => !listed.has(id))].map(itemOf);
      const counts = { searchable: of('completed').length, pending: of('pending').length, failed: of('failed').length };
      return Promise.resolve({ counts, items });
    },
  };
}

it('reports 200 items saved at once by a page, each to its end, with one query at a time', async () => {
  const clock = new ManualClock();
  const states = new Map<string, ContentSummary['status']>();
  const library = libraryOf(states);
  const watch = createLibraryWatch(library, clock, (error) => expect.unreachable(String(error)));
  const news: LibraryNews[] = [];
  const end = watch.follow('local', (one) => news.push(one));
  const ids = Array.from({ length: 200 }, (_, index) => `c_${index}`);
  const look = async () => {
    await clock.untilAsleep();
    clock.advance(400);
    await clock.untilAsleep();
  };
  for (const id of ids) {
    states.set(id, 'pending');
    watch.add('local', id);
  }
  await look();
  // Most are processed between two looks, so that nobody sees them under way.
  for (let from = 0; from < 200; from += 50) {
    for (const id of ids.slice(from, from + 50)) states.set(id, 'completed');
    await look();
  }
  end();
  const last = new Map(news.flatMap(({ items }) => items.map(({ id, status }) => [id, status])));
  expect(ids.filter((id) => last.get(id) !== 'completed')).toEqual([]);
  expect(news.at(-1)?.counts).toEqual({ searchable: 200, pending: 0, failed: 0 });
  expect(news.length).toBeLessThanOrEqual(library.looks.length);
  expect(library.looks.length).toBeLessThanOrEqual(7);
});

it('reports a write of the page once, with the counts', async () => {
  const clock = new ManualClock();
  const library = libraryOf(new Map([['c_1', 'completed']]));
  const watch = createLibraryWatch(library, clock, (error) => expect.unreachable(String(error)));
  const news: LibraryNews[] = [];
  const end = watch.follow('local', (one) => news.push(one));
  const counts = { searchable: 1, pending: 0, failed: 0 };
  await clock.untilAsleep();
  watch.tellWritten('local');
  for (let look = 0; look < 2; look += 1) {
    clock.advance(400);
    await clock.untilAsleep();
  }
  expect(news).toEqual([
    { items: [], counts },
    { items: [], counts, isWritten: true },
  ]);
  end();
});
