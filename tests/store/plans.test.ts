import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { load as loadVectorFunctions } from 'sqlite-vec';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { findDeleted } from '../../src/store/library/items/deletion.ts';
import { listContent } from '../../src/store/library/items/reading.ts';
import { listActions } from '../../src/store/library/analyses/actions.ts';
import { hasLinksDue } from '../../src/store/library/analyses/goals.ts';
import { hasHighlightsDue, importHighlights, listHighlights } from '../../src/store/library/highlights.ts';
import { conflictsBelow } from '../../src/store/library/history/undo.ts';
import type { ActionQuery } from '../../src/store/records/analysis-records.ts';
import { linkDuplicates, replaceFingerprint } from '../../src/store/library/items/duplicates.ts';
import { countJobs, nextJobDueAt } from '../../src/store/library/queue/jobs.ts';
import { countLlmAnalyses, hasDueAnalysis } from '../../src/store/library/queue/llm-analyses.ts';
import { mergeActions } from '../../src/store/library/analyses/merged-actions.ts';
import { hasNotesDue } from '../../src/store/library/analyses/note-tasks.ts';
import { countFacets } from '../../src/store/sqlite/items/items.ts';
import { accountSchema } from '../../src/store/sqlite/schema.ts';
import { IndexReaders } from '../../src/store/sqlite/index/index-reader.ts';
import { listNewestPassages } from '../../src/store/sqlite/index/read-passages.ts';
import { runSteps, sqliteDb } from '../../src/store/sqlite/library/sqlite-db.ts';
import { SqliteFile } from '../../src/store/sqlite/files/sqlite-file.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = temporaryFolder();
let file: SqliteFile;
beforeAll(() => {
  mkdirSync(folder.path);
  const path = join(folder.path, 'account.db');
  file = SqliteFile.open({ path, schema: accountSchema, readOnly: false, extend: loadVectorFunctions });
});
afterAll(async () => {
  file.close();
  await folder.remove();
});

const clock = { now: () => 0, uptime: () => 0 };
const libraryOf = (opened: SqliteFile) => sqliteDb(opened, { now: 0, clock, history: null });

/** How SQLite goes about each statement that `work` asks for. */
function plansOf(work: () => void, how: 'all' | 'get' | 'answer' = 'all'): string[] {
  const asked = vi.spyOn(file, how);
  work();
  const calls = [...asked.mock.calls].map(([sql, ...parameters]) => [sql, ...parameters.flat()] as const);
  asked.mockRestore();
  return calls.map(([sql, ...parameters]) =>
    file
      .all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...parameters)
      .map(({ detail }) => detail)
      .join('\n'),
  );
}

it('counted items are looked up, not searched among all', () => {
  const plans = plansOf(() => countFacets(file, ['c_1', 'c_2']));
  expect(plans).toHaveLength(3);
  for (const plan of plans) expect(plan).toMatch(/^SCAN wanted .*\nSEARCH c USING INDEX \S+ \(id=\?\)/);
});

it('the items that a filter allows are not looked up for each item of a list', () => {
  for (const items of [{ site: 'a.example' }, { tag: 'a' }, { type: 'article' as const }, null]) {
    const plan = plansOf(() => listNewestPassages(file, { items }, 10)).at(-1);
    expect(plan).toContain('SEARCH p USING INDEX passages_by_item (item=?)');
    expect(plan).not.toContain('(item=? AND rowid=?)');
  }
});

it('items before the page of a list are skipped in an index, and only those of the page are read', () => {
  for (const query of [{}, { status: 'failed' as const }, { filter: { type: 'article' as const } }]) {
    const asked = { limit: 20, offset: 9_980, ...query };
    const [plan] = plansOf(() => runSteps(file, listContent(libraryOf(file), asked)), 'answer');
    const [skipped, read] = plan?.split('SCAN page') ?? [];
    expect(skipped).toMatch(/^CO-ROUTINE page\nSEARCH i USING (?:COVERING )?INDEX items_\w+ /);
    expect(skipped).not.toContain('SEARCH d');
    expect(read).toContain('SEARCH i USING INTEGER PRIMARY KEY (rowid=?)');
  }
});

