import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDataFolder } from '../../../src/app/installations/data-folder.ts';
import { SqliteFile } from '../../../src/store/sqlite/files/sqlite-file.ts';
import { searchWords } from '../../../src/store/sqlite/index/words/word-search.ts';
import { accountSchema } from '../../../src/store/sqlite/schema.ts';
import type { Store, Stores } from '../../../src/store/store.ts';
import { passageIds, saveAndProcess } from '../contracts/items/store-items.ts';
import { ManualClock } from '../../support/clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';

describe('common words in a large account', () => {
  const folder = temporaryFolder();
  let stores: Stores;
  let store: Store;
  let file: SqliteFile;
  const passages = 12_000;

  beforeAll(async () => {
    stores = await openDataFolder({ folder: folder.path, clock: new ManualClock() });
    store = await stores.open('local');
    // Each passage is one word of 6 characters and a blank: "common" in 50 %, "usuals" in 42 %, the rest once each.
    const word = (i: number) => (i % 50 < 25 ? 'common' : i % 50 < 46 ? 'usuals' : `r${String(i).padStart(5, '0')}`);
    const text = Array.from({ length: passages }, (_, i) => `${word(i)} `).join('');
    await saveAndProcess(store, 'a', { text, passageLength: 7 });
    const path = join(folder.path, 'accounts', 'local.db');
    file = SqliteFile.open({ path, schema: accountSchema, readOnly: true });
  });
  afterAll(async () => {
    file.close();
    await stores.close();
    await folder.remove();
  });

  const search = async (query: string) => {
    const { hits, idealScore } = searchWords(file, query, {}, passages);
    const found = await store.readPassages(passageIds(hits));
    return { words: new Set(found.map(({ text }) => text.trim())), count: hits.length, idealScore };
  };
  const idf = (n: number) => Math.max(1e-6, Math.log((passages - n + 0.5) / (n + 0.5)));

  it('are skipped while two rarer ones remain', async () => {
    const { words, idealScore } = await search('common usuals r00049 r00099');
    expect(words).toEqual(new Set(['r00049', 'r00099']));
    expect(idealScore).toBeCloseTo(2.2 * 2 * idf(1), 9);
  });

  it('are kept, the rarest first, when too few rarer ones remain', async () => {
    const { words, count, idealScore } = await search('common usuals r00049');
    expect(words).toEqual(new Set(['usuals', 'r00049']));
    expect(count).toBe(passages * 0.42 + 1);
    expect(idealScore).toBeCloseTo(2.2 * (idf(1) + idf(passages * 0.42)), 9);
  });

  it('are kept when there are no others', async () => {
    expect((await search('common')).count).toBe(passages * 0.5);
    expect((await search('common usuals')).count).toBe(passages * 0.92);
  });

  it('are not outnumbered by words that occur nowhere', async () => {
    const { words, idealScore } = await search('common usuals nowhere neither');
    expect(words).toEqual(new Set(['common', 'usuals']));
    expect(idealScore).toBeCloseTo(2.2 * (2 * idf(0) + idf(passages * 0.5) + idf(passages * 0.42)), 9);
  });
});
