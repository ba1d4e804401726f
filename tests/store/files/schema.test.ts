import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { openRaw } from '../../support/store/raw-database.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDataFolder } from '../../../src/app/installations/data-folder.ts';
import { plainTables, rowSumsIn } from '../../../src/store/sqlite/files/row-sums.ts';
import type { Store, Stores } from '../../../src/store/store.ts';
import {
  analysisOf,
  claim,
  leaseMs,
  processToPassages,
  saveAndProcess,
  saving,
} from '../contracts/items/store-items.ts';
import { ManualClock } from '../../support/clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** What the port cannot show: the account's file is looked at directly. */
describe('an account’s file', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let clock: ManualClock;
  let stores: Stores;
  let store: Store;
  let db: Database.Database;

  beforeEach(async () => {
    folder = temporaryFolder();
    clock = new ManualClock();
    stores = await openDataFolder({ folder: folder.path, clock });
    store = await stores.open('local');
    await store.saveContent(saving('first'));
    db = openRaw(join(folder.path, 'accounts', 'local.db'));
  });
  afterEach(async () => {
    db.close();
    await stores.close();
    await folder.remove();
  });

  const countWords = () =>
    db.prepare<[], { count: number }>('SELECT count(*) AS count FROM passage_words_docsize').get()?.count;

  it('has a checksum in each table that covers all its columns', () => {
    const sums = rowSumsIn(db);
    expect([...sums.keys()]).toEqual(plainTables(db));
    for (const [table, sum] of sums) {
      const columns = db
        .prepare<[string], string>(`SELECT name FROM pragma_table_info(?) WHERE name <> 'bytes' OR type <> 'BLOB'`)
        .pluck()
        .all(table);
      for (const column of columns) expect([table, ...sum.split(/\W+/)]).toContain(column);
    }
  });

  it.each([
    ['its passage', 'DELETE FROM passages'],
    ['its document', 'DELETE FROM documents'],
    ['its item', `DELETE FROM items WHERE url = 'first'`],
  ])('loses the words of a passage with %s', async (_, sql) => {
    await processToPassages(store, await claim(store), { text: 'The quick fox.', passageLength: 7 });
    expect(await store.searchWords('fox', {}, 9)).toHaveLength(1);
    expect(countWords()).toBe(2);
    db.pragma('foreign_keys = ON');
    db.exec(sql);
    expect(countWords()).toBe(0);
    expect(await store.searchWords('fox', {}, 9)).toEqual([]);
    db.exec(`INSERT INTO passage_words (passage_words) VALUES ('integrity-check')`);
  });

  it('answers when a lease ends, and counts, from indexes alone', () => {
    const plan = (sql: string) =>
      db
        .prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(({ detail }) => detail);
    expect(plan(`SELECT min(due_at) FROM jobs WHERE state = 'claimed'`)).toEqual([
      expect.stringContaining('COVERING INDEX jobs_leases'),
    ]);
    expect(plan('SELECT count(*) FROM items WHERE deleted_at IS NULL')).toEqual([
      expect.stringContaining('COVERING INDEX'),
    ]);
    expect(plan('SELECT * FROM items WHERE deleted_at IS NULL ORDER BY created_at DESC, seq DESC LIMIT 9')).toEqual([
      expect.stringContaining('items_newest'),
    ]);
  });

  it("updates an item's time of change whenever its visible data changed", async () => {
    const updatedAt = (id: string) =>
      db.prepare<[string], { at: number }>('SELECT updated_at AS at FROM items WHERE id = ?').get(id)?.at ?? 0;
    const text = 'The very same text.';
    const items = [(await store.saveContent(saving('first'))).id];
    let seen: { shown: string; at: number }[] = [];
    const look = async () => {
      const now = [];
      for (const id of items) now.push({ shown: JSON.stringify(await store.getContent(id)), at: updatedAt(id) });
      return now;
    };
    let changes = 0;
    /** The clock stands still: every change must be told apart from the one before all the same. */
    const after = async <T>(write: () => Promise<T>): Promise<T> => {
      seen = await look();
      const result = await write();
      const now = await look();
      for (const [index, { shown, at }] of seen.entries()) {
        if (now[index]!.shown === shown) continue;
        changes += 1;
        expect(now[index]!.at).toBeGreaterThan(at);
      }
      return result;
    };
    const failure = { code: 'timeout' as const, message: 'Later.', retryable: true };
    await after(() => store.saveContent(saving('first', { tags: ['t'], notes: 'n' })));
    await after(async () => store.releaseJob(await after(() => claim(store))));
    const taken = await after(() => claim(store));
    await after(() => store.failJob(taken, { ...failure, nextAttemptAt: clock.now() + 5 }));
    await after(() => store.retryContent(items[0]!));
    const again = await claim(store);
    await after(() => store.failJob(again, { ...failure, nextAttemptAt: null }));
    await after(() => store.saveContent(saving('first')));
    const embedding = await after(async () => processToPassages(store, await claim(store), { text }));
    const { documentId } = (await store.readDocument(items[0]!))!;
    clock.advance(leaseMs);
    await after(() => store.renewLease(embedding, leaseMs));
    const analysing = await after(() => store.finishEmbedding(embedding));
    await after(() => store.keepAnalysis(analysing, documentId, analysisOf(text, [text])));
    const [action] = (await store.getContent(items[0]!))!.actions;
    await after(() => store.updateAction(action!.id, { state: 'done' }));
    expect(changes).toBeGreaterThanOrEqual(12);

    items.push(await saveAndProcess(store, 'second', { text: 'Not yet the same.' }));
    const third = await store.saveContent(saving('third'));
    await after(async () => processToPassages(store, await claim(store), { text: 'Not yet the same.' }));
    expect((await store.getContent(third.id))?.duplicateOf).toBe(items[1]);
  });
});
