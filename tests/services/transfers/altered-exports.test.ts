import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { localAccountId as account } from '../../../src/domain/records/account.ts';
import type { Goal } from '../../../src/domain/records/analyses/goal.ts';
import { exportFiles } from '../../../src/domain/records/transfers/export-files.ts';
import type { ExportedItem } from '../../../src/domain/records/transfers/exported.ts';
import type { ImportResult } from '../../../src/services/library/importing.ts';
import { openTestServer } from '../../support/test-server.ts';

/* Exports of this program that somebody altered, with checksums that fit: what is wrong is refused, and the rest is there. */

const folder = mkdtempSync(join(tmpdir(), 'commonplace-altered-'));
const whole = join(folder, 'whole');
const never = new AbortController().signal;
type Records = Partial<ExportedItem>[];
let records: Records;
let goal: Goal;
let testServer: Awaited<ReturnType<typeof openTestServer>>;

beforeAll(async () => {
  const own = await openTestServer({ embedder: 'none' });
  goal = await own.app.services.goals.add(account, { title: 'Know the river', category: 'Health' });
  for (const title of ['One', 'Two', 'Three'])
    await own.app.services.library.saveNote(
      account,
      { title, text: `${title}. ${'The river rises over the meadow. '.repeat(20)}` },
      { signal: never },
    );
  await own.app.worker.runUntilEmpty();
  await own.app.exporting.exportFolder(account, { place: whole, signal: never, onProgress: () => undefined });
  await own.close();
  const lines = gunzipSync(readFileSync(join(whole, exportFiles.items)))
    .toString()
    .trim()
    .split('\n');
  records = lines.map((line) => JSON.parse(line) as Records[number]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(async () => {
  testServer = await openTestServer({ embedder: 'none' });
});
afterEach(() => testServer.close());

const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Imports an export with other items, and writes the checksums again. */
async function importItems(items: Uint8Array): Promise<ImportResult[]> {
  const place = mkdtempSync(join(folder, 'export-'));
  cpSync(whole, place, { recursive: true });
  writeFileSync(join(place, exportFiles.items), items);
  const list = readFileSync(join(place, exportFiles.checksums), 'utf8')
    .split('\n')
    .map((line) => (line.endsWith(exportFiles.items) ? `${sha256(items)}  ${exportFiles.items}` : line))
    .join('\n');
  writeFileSync(join(place, exportFiles.checksums), list);
  const manifest = JSON.parse(readFileSync(join(place, exportFiles.manifest), 'utf8')) as object;
  writeFileSync(join(place, exportFiles.manifest), JSON.stringify({ ...manifest, checksums: sha256(list) }));
  const results: ImportResult[] = [];
  const onResults = async (some: ImportResult[]): Promise<void> => void results.push(...some);
  await testServer.app.importing.import(account, { place, tags: [], signal: never, onResults });
  return results;
}

const packed = (items: readonly object[]): Uint8Array =>
  gzipSync(items.map((item) => `${JSON.stringify(item)}\n`).join(''));

test.each([
  ['an analysis that is none', { analysis: { by: 'nobody', at: 'x' } }],
  ['what was known of another kind', { known: { title: { deep: [] } } }],
  ['more tags than an item has', { tags: Array.from({ length: 51 }, (_, at) => `tag ${at}`) }],
  ['a tag of zeros', { tags: ['a\0b'] }],
  ['a note of zeros', { notes: 'a\0b' }],
  ['half a page', { known: { pageCount: 1.5 } }],
  ['passages that are the whole text again and again', null],
])('%s is refused, and the library can still be listed', async (_, change) => {
  const [first, ...others] = structuredClone(records);
  const passage = first?.passages?.[0];
  const repeated = { passages: Array.from({ length: 3 }, (__, ordinal) => ({ ...passage, ordinal })) };
  const results = await importItems(packed([{ ...first, ...(change ?? repeated) }, ...others]));
  expect(results.map(({ outcome }) => outcome)).toEqual(['failed', 'taken', 'taken']);
  expect((await testServer.app.services.library.list(account, { limit: 10, offset: 0 })).total).toBe(2);
});

test('facts about a page are imported only as far as a fetch would have kept them', async () => {
  const [first, ...others] = structuredClone(records);
  const failure = { failureCode: null, failureMessage: null };
  const pageCheck = {
    etag: '"a"\r\nx: y',
    lastModified: 'x'.repeat(501),
    checkedAt: 1_000,
    changedAt: null,
    ...failure,
  };
  const checks = [pageCheck, { ...pageCheck, etag: '"a"', checkedAt: 8e15 }];
  const altered = [first, ...others].map((item, at) => ({ ...item, ...(checks[at] && { pageCheck: checks[at] }) }));
  const results = await importItems(packed(altered));
  expect(results.map(({ outcome }) => outcome)).toEqual(['taken', 'taken', 'taken']);
  const place = join(folder, 'checked');
  await testServer.app.exporting.exportFolder(account, { place, signal: never, onProgress: () => undefined });
  const lines = gunzipSync(readFileSync(join(place, exportFiles.items)))
    .toString()
    .trim()
    .split('\n');
  const kept = new Map(lines.map((line) => JSON.parse(line) as ExportedItem).map((item) => [item.id, item.pageCheck]));
  expect(altered.map(({ id }) => kept.get(id!))).toEqual([
    { ...pageCheck, etag: null, lastModified: null },
    { ...pageCheck, etag: '"a"', lastModified: null, checkedAt: null },
    undefined,
  ]);
});

test('records before the damage are imported', async () => {
  const many = Array.from({ length: 20_000 }, () => `${sha256(String(Math.random()))}\n`).join('');
  const items = gzipSync(records.map((item) => `${JSON.stringify(item)}\n`).join('') + many);
  const results = await importItems(items.subarray(0, items.length - 100_000));
  expect(results.slice(0, 3).map(({ outcome }) => outcome)).toEqual(['taken', 'taken', 'taken']);
  expect(results.at(-1)).toMatchObject({ outcome: 'failed', reason: 'the file is damaged from here on' });
  expect(await importItems(Buffer.from('not packed'))).toMatchObject([{ outcome: 'failed' }]);
});

test('an export without items is not damaged, and neither is the empty file of earlier versions', async () => {
  const results = await importItems(new Uint8Array(0));
  expect(results.map(({ outcome }) => outcome)).not.toContain('failed');
  const place = join(folder, 'empty');
  await testServer.app.exporting.exportFolder(account, { place, signal: never, onProgress: () => undefined });
  expect(gunzipSync(readFileSync(join(place, exportFiles.items))).length).toBe(0);
});

test('insights and actions that serve a goal serve the local goal with its title', async () => {
  const mine = await testServer.app.services.goals.add(account, { title: 'know the River', category: 'Health' });
  const [first, ...others] = structuredClone(records);
  const { visibleVersion: version = null } = first!;
  const place = { quote: null, start: null, end: null, locator: null, url: null };
  const insights = [goal.id, null, undefined].map((goalId) => ({ ...place, version, text: 'It rises.', goalId }));
  const action = { ...place, version, title: 'Look', reason: null, goalId: goal.id, goalReason: null };
  const untouched = { state: 'open', touchedAt: null, completedAt: null, createdAt: 1, mergedInto: null };
  const actions = [{ ...action, ...untouched, id: 'a_aaaaaaaaaaaaaaaa' }];
  const results = await importItems(packed([{ ...first, insights, actions }, ...others]));
  expect(results.map(({ outcome, reason }) => [outcome, reason])).toEqual(records.map(() => ['taken', '']));
  const { keyInsights, actions: here } = await testServer.app.services.library.get(account, first!.id!);
  expect(keyInsights.map(({ goalId }) => goalId)).toEqual([mine.id, undefined, undefined]);
  expect(here.map(({ goalId }) => goalId)).toEqual([mine.id]);
});
