import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDataFolder } from '../../src/app/installations/data-folder.ts';
import { createSearches } from '../../src/search/searches.ts';
import type { IndexReader } from '../../src/store/index-reader.ts';
import type { ItemSearch } from '../../src/store/records/search-records.ts';
import { SqliteFile } from '../../src/store/sqlite/files/sqlite-file.ts';
import { IndexReaders } from '../../src/store/sqlite/index/index-reader.ts';
import { accountSchema } from '../../src/store/sqlite/schema.ts';
import type { Steps } from '../../src/store/steps.ts';
import type { Store, Stores } from '../../src/store/store.ts';
import { findItems, saveAndProcess } from '../contracts/store-items.ts';
import { ManualClock } from '../support/clock.ts';
import { temporaryFolder } from '../store/temporary-folder.ts';

/** What an engine does whose reads go to a server. */
async function runInTurn<T>(steps: Steps<T>): Promise<T> {
  let step = steps.next();
  while (step.done !== true) step = steps.next(await step.value);
  return step.value;
}

/** The same reader, which answers each question later. */
function later(index: IndexReader): IndexReader {
  const answerLater =
    (name: keyof IndexReader) =>
    async (...args: unknown[]): Promise<unknown> =>
      Reflect.apply(index[name], index, args);
  const names = Object.keys(index) as (keyof IndexReader)[];
  return Object.fromEntries(names.map((name) => [name, answerLater(name)])) as unknown as IndexReader;
}

describe('searches over an engine that answers later', () => {
  const folder = temporaryFolder();
  let stores: Stores;
  let store: Store;
  let file: SqliteFile;

  beforeAll(async () => {
    stores = await openDataFolder({ folder: folder.path, clock: new ManualClock() });
    store = await stores.open('local');
    const texts = [
      'The persistent fox waits at the river.',
      'A river is deep.',
      'Foxes and hens.',
      '![fox](https://a/b)',
    ];
    for (const [at, text] of texts.entries())
      await saveAndProcess(store, `https://example.org/${at}`, { text, passageLength: 20, save: { tags: [`t${at}`] } });
    await saveAndProcess(store, 'https://example.org/copy', { text: texts[0]! });
    const path = join(folder.path, 'accounts', 'local.db');
    file = SqliteFile.open({ path, schema: accountSchema, readOnly: true });
  });
  afterAll(async () => {
    file.close();
    await stores.close();
    await folder.remove();
  });

  const searches: [string, Partial<ItemSearch>][] = [
    ['fox', {}],
    ['fox river', { facets: true, distinct: true, placed: 1_000 }],
    ['persistant river', { isTyped: true, placed: 1_000 }],
    ['persistant', { isTyped: true }],
    ['river', { filter: { phrases: ['a river'] }, facets: true }],
    ['river', { preferred: [{ filter: { phrases: ['a river'] }, factor: 2 }], nameFactor: 2, facets: true }],
    ['', { by: null, facets: true, filter: { tags: ['t1'] } }],
  ];

  it.each(searches)('find the same as over one that answers at once: %s %j', async (text, more) => {
    let asked: ItemSearch | undefined;
    const atOnce = await findItems(
      Object.assign(Object.create(store) as Store, {
        findItems(search: ItemSearch) {
          asked = search;
          return store.findItems(search);
        },
      }),
      text,
      more,
    );
    const index = later(new IndexReaders().open(file, () => []));
    const found = await runInTurn(createSearches().findItems(index, asked!));
    expect(found).toEqual(atOnce);
    expect(found.items.length + (found.correction === null ? 0 : 1)).toBeGreaterThan(0);
  });

  it('locate the same', async () => {
    const [passages] = (await findItems(store, 'fox', {})).items;
    const parts = passages!.map(({ passageId }) => ({ passageId, start: 2, end: 9 }));
    const index = later(new IndexReaders().open(file, () => []));
    const places = await runInTurn(createSearches().locate(index, [...parts, { ...parts[0]!, passageId: 99_999 }]));
    expect(places).toEqual([...(await store.locate(parts)), null]);
  });
});
