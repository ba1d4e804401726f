import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { App } from '../../../src/app/app.ts';
import { localCaller } from '../../../src/domain/records/account.ts';
import { permissionsOfScopes } from '../../../src/domain/access/permission.ts';
import { type Author, newChange } from '../../../src/domain/records/change.ts';
import type { ExportedHistoryEntry } from '../../../src/domain/records/transfers/exported.ts';
import { openTestServer } from '../../support/test-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'commonplace-exported-history-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const place = (name: string): string => join(folder, name);
const never = new AbortController().signal;
const waiting = { signal: never };

function as(operation: string, by: string | null = null): Author {
  const face = by === null ? 'cli' : 'mcp';
  return { account: 'local', change: newChange({ face, by, operation, scopes: ['content:write'] }) };
}

const exportTo = (app: App, name: string) =>
  app.exporting.exportFolder('local', { place: place(name), signal: never, onProgress: () => undefined });

/** Imports as the command does: as a separate change. */
async function importFrom(app: App, name: string): Promise<string[]> {
  const reasons: string[] = [];
  const onResults = async (some: readonly { outcome: string; reason: string }[]) =>
    void reasons.push(...some.map(({ outcome, reason }) => `${outcome}: ${reason}`));
  await app.importing.import(as('import'), { place: place(name), tags: [], signal: never, onResults });
  return reasons;
}

const historyOf = (name: string): ExportedHistoryEntry[] =>
  readFileSync(join(place(name), 'history.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ExportedHistoryEntry);

const sumsOf = (name: string): string[] =>
  readFileSync(join(place(name), 'checksums.sha256'), 'utf8')
    .split('\n')
    .filter((line) => !line.endsWith('index.html'));

const list = (app: App, id?: string) =>
  app.services.history.list('local', { id, limit: 50, offset: 0, permissions: localCaller().permissions });

test('the history is exported and imported for reading, without deleted items', async () => {
  const testServer = await openTestServer({ embedder: 'none' });
  const { library, highlights, goals, history } = testServer.app.services;
  const note = (title: string) => library.saveNote(as('save_note'), { title, text: `About ${title}.` }, waiting);
  const kept = await note('Kept');
  const gone = await note('Gone secret');
  await testServer.app.worker.runUntilEmpty();
  const edited = as('update_content', 'laptop');
  await library.update(edited, kept.id, { title: 'Kept and named', notes: 'second thought' });
  await library.update(as('update_content'), gone.id, { notes: 'hidden thought' });
  await highlights.add(as('add_highlight'), { contentId: kept.id, quote: 'About Kept', note: 'mark' });
  const marked = await highlights.add(as('add_highlight'), { contentId: kept.id, quote: 'Kept', note: 'secret mark' });
  await highlights.delete(as('delete_highlight'), marked.id);
  const goal = await goals.add(as('add_goal'), { title: 'Read more', category: 'Health' });
  await history.undo(as('undo'), edited.change.id, { force: false, caller: localCaller() });
  await library.delete(as('delete_content'), gone.id);

  const { changes } = await exportTo(testServer.app, 'first');
  const entries = historyOf('first');
  expect(entries.map(({ operation }) => operation)).toEqual([
    'save_note',
    'update_content',
    'add_highlight',
    'add_goal',
    'undo',
  ]);
  expect(changes).toBe(entries.length);
  expect(entries[1]).toMatchObject({
    id: edited.change.id,
    face: 'mcp',
    by: 'laptop',
    undoneBy: entries[4]!.id,
    changes: [
      { id: kept.id, contentId: null, field: 'title', before: null, after: 'Kept and named' },
      { id: kept.id, field: 'notes', before: null, after: 'second thought' },
    ],
  });
  expect(entries[2]!.changes).toMatchObject([{ contentId: kept.id, field: 'highlight', after: 'About Kept' }]);
  expect(readFileSync(join(place('first'), 'history.jsonl'), 'utf8')).not.toMatch(/secret|hidden/);

  const other = await openTestServer({ embedder: 'none' });
  await importFrom(other.app, 'first');
  await exportTo(other.app, 'again');
  expect(sumsOf('again')).toEqual(sumsOf('first'));
  const theirs = (await list(other.app)).items;
  // The import is the newest; the others are as they were.
  expect(theirs.map(({ operation }) => operation)).toEqual([
    'import',
    ...entries.map(({ operation }) => operation).toReversed(),
  ]);
  expect(theirs[4]).toEqual({
    ...(await list(testServer.app, edited.change.id)).items[0],
    isRestored: true,
  });
  expect((await list(other.app, goal.id)).items.map(({ operation }) => operation)).toEqual(['import', 'add_goal']);
  expect((await list(other.app, kept.id)).items).toHaveLength(5);
  const actionsOnly = { limit: 9, offset: 0, permissions: permissionsOfScopes(['goals:read']) };
  expect((await other.app.services.history.list('local', actionsOnly)).items).toMatchObject([
    { operation: 'add_goal' },
  ]);
  await expect(
    other.app.services.history.undo(as('undo'), edited.change.id, { force: true, caller: localCaller() }),
  ).rejects.toMatchObject({ code: 'invalid_input', message: expect.stringContaining('came with an export') as string });

  await importFrom(other.app, 'first');
  await importFrom(testServer.app, 'first');
  await exportTo(testServer.app, 'third');
  expect(sumsOf('third')).toEqual(sumsOf('first'));
  expect((await list(other.app)).total).toBe(theirs.length);

  appendFileSync(join(place('again'), 'history.jsonl'), '{}\n');
  await expect(importFrom(other.app, 'again')).rejects.toMatchObject({ code: 'invalid_input' });
  rmSync(join(place('again'), 'history.jsonl'));
  expect(new Set(await importFrom(other.app, 'again'))).toEqual(
    new Set(['skipped: it is in the library already, as new as this or newer']),
  );
  await Promise.all([other.close(), testServer.close()]);
});

test('no history is imported where none is kept', async () => {
  const other = await openTestServer({ embedder: 'none', historyDays: 0 });
  await importFrom(other.app, 'first');
  expect((await list(other.app)).total).toBe(0);
  await other.close();
});