it('whether an address was deleted is looked up, however many items were deleted', () => {
  const plan = plansOf(() => runSteps(file, findDeleted(libraryOf(file), 'https://a.example/')), 'answer');
  expect(plan.at(-1)).toContain('SEARCH i USING INDEX items_deleted_by_url (canonical_url=?)');
});

it('the names of authors and sites are read from indexes, never from the large documents', () => {
  const index = new IndexReaders().open(file, () => []);
  const [plan] = plansOf(() => void index.namesIn('What does Nature say?'));
  expect(plan).toContain('SCAN documents USING COVERING INDEX documents_by_author');
  expect(plan).toContain('SCAN documents USING COVERING INDEX documents_by_site_name');
});

it('similar items are looked up, not searched among all', () => {
  file.write(() => {
    for (const seq of [11, 12, 13]) {
      file.run(
        `INSERT INTO items (seq, id, url, canonical_url, passage_count, duplicate_of, created_at, updated_at)
         VALUES (?, ?, ?, ?, 1, ?, 0, 0)`,
        seq,
        `c_${seq}`,
        `https://a/${seq}`,
        `https://a/${seq}`,
        seq === 11 ? null : 'c_11',
      );
      file.run(
        `INSERT INTO documents (id, item, version, content_type, word_count, warnings, text_hash, created_at, text, blocks)
         VALUES (?, ?, 1, 'article', 1, '[]', ?, 0, 'x', '[]')`,
        seq,
        seq,
        new Uint8Array(32).fill(seq),
      );
      file.run('UPDATE items SET visible_document = ? WHERE seq = ?', seq, seq);
      runSteps(file, replaceFingerprint(libraryOf(file), seq, new Uint8Array(32).fill(7)));
    }
  });
  const plans = plansOf(() => file.write(() => runSteps(file, linkDuplicates(libraryOf(file), 11, 11))), 'answer');
  // Its addresses; the copies and what they share among them; equal texts, near fingerprints, addresses; the passages that are compared; the new groups.
  expect(plans).toHaveLength(16);
  for (const plan of plans) {
    expect(plan).not.toMatch(/SCAN (?:i|d|own|mine|ours|theirs|f|a|p|items|head|copy)\b/);
    // All that are not deleted are nearly all.
    expect(plan).not.toContain('deleted_at');
  }
});

it('actions are listed in the order of an index, and similar ones are found by their words', () => {
  const planOf = (query: Omit<ActionQuery, 'offset'>) =>
    plansOf(() => runSteps(file, listActions(libraryOf(file), { offset: 0, ...query })), 'answer')[0];
  expect(planOf({ goalId: 'g_1' })).toContain('actions_by_goal (goal=?)');
  expect(planOf({})).toMatch(/actions_in_order(?![^]*TEMP B-TREE)/);
  expect(planOf({ state: 'done' })).toMatch(/actions_by_state \(state=\?\)(?![^]*TEMP B-TREE)/);
  file.run(
    "INSERT INTO items (seq, id, url, canonical_url, created_at, updated_at) VALUES (21, 'c_21', 'w', 'w', 0, 0)",
  );
  file.run("INSERT INTO actions (id, item, title, created_at) VALUES ('a_21', 21, 'Drink a glass of water', 0)");
  const plans = plansOf(() => runSteps(file, mergeActions(libraryOf(file), 21)), 'answer');
  expect(plans.filter((plan) => plan.includes('SEARCH w USING PRIMARY KEY (word=?)'))).toHaveLength(1);
  for (const plan of plans) expect(plan).not.toMatch(/actions_by_state|SCAN a$/m);
});

