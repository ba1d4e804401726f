import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountSchema } from '../../../src/store/sqlite/schema.ts';
import { openDataFolder } from '../../../src/app/installations/data-folder.ts';
import { SqliteFile } from '../../../src/store/sqlite/files/sqlite-file.ts';
import { filterCondition } from '../../../src/store/sqlite/index/passage-filter.ts';
import { searchWords } from '../../../src/store/sqlite/index/words/word-search.ts';
import { saveAndProcess } from '../contracts/items/store-items.ts';
import { ManualClock } from '../../support/clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const folder = temporaryFolder();
let file: SqliteFile;
// Words of letters alone: a word with digits is also found by its parts, which are words of their own.
const inLetters = (number: number): string =>
  Array.from(String(number), (digit) => 'bcdfghjklm'[Number(digit)]).join('');
const vocabulary = Array.from({ length: 12 }, (_, rank) => `w${inLetters(rank)}`);

/** A library of 400 passages. The word of rank N is in one of N + 2. */
async function fileOf(path: string): Promise<SqliteFile> {
  const stores = await openDataFolder({ folder: path, clock: new ManualClock() });
  const store = await stores.open('local');
  const texts = Array.from({ length: 400 }, (_, at) => {
    const words = vocabulary.filter((_word, rank) => (at * 7919 + rank * 104_729) % (rank + 2) === 0);
    return [...words, ...words.slice(0, at % 4), `only${inLetters(at)}`].join(' ');
  });
  for (const at of texts.keys()) {
    if (at % 100 !== 0) continue;
    const length = Math.max(...texts.map((one) => one.length)) + 1;
    const block = texts.slice(at, at + 100).map((one) => one.padEnd(length));
    await saveAndProcess(store, `item-${at}`, {
      text: block.join(''),
      passageLength: length,
      save: { tags: [`t${at}`] },
    });
  }
  await stores.close();
  return SqliteFile.open({ path: join(path, 'accounts', 'local.db'), schema: accountSchema, readOnly: true });
}

beforeAll(async () => {
  file = await fileOf(folder.path);
});
afterAll(async () => {
  file.close();
  await folder.remove();
});

it('omits deleted passages, also where the places of its words were cached', async () => {
  const itemsOf = () =>
    new Set(
      searchWords(file, vocabulary.slice(0, 3).join(' '), {}, 400, { pairs: 0 }).hits.map(({ contentId }) => contentId),
    );
  const before = [itemsOf(), itemsOf()];
  expect(before[1]).toEqual(before[0]);
  const stores = await openDataFolder({ folder: folder.path, clock: new ManualClock() });
  const store = await stores.open('local');
  const [gone = ''] = before[0] ?? [];
  await store.deleteContent(gone);
  expect(itemsOf()).toEqual(new Set([...(before[0] ?? [])].filter((id) => id !== gone)));
  await store.restoreContent(gone);
  expect(itemsOf()).toEqual(before[0]);
  await stores.close();
});

describe('a filter', () => {
  it.each([
    { items: { tag: 't100' } },
    { items: { all: [{ tag: 't100' }, { tag: 't0' }] } },
    { items: { any: [{ tag: 't100' }, { not: { tag: 't0' } }] } },
    { items: { any: [{ word: 'wc' }, { not: { word: 'wb wc' } }] } },
    { phrases: ['wc'] },
    { excluded: ['wd', 'wf'] },
    { items: { type: 'article' as const } },
    { items: { type: 'pdf' as const } },
    { items: { tag: 't0' }, excluded: ['wf'], phrases: ['wb wc'] },
    { items: { all: [{ site: 'example.org' }, { published: { since: 0 } }] } },
  ])('%j leaves the same passages as it does for FTS5', (filter) => {
    const { sql, parameters } = filterCondition(file, 'passage_words.rowid', filter);
    const byStatement = file.all<{ id: number; score: number }>(
      `SELECT rowid AS id, -bm25(passage_words, 2.0, 1.0) AS score FROM passage_words
       WHERE passage_words MATCH 'wb OR wc OR wg OR onlyl' ${sql}`,
      ...parameters,
    );
    const found = searchWords(file, 'wb wc wg onlyl', filter, 1_000, { pairs: 0 }).hits;
    expect(found.map(({ passageId, score }) => `${passageId} ${score.toFixed(9)}`).toSorted()).toEqual(
      byStatement.map(({ id, score }) => `${id} ${score.toFixed(9)}`).toSorted(),
    );
  });
});

it('counts the words of a new title, also where lengths were cached', async () => {
  const scores = () =>
    searchWords(file, 'wb wc wg', {}, 1_000, { pairs: 0 })
      .hits.map(({ passageId, score }) => `${passageId} ${score.toFixed(9)}`)
      .toSorted();
  const before = scores();
  const stores = await openDataFolder({ folder: folder.path, clock: new ManualClock() });
  const store = await stores.open('local');
  const [item] = (await store.listContent({ limit: 1, offset: 0 })).items;
  await store.updateContent(item?.id ?? '', { title: 'A title of many more words than there were before' });
  await stores.close();
  expect(scores()).not.toEqual(before);
  const byStatement = file.all<{ id: number; score: number }>(
    `SELECT rowid AS id, -bm25(passage_words, 2.0, 1.0) AS score FROM passage_words
     WHERE passage_words MATCH 'wb OR wc OR wg'`,
  );
  expect(scores()).toEqual(byStatement.map(({ id, score }) => `${id} ${score.toFixed(9)}`).toSorted());
});

describe('adjacent words of a question', () => {
  it('raise passages in which they are adjacent', async () => {
    const stores = await openDataFolder({ folder: join(folder.path, 'pairs'), clock: new ManualClock() });
    const store = await stores.open('local');
    for (let at = 0; at < 8; at += 1) await saveAndProcess(store, `f${at}`, { text: `Filler of number ${at}.` });
    const apart = 'The sleep was light and the dreams were deep.';
    const together = 'The deep sleep was light and dreams were odd.';
    for (const text of [apart, together]) await saveAndProcess(store, text, { text });
    const found = async (query: string) => {
      const hits = await store.searchWords(query, {}, 10);
      for (const { score } of hits) expect(score).toBeLessThanOrEqual(1);
      const texts = (await store.readPassages(hits.map(({ passageId }) => passageId))).map(({ text }) => text);
      return { first: texts[0], lead: (hits[0]?.score ?? 0) - (hits[1]?.score ?? 0) };
    };
    expect((await found('deep sleep')).first).toBe(together);
    expect((await found('deep sleep')).lead).toBeGreaterThan(0.04);
    expect((await found('sleep deep')).lead).toBeLessThan(0.04);
    await stores.close();
  });
});

it('does not count reversed compounds in the length of a passage', async () => {
  const stores = await openDataFolder({ folder: join(folder.path, 'lengths'), clock: new ManualClock() });
  const store = await stores.open('local');
  for (let at = 0; at < 8; at += 1) await saveAndProcess(store, `f${at}`, { text: `Filler of number ${at}.` });
  for (const [language, text] of [
    ['de', 'Zeppelin: Luftschifffahrt, Unternehmensgeschichte, Friedrichshafen'],
    ['en', 'Zeppelin: airships, company, history'],
  ] as const)
    await saveAndProcess(store, language, { text, document: { language, title: 'Z' } });
  const [first, second] = await store.searchWords('zeppelin', {}, 10);
  await stores.close();
  expect(first?.score).toBeGreaterThan(0);
  expect(second?.score).toBe(first?.score);
});
