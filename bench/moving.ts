import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openDataFolder } from '../src/app/installations/data-folder.ts';
import { newChange } from '../src/domain/records/change.ts';
import { moveLibrary } from '../src/services/moving/move.ts';
import { openPostgresStores } from '../src/store/postgres/open.ts';
import type { Store, Stores } from '../src/store/store.ts';
import { saveAndProcess } from '../tests/store/contracts/items/store-items.ts';
import { ManualClock } from '../tests/support/clock.ts';
import { PostgresServer } from '../tests/support/postgres/server.ts';

/*
 * Moves a library to PostgreSQL and back, and undoes an import on both engines. The server runs on this machine and does
 * not wait for the disk: what is measured is the program and its statements.
 *
 * node bench/moving.ts [--items 400] [--kilobytes 200] [--imported 2000]
 */

const { values } = parseArgs({
  options: {
    items: { type: 'string', default: '400' },
    kilobytes: { type: 'string', default: '200' },
    imported: { type: 'string', default: '2000' },
  },
});
const [items, bytes, imported] = [Number(values.items), Number(values.kilobytes) * 1024, Number(values.imported)];
const clock = new ManualClock();
const { signal } = new AbortController();

/** Bytes that do not compress, the same for the same number. */
function original(at: number): Uint8Array {
  const part = createHash('sha512').update(String(at)).digest();
  return Buffer.alloc(bytes, part).map((byte, place) => byte ^ (place >> 6));
}

async function timed<T>(what: string, work: () => Promise<T>, describe: (result: T, seconds: number) => string) {
  const from = performance.now();
  const result = await work();
  const seconds = (performance.now() - from) / 1_000;
  process.stdout.write(`${what}: ${describe(result, seconds)}\n`);
  return result;
}

async function importAndUndo(name: string, stores: Pick<Stores, 'open'>): Promise<void> {
  const as = (operation: string) => newChange({ face: 'cli', by: null, operation, scopes: ['content:write'] });
  const change = as('import');
  const store = await stores.open({ account: 'local', change });
  const entries = Array.from({ length: imported }, (_, at) => ({
    url: `https://example.org/imported/${at}`,
    canonicalUrl: `https://example.org/imported/${at}`,
    title: `Imported ${at}`,
    tags: ['one', 'two'],
    notes: null,
    createdAt: at,
  }));
  const rate = (_: unknown, seconds: number) =>
    `${imported} items in ${seconds.toFixed(1)} s, ${((seconds / imported) * 1e3).toFixed(2)} ms each`;
  await timed(
    `${name}, import`,
    async () => {
      for (let at = 0; at < imported; at += 100) await store.importContent(entries.slice(at, at + 100));
    },
    rate,
  );
  const undoing = await stores.open({ account: 'local', change: as('undo') });
  await timed(`${name}, undo of the import`, () => undoing.undo(change.id, { force: false }), rate);
}

const folder = mkdtempSync(join(tmpdir(), 'moving-'));
const server = await PostgresServer.start();
const database = await server.createDatabase();
const here = await openDataFolder({ folder: join(folder, 'here'), clock });
const there = await openPostgresStores({ url: database.url, clock });
const back = await openDataFolder({ folder: join(folder, 'back'), clock });
try {
  const source = await here.open('local');
  for (let at = 0; at < items; at += 1) {
    const text = `Paragraph number ${at} of a text that is read. `.repeat(200);
    const url = `https://example.org/${at}`;
    const id = await saveAndProcess(source, url, { text, passageLength: 1_000, save: { tags: ['a', `t${at % 50}`] } });
    const resource = { url, finalUrl: url, declaredType: null, fetchedAt: '2026-01-01T00:00:00.000Z' };
    await source.keepCompanion(id, `${url}/file`, { ...resource, bytes: original(at) });
  }
  const described = (moved: { copied: number; bytes: number; differing: string[] }, seconds: number) =>
    `${moved.copied} items, ${(moved.bytes / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s, ` +
    `${(moved.bytes / 1e6 / seconds).toFixed(1)} MB/s, ${((seconds / items) * 1e3).toFixed(1)} ms an item, ${moved.differing.length} differ`;
  const copy = await there.open('local');
  await timed('to PostgreSQL', () => moveLibrary(source, copy, { signal }), described);
  await timed('again', () => moveLibrary(source, copy, { signal }), described);
  const returned = await back.open('local');
  await timed('back to SQLite', () => moveLibrary(copy, returned, { signal }), described);
  await importAndUndo('SQLite', here);
  await importAndUndo('PostgreSQL', there as unknown as { open: (writer: never) => Promise<Store> });
} finally {
  await Promise.all([here.close(), there.close(), back.close()]);
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
