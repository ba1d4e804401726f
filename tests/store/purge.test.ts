import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { openRaw } from '../support/store/raw-database.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../src/domain/records/ids.ts';
import { newChange } from '../../src/domain/records/change.ts';
import { restorableForMs } from '../../src/domain/records/limits.ts';
import { deletedPassages } from '../../src/store/sqlite/items/items.ts';
import { openDataFolder } from '../../src/app/installations/data-folder.ts';
import type { Store, Stores } from '../../src/store/store.ts';
import {
  analysisOf,
  claim,
  processToPassages,
  resource,
  saveAndProcess,
  saving,
} from './contracts/items/store-items.ts';
import { ManualClock } from '../support/clock.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { listPassages } from '../support/store/store-reads.ts';
import { keepOriginal } from '../support/store/claims.ts';

/** What the port cannot show: whether rows are left, and how they are found. */
describe('a purged item', () => {
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
    await store.addGoal({ title: 'Feed foxes', category: 'Relationships' });
    await saveFully('kept', 'Keep this fox. It is tame and the only one.');
    db = openRaw(join(folder.path, 'accounts', 'local.db'));
    db.exec(
      `INSERT INTO lists (id, name, folded, ordinal, created_at, updated_at) VALUES ('l_foxes', 'Foxes', 'foxes', 0, 0, 0)`,
    );
  });
  afterEach(async () => {
    db.close();
    await stores.close();
    await folder.remove();
  });

  /** Rows of every kind that an item can have. */
  async function saveFully(url: string, text: string): Promise<string> {
    const { id } = await store.saveContent(saving(url, { tags: ['fox'], notes: 'n' }));
    const extracting = await keepOriginal(store, await claim(store), resource(url, text));
    await store.keepCompanion(id, `${url}/captions`, resource(`${url}/captions`, 'captions'));
    const fingerprint = new Uint8Array(32).fill(text.length);
    const item = {
      text,
      fingerprint,
      passageLength: 16,
      document: { title: url, canonicalUrl: `https://x.example/${url}` },
    };
    const embedding = await processToPassages(store, extracting, item);
    const { documentId } = (await store.readDocument(id))!;
    const passages = await listPassages(store, id);
    await store.keepVectors(
      'e',
      passages.map(({ passageId }) => ({ passageId, vector: Float32Array.of(1, 0) })),
    );
    const quote = text.slice(0, text.indexOf('.') + 1);
    const locator = { kind: 'text' as const, start: 0, end: quote.length };
    const insight = { text: quote, quote, start: 0, end: quote.length, locator, url: null };
    const analysis = analysisOf(text, [quote], { insights: [insight] });
    await store.keepAnalysis(await store.finishEmbedding(embedding), documentId, analysis);
    await store.addHighlight({ contentId: id, quote });
    return id;
  }

  function countRows(): Record<string, number> {
    const tables = db
      .prepare<[], { name: string }>(
        `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
           AND name <> 'vector_changes' -- a log of numbers, which is trimmed
           AND (name NOT LIKE 'passage\\_words%' ESCAPE '\\' OR name = 'passage_words_docsize')
           AND (name NOT LIKE 'item\\_titles%' ESCAPE '\\' OR name = 'item_titles_content')`,
      )
      .all();
    const count = (name: string) =>
      db.prepare<[], { count: number }>(`SELECT count(*) AS count FROM "${name}"`).get()?.count ?? -1;
    return Object.fromEntries(tables.map(({ name }) => [name, count(name)]));
  }

  it('leaves no row behind in any table', async () => {
    db.exec(`
      INSERT INTO sources (id, kind, key, address, name, options, memory, due_at, created_at, updated_at)
      VALUES ('f', 'feed', 'key', 'https://a.example/feed', 'A', '{}', '{}', 0, 0, 0)`);
    const before = countRows();
    const id = await saveFully('gone', 'Forget this fox. It bites whoever comes near it.');
    const [action] = (await store.getContent(id))!.actions;
    await store.updateAction(action!.id, { state: 'done' });
    await store.updateContent(id, { title: 'Mine' });
    db.exec(`
      INSERT INTO list_items (list, item, ordinal, added_at) SELECT lists.seq, items.seq, 0, 0 FROM lists, items
      WHERE items.id = '${id}';
      INSERT INTO page_checks (item, etag) SELECT seq, 'etag' FROM items WHERE id = '${id}';
      INSERT INTO source_entries (source, key, state, item, address, title, seen_at)
      SELECT s.seq, 'key', 'item', i.seq, i.url, 'secret', 0 FROM sources s, items i WHERE i.id = '${id}';
      INSERT INTO tag_proposals (item, folded, tag, reason, score) SELECT seq, 'foxes', 'foxes', 'like one item', .5 FROM items
      WHERE id = '${id}'`);
    const change = newChange({ face: 'cli', by: null, operation: 'save_content', scopes: [] });
    const recorded = await stores.open({ account: 'local', change });
    await recorded.saveContent({ ...saving('gone'), notes: 'secret', original: resource('gone', 'Other words.') });
    await store.restoreHistory([
      {
        id: newId('x'),
        at: '2026-01-01T00:00:00.000Z',
        face: 'cli',
        by: null,
        operation: 'update_content',
        rows: 1,
        undoneBy: null,
        undoes: null,
        changes: [{ id, contentId: null, title: 'Mine', field: 'notes', before: null, after: 'secret' }],
      },
    ]);
    const withIt = countRows();
    const itemTables = Object.keys(before).filter(
      (name) =>
        ![
          'libraries',
          'embedders',
          'goals',
          'lists',
          'sources',
          'past_queries',
          'requests_answered',
          'items_due',
          'indexed_languages',
        ].includes(name),
    );
    expect(itemTables.length).toBeGreaterThanOrEqual(10);
    for (const name of itemTables) expect([name, withIt[name]! > before[name]!]).toEqual([name, true]);
    await store.deleteContent(id);
    clock.advance(restorableForMs);
    expect(await store.purgeExpired(10)).toBe(1);
    // That the source offered it stays known, without a word of it: else the source would bring it back.
    const left = db.prepare('SELECT state, item, address, title FROM source_entries').all();
    expect(left).toEqual([{ state: 'left', item: null, address: null, title: null }]);
    db.exec('DELETE FROM source_entries');
    expect(countRows()).toEqual(before);
    db.exec(`INSERT INTO passage_words (passage_words) VALUES ('integrity-check')`);
    expect(db.pragma('foreign_key_check')).toEqual([]);
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(await store.searchWords('fox', {}, 9)).toHaveLength(1);
  });

  it('is found by an index, without reading other items', async () => {
    for (let n = 0; n < 20; n += 1) await saveAndProcess(store, `filler ${n}`, { text: `Filler ${n}.` });
    db.exec('ANALYZE');
    const plan = (sql: string) =>
      db
        .prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(({ detail }) => detail);
    const expired = plan('SELECT seq FROM items WHERE deleted_at <= 5 ORDER BY deleted_at LIMIT 4');
    expect(expired).toEqual([expect.stringContaining('INDEX items_')]);
    // The list of hidden passages is made once a search, from the few deleted items.
    const search = plan(
      `SELECT rowid FROM passage_words WHERE passage_words MATCH 'fox' AND +rowid NOT IN (${deletedPassages})`,
    );
    expect(search.join('\n')).toMatch(/LIST SUBQUERY/);
    expect(search.join('\n')).not.toMatch(/CORRELATED/);
    expect(search.join('\n')).toMatch(/SEARCH c USING .*INDEX items_\w+ \(deleted_at>/);
    expect(search.join('\n')).toMatch(/SEARCH gone USING COVERING INDEX passages_by_item/);
    expect(plan('UPDATE items SET visible_document = NULL WHERE visible_document = 5').join()).toContain(
      'items_by_document',
    );
  });
});