it('wanted analyses and jobs are found by indexes, however many items there are', () => {
  const [due] = plansOf(
    () => runSteps(file, hasDueAnalysis(sqliteDb(file, { now: 1, clock, history: null }), {})),
    'answer',
  );
  expect(due).toMatch(
    /^SEARCH b USING INDEX llm_analyses_due.*\nSEARCH i USING INTEGER PRIMARY KEY.*\nUSE TEMP B-TREE/,
  );
  const [counts] = plansOf(() => runSteps(file, countLlmAnalyses(libraryOf(file))), 'answer');
  expect(counts).toMatch(/^SCAN b\nSEARCH i USING INTEGER PRIMARY KEY \S+$/);
  const [next] = plansOf(() => runSteps(file, nextJobDueAt(libraryOf(file))), 'answer');
  expect(next?.match(/COVERING INDEX jobs_(?:due|newest) \(background=\? AND <expr>=\?/g)).toHaveLength(6);
  const [unfinished, claimed] = plansOf(() => runSteps(file, countJobs(libraryOf(file))), 'answer');
  expect(unfinished).toMatch(/COVERING INDEX jobs_/);
  expect(claimed).toContain('INDEX jobs_leases');
});

it('due work is found by indexes that contain nothing else', () => {
  const due = [
    [hasLinksDue, ['actions_link_due', 'insights_by_goals_version']],
    [hasNotesDue, ['items_tasks_due']],
    [hasHighlightsDue, ['highlights_due']],
  ] as const;
  for (const [hasDue, indexes] of due) {
    const plans = plansOf(() => runSteps(file, hasDue(libraryOf(file))), 'answer');
    expect(plans).toHaveLength(indexes.length);
    for (const [at, index] of indexes.entries()) expect(plans[at]).toContain(index);
  }
});

it('the highlights of an item are read by indexes, including deleted ones', () => {
  const highlight = { source: 's', quote: 'q', note: null, colour: null, createdAt: null };
  file.run("INSERT INTO items (seq, id, url, canonical_url, created_at, updated_at) VALUES (1, 'c_1', 'u', 'u', 0, 0)");
  const plans = plansOf(() => runSteps(file, importHighlights(libraryOf(file), 1, [highlight])), 'answer').filter(
    (plan) => plan.includes('highlights_'),
  );
  expect(plans.join('\n')).toContain('MULTI-INDEX OR');
  expect(plans.join('\n')).not.toContain('SCAN');
});

it('a page of all highlights is read in index order, and one of an item by the item', () => {
  const pageOf = (contentId?: string) =>
    plansOf(() => runSteps(file, listHighlights(libraryOf(file), { contentId, limit: 20, offset: 0 })), 'answer');
  const [all, total] = pageOf();
  expect(all).toContain('SCAN h USING INDEX highlights_newest');
  expect(all).not.toContain('TEMP B-TREE');
  expect(total).not.toContain('items_newest');
  for (const plan of pageOf('c_1')) expect(plan).toContain('SEARCH h USING INDEX highlights_by_item (item=?)');
});

it('conflicts of an undo are looked up, however large the library and its history', () => {
  file.run(
    `INSERT INTO history (seq, id, at, passed, face, operation, scopes, rows) VALUES (1, 'x_1', 0, 0, 'mcp', 'o', '[]', 5)`,
  );
  const changes: readonly [kind: string, key: number, before: string | null, after: string | null][] = [
    ['item', 1, null, '{"url":"u"}'],
    ['item', 2, '{"canonical_url":"u","deleted_at":null}', '{"canonical_url":"v","deleted_at":null}'],
    ['goal', 3, null, '{"title":"t"}'],
    ['action', 4, '{"document":1}', '{"document":2}'],
    ['highlight', 5, '{"source":"s"}', null],
  ];
  for (const [kind, key, before, after] of changes)
    file.run(
      `INSERT INTO history_changes (entry, kind, key, part, item, subject, before, after) VALUES (1, ?, ?, '', ?, ?, ?, ?)`,
      kind,
      key,
      key,
      `s_${key}`,
      before,
      after,
    );
  const plans = plansOf(() => runSteps(file, conflictsBelow(libraryOf(file), 1, 100)), 'answer');
  expect(plans[0]).toMatch(/^SEARCH x USING INDEX history_changes_by_entry \(entry=\? AND rowid<\?\)$/);
  // An account has few goals.
  const scanned = plans.flatMap((plan) => [...plan.matchAll(/SCAN (\w+)/g)].map(([, table]) => table));
  expect(new Set(scanned)).toEqual(new Set(['k', 'g', 'l']));
  expect(plans.join('\n')).not.toContain('deleted_at=?');
});
