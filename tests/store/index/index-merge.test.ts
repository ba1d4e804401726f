import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { openRaw } from '../../support/store/raw-database.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { doMaintenance } from '../../../src/pipeline/maintenance.ts';
import { openDataFolder } from '../../../src/app/installations/data-folder.ts';
import type { Store, Stores } from '../../../src/store/store.ts';
import { claim, leaseMs, saveAndProcess, saving } from '../contracts/items/store-items.ts';
import { ManualClock } from '../../support/clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { textWork } from '../../support/texts/text-work.ts';

describe('D the segments of the word index', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let stores: Stores;
  let store: Store;
  let db: Database.Database;
  const clock = new ManualClock();
  const never = new AbortController().signal;

  const open = async () => {
    stores = await openDataFolder({ folder: folder.path, clock });
    store = await stores.open('local');
  };
  beforeEach(async () => {
    folder = temporaryFolder();
    await open();
    await store.coverage();
    db = openRaw(join(folder.path, 'accounts', 'local.db'));
  });
  afterEach(async () => {
    db.close();
    await stores.close();
    folder.remove();
  });

  const count = (index = 'passage_words') =>
    db.prepare(`SELECT count(DISTINCT segid) FROM ${index}_idx`).pluck().get() as number;
  const pages = () => db.prepare('SELECT count(*) FROM passage_words_data').pluck().get() as number;
  const found = async () => (await store.searchWords('common', {}, 99)).map(({ passageId }) => passageId).toSorted();
  const check = (index = 'passage_words') => db.exec(`INSERT INTO ${index} (${index}) VALUES ('integrity-check')`);
  /** `words` different ones in each. */
  const addItems = async (items: number, words: number, from = 0) => {
    for (let item = from; item < from + items; item += 1) {
      const text = Array.from({ length: words }, (_, word) => `w${item.toString(36)}x${word.toString(36)}`).join(' ');
      await saveAndProcess(store, `https://example.org/${item}`, {
        text: `common ${text}`,
        document: { title: `t${item}` },
      });
    }
  };

  it('become one when there is no other work, and then stay unchanged', async () => {
    await addItems(9, 20);
    expect(count()).toBeGreaterThan(4);
    const before = await found();
    expect(await store.hasMaintenance()).toBe(true);
    await doMaintenance(store, textWork, never);
    expect([count(), count('item_titles'), await store.hasMaintenance()]).toEqual([1, 1, false]);
    expect(await found()).toEqual(before);
    check();
    check('item_titles');
    const state = () => db.pragma('data_version', { simple: true });
    const left = state();
    await doMaintenance(store, textWork, never);
    expect(state()).toBe(left);
  });

  it('are merged in small portions, and further after the program ended between two of them', async () => {
    await addItems(14, 1_500);
    const [before, all] = [await found(), pages()];
    let portions = 0;
    while (await store.hasMaintenance()) {
      await store.maintain();
      portions += 1;
      expect(await found()).toEqual(before);
      await stores.close();
      await open();
    }
    expect(portions).toBeGreaterThanOrEqual(2);
    expect(portions).toBeLessThan(all);
    expect(count()).toBe(1);
    check();
  });

  it('stay while a job is due or held, unless there are many', async () => {
    await addItems(4, 9);
    await store.saveContent(saving('https://example.org/next'));
    expect(await store.hasMaintenance()).toBe(false);
    const held = await claim(store);
    expect(await store.hasMaintenance()).toBe(false);
    await store.maintain();
    // Each item was indexed twice: without its text, and with it.
    expect(count()).toBe(4 * 2 + 1);
    await store.failJob(held, {
      code: 'internal',
      message: 'no',
      retryable: true,
      nextAttemptAt: clock.now() + leaseMs,
    });
    expect(await store.hasMaintenance()).toBe(true);

    await addItems(12, 9, 4);
    await store.saveContent(saving('https://example.org/last'));
    expect(await store.hasMaintenance()).toBe(true);
    await doMaintenance(store, textWork, never);
    expect(count()).toBeLessThan(16);
    expect(await found()).toHaveLength(16);
  });

  it('are no longer merged by every write, and never so many that one waits for them', async () => {
    const settings = db.prepare(`SELECT k, v FROM passage_words_config WHERE k <> 'version' ORDER BY k`).raw().all();
    expect(settings).toEqual([
      ['automerge', 64],
      ['crisismerge', 256],
      ['usermerge', 2],
    ]);
    await addItems(70, 3);
    expect(count()).toBeGreaterThan(4);
    expect(count()).toBeLessThan(71);
    check();
  });
});
