import { afterAll, beforeAll, expect, it } from 'vitest';
import { scopes } from '../../../src/domain/records/account.ts';
import { type Change, newChange } from '../../../src/domain/records/change.ts';
import type { PostgresStore } from '../../../src/store/postgres/account-store.ts';
import { connect, type Pool } from '../../../src/store/postgres/database.ts';
import { openPostgresStores } from '../../../src/store/postgres/open.ts';
import type { Store } from '../../../src/store/store.ts';
import { placeAll } from '../contracts/records/store-highlights.ts';
import { saveAndProcess, saving } from '../contracts/items/store-items.ts';
import { ManualClock } from '../../support/clock.ts';
import { PostgresServer } from '../../support/postgres/server.ts';

let server: PostgresServer;
let stores: Awaited<ReturnType<typeof openPostgresStores>>;
let store: PostgresStore;
let admin: Pool;

beforeAll(async () => {
  server = await PostgresServer.start();
  const database = await server.createDatabase();
  admin = connect({ url: server.adminUrl(database), maxConnections: 1 });
  // One connection: what a transaction left behind in its session would be seen by the next.
  stores = await openPostgresStores({ url: database.url, clock: new ManualClock(), maxConnections: 1 });
  store = await stores.open('local');
});
afterAll(async () => {
  await Promise.all([stores.close(), admin.end()]);
  await server.stop();
});

async function as(operation: string): Promise<{ store: PostgresStore; change: Change }> {
  const change = newChange({ face: 'cli', by: null, operation, scopes: ['content:write'] });
  return { change, store: await stores.open({ account: 'local', change }) };
}

async function undo(id: string) {
  const undoing = await as('undo');
  return undoing.store.undo(id, { force: false });
}

const entries = async () => (await store.listHistory({ scopes, limit: 100, offset: 0 }))!.total;

it('writes what a restored highlight adds to its passage', async () => {
  const whole = store as unknown as Store;
  const id = await saveAndProcess(whole, 'https://example.org/marks', { text: 'Bread needs salt.' });
  const highlight = await store.addHighlight({ contentId: id, quote: 'salt', note: 'zeppelin' });
  await placeAll(whole);
  const marks = async () =>
    (
      await admin<
        { marks: string[] | null }[]
      >`SELECT p.marks FROM passages p JOIN items i ON i.seq = p.item WHERE i.id = ${id}`
    )[0]?.marks;
  const before = await marks();
  expect(JSON.stringify(before)).toContain('zeppelin');
  const { change, store: person } = await as('delete_highlight');
  await person.deleteHighlight(highlight!.id);
  expect(await marks()).toBeNull();
  await undo(change.id);
  await placeAll(whole);
  expect(await marks()).toEqual(before);
});

it('records the writes of a change, and not the next ones on the same connection', async () => {
  const { id } = await store.saveContent(saving('https://example.org/a'));
  const before = await entries();
  const recorded = await as('update_content');
  await recorded.store.updateContent(id, { notes: 'by a person' });
  expect(await entries()).toBe(before + 1);
  await store.updateContent(id, { notes: 'by the program' });
  expect(await entries()).toBe(before + 1);
  const failing = await as('update_content');
  const tags = Array.from({ length: 51 }, (_, at) => `tag ${at}`);
  await expect(failing.store.updateContent(id, { notes: 'x', tags })).rejects.toMatchObject({ code: 'invalid_input' });
  await store.updateContent(id, { notes: 'by the program, again' });
  expect(await entries()).toBe(before + 1);
  expect([failing.change.isRecorded, recorded.change.isRecorded]).toEqual([false, true]);
});

it('restores characters that PostgreSQL cannot store as text', async () => {
  const notes = `one \0 two \u{10FFFE} three \u{10FFFE}0`;
  const { id } = await store.saveContent(saving('https://example.org/nul', { notes, tags: ['a\0b'] }));
  const { change, store: person } = await as('update_content');
  await person.updateContent(id, { notes: 'other', tags: ['c\0'] });
  expect((await store.listHistory({ id: change.id, scopes, limit: 1, offset: 0 }))?.items[0]?.changes).toMatchObject([
    { field: 'tags', before: ['a\0b'], after: ['c\0'] },
    { field: 'notes', before: notes, after: 'other' },
  ]);
  expect(await undo(change.id)).toMatchObject({ outcome: 'undone', conflicts: [] });
  expect(await store.getContentSummary(id)).toMatchObject({ notes, tags: ['a\0b'] });
});

it('undoes a large import in several writes, and counts what it keeps', async () => {
  const kept = async () => {
    const [row] = await admin<{ counted: number; kept: number }[]>`
      SELECT (SELECT coalesce(sum(bytes), 0)::bigint FROM history) AS counted, history_bytes AS kept FROM libraries`;
    return row!;
  };
  const { total } = await store.listContent({ limit: 1, offset: 0 });
  const { change, store: person } = await as('import');
  const imported = Array.from({ length: 1_100 }, (_, at) => ({
    url: `https://example.org/i/${at}`,
    canonicalUrl: `https://example.org/i/${at}`,
    title: null,
    tags: ['imported'],
    notes: null,
    createdAt: at,
  }));
  for (let at = 0; at < imported.length; at += 100) await person.importContent(imported.slice(at, at + 100));
  expect(await undo(change.id)).toMatchObject({ outcome: 'undone', rows: 2_200, conflictsTotal: 0 });
  expect((await store.listContent({ limit: 1, offset: 0 })).total).toBe(total);
  const { counted, kept: bytes } = await kept();
  expect(counted).toBeGreaterThan(2_200);
  expect(bytes).toBe(counted);
});
