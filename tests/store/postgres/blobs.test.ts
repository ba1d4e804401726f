import { randomBytes } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDataFolder } from '../../../src/app/installations/data-folder.ts';
import { scopes } from '../../../src/domain/records/account.ts';
import { newChange } from '../../../src/domain/records/change.ts';
import { moveLibrary } from '../../../src/services/moving/move.ts';
import type { PostgresStore } from '../../../src/store/postgres/account-store.ts';
import type { ObjectStore } from '../../../src/store/postgres/blobs/object-store.ts';
import { connect, type Pool } from '../../../src/store/postgres/database.ts';
import { openPostgresStores } from '../../../src/store/postgres/open.ts';
import { leaseMs, resource, saving } from '../contracts/items/store-items.ts';
import { ManualClock } from '../../support/clock.ts';
import { claimJob } from '../../support/store/claims.ts';
import { PostgresServer, type TestDatabase } from '../../support/postgres/server.ts';
import { S3Server } from '../../support/servers/s3-server.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const dayMs = 24 * 60 * 60_000;

let server: PostgresServer;
let s3: S3Server;
let database: TestDatabase;
let admin: Pool;
let objects: ObjectStore;
let clock: ManualClock;
let stores: Awaited<ReturnType<typeof openPostgresStores>>;
let store: PostgresStore;

beforeAll(async () => {
  [server, s3] = await Promise.all([PostgresServer.start(), S3Server.start()]);
  database = await server.createDatabase();
  admin = connect({ url: server.adminUrl(database), maxConnections: 1 });
});
afterAll(async () => {
  await admin.end();
  await Promise.all([server.stop(), s3.stop()]);
});
beforeEach(async () => {
  clock = new ManualClock();
  objects = s3.open();
  stores = await openPostgresStores({ url: database.url, clock, objects });
  store = await stores.open('local');
});
afterEach(async () => {
  s3.failNext();
  await stores.close();
  objects = s3.open();
  for (const account of ['local', ...others.splice(0)])
    for (const name of await objects.list(account)) await objects.delete({ account, name });
  await database.empty();
});

const others: string[] = [];
async function makeAccount(): Promise<string> {
  const { id } = await stores.control.createAccount({ name: 'Ann', plan: 'pro' });
  others.push(id);
  return id;
}

const large = (url: string, bytes = randomBytes(40_000)) => resource(url, '', { bytes });
const save = async (original = large('x'), url = 'https://example.org/', by = store) =>
  by.saveContent(saving(url, { original }));
const readBytes = async (id: string, by = store) => Buffer.from((await by.readOriginal(id))!.bytes);
const stored = async () => (await objects.list('local')).length;
/** A node's maintenance, some days later. */
async function sweepAfter(days: number): Promise<void> {
  clock.setBy(days * dayMs);
  await stores.removeExpiredAccounts();
}

describe('originals in an object store', () => {
  it('store what is too large for a row, and can be read back', async () => {
    const original = large('x');
    const { id } = await save(original);
    const small = await save(resource('y', 'small'), 'https://example.org/small');
    expect(await objects.list('local')).toHaveLength(1);
    expect((await readBytes(id)).equals(original.bytes)).toBe(true);
    expect((await readBytes(small.id)).toString()).toBe('small');
    const text = resource('z', 'A text that packs well. '.repeat(5_000) + randomBytes(40_000).toString('hex'));
    const packed = await save(text, 'https://example.org/text');
    expect((await readBytes(packed.id)).equals(text.bytes)).toBe(true);
    expect(await store.reprocess('extract')).toEqual({ queued: 0, lacking: 0 });
    const rows = await admin`SELECT bytes IS NULL AS is_elsewhere FROM originals ORDER BY item`;
    expect(rows.map((row) => row['isElsewhere'])).toEqual([true, false, true]);
  });

  it('come from fetching, companions and imports, and equal ones are stored once', async () => {
    const original = large('x');
    const { id } = await store.saveContent(saving('https://example.org/fetched'));
    const claim = (await claimJob(store, leaseMs))!;
    await store.keepOriginalAndRelease(claim, original);
    await store.keepCompanion(id, 'captions', original);
    const entry = { title: null, tags: [], notes: null, createdAt: null, original };
    await store.importContent(
      ['a', 'b'].map((name) => ({
        ...entry,
        url: `https://b.example/${name}`,
        canonicalUrl: `https://b.example/${name}`,
      })),
    );
    expect(await objects.list('local')).toHaveLength(1);
    expect(Buffer.from((await store.readOriginal(id, 'captions'))!.bytes).equals(original.bytes)).toBe(true);
  });

  it('belong to one account each: the other keeps what one deletes', async () => {
    const original = large('x');
    const id = await makeAccount();
    const hers = await stores.open(id);
    const [mine, theirs] = [await save(original), await save(original, 'https://example.org/', hers)];
    expect([await objects.list('local'), await objects.list(id)].map((names) => names.length)).toEqual([1, 1]);
    await stores.removeAccount(id);
    expect([await objects.list('local'), await objects.list(id)].map((names) => names.length)).toEqual([1, 0]);
    expect((await readBytes(mine.id)).equals(original.bytes)).toBe(true);
    expect(await hers.readOriginal(theirs.id)).toBeNull();
  });

  it('are restored by undo, as long as the history has them', async () => {
    const [first, second] = [large('x'), large('x')];
    const { id } = await save(first);
    const change = newChange({ face: 'rest', by: 'Ann', operation: 'save_content', scopes: ['content:write'] });
    await save(second, 'https://example.org/', await stores.open({ account: 'local', change }));
    await sweepAfter(2);
    expect(await stored()).toBe(2);
    const [entry] = (await store.listHistory({ scopes, limit: 1, offset: 0 }))!.items;
    expect(JSON.stringify(entry)).toContain('40000 bytes stored');
    const undo = newChange({ face: 'rest', by: 'Ann', operation: 'undo', scopes: ['content:write'] });
    const undoing = await stores.open({ account: 'local', change: undo });
    expect(await undoing.undo(entry!.id, { force: false })).toMatchObject({ outcome: 'undone' });
    expect((await readBytes(id)).equals(first.bytes)).toBe(true);
  });

  it('move with the library to files and back', async () => {
    const original = large('x');
    const { id } = await save(original);
    const folder = temporaryFolder();
    const files = await openDataFolder({ folder: folder.path, clock });
    const { signal } = new AbortController();
    const local = await files.open('local');
    expect(await moveLibrary(store, local, { signal })).toMatchObject({ copied: 1, differing: [] });
    expect(Buffer.from((await local.readOriginal(id))!.bytes).equals(original.bytes)).toBe(true);
    await stores.close();
    await database.empty();
    objects = s3.open();
    stores = await openPostgresStores({ url: database.url, clock, objects });
    store = await stores.open('local');
    expect(await moveLibrary(local, store, { signal })).toMatchObject({ copied: 1, differing: [] });
    expect((await readBytes(id)).equals(original.bytes)).toBe(true);
    await files.close();
    await folder.remove();
  });
});

describe('an object store that fails', () => {
  const busy = Array.from({ length: 8 }, () => (_: unknown, answer: { writeHead(s: number): { end(): void } }) => {
    answer.writeHead(503).end();
    return true;
  });
  const unavailable = (words: string) =>
    expect.objectContaining({ code: 'unavailable', message: expect.stringContaining(words) as string }) as Error;

  it('allows no save of an object that it does not have', async () => {
    s3.failNext(...busy);
    await expect(save()).rejects.toThrow(unavailable('does not answer'));
    expect((await store.listContent({ limit: 1, offset: 0 })).total).toBe(0);
    s3.failNext();
    await save();
  });

  it('is reported when it has different bytes, none, or is not configured', async () => {
    const { id } = await save();
    const [name = ''] = await objects.list('local');
    await objects.put({ account: 'local', name }, randomBytes(40_000), Buffer.alloc(32));
    await expect(store.readOriginal(id)).rejects.toThrow(unavailable('not those that were saved'));
    await objects.delete({ account: 'local', name });
    await expect(store.readOriginal(id)).rejects.toThrow(unavailable('not those that were saved'));
    const without = await openPostgresStores({ url: database.url, clock });
    await expect((await without.open('local')).readOriginal(id)).rejects.toThrow(unavailable('the settings name none'));
    await without.close();
  });

  it('gets lost objects back when the same is saved again', async () => {
    const original = large('x');
    const { id } = await save(original);
    const [name = ''] = await objects.list('local');
    await objects.delete({ account: 'local', name });
    await save(original);
    expect((await readBytes(id)).equals(original.bytes)).toBe(true);
  });

  it('is tried again for a removed account, and once more after a day', async () => {
    const id = await makeAccount();
    await save(large('x'), 'https://example.org/', await stores.open(id));
    s3.failNext(...busy);
    await expect(stores.removeAccount(id)).rejects.toThrow(unavailable('The account is removed'));
    s3.failNext();
    expect(await objects.list(id)).toHaveLength(1);
    await stores.removeExpiredAccounts();
    expect(await objects.list(id)).toEqual([]);
    // As if a node had been stopped while it put this.
    await objects.put({ account: id, name: 'late' }, Buffer.from('x'), Buffer.alloc(32));
    await sweepAfter(0.9);
    expect(await objects.list(id)).toEqual(['late']);
    await sweepAfter(0.2);
    expect(await objects.list(id)).toEqual([]);
    expect(await admin`SELECT 1 FROM blob_sweeps`).toHaveLength(0);
  });
});

describe('unreferenced objects', () => {
  it('are deleted when they are older than a day', async () => {
    const { id } = await save();
    await save(large('x'), 'https://example.org/');
    expect(await stored()).toBe(2);
    await sweepAfter(0.9);
    expect(await stored()).toBe(2);
    await sweepAfter(0.2);
    expect(await stored()).toBe(1);
    expect((await store.readOriginal(id))?.bytes.length).toBe(40_000);
    await store.deleteContent(id);
    await sweepAfter(1.1);
    expect(await stored()).toBe(1);
    clock.advance(40 * dayMs);
    await store.purgeExpired(10);
    await sweepAfter(1.1);
    expect(await stored()).toBe(0);
    expect(
      await admin`SELECT 1 FROM blobs UNION ALL SELECT 1 FROM dead_objects UNION ALL SELECT 1 FROM blob_sweeps`,
    ).toHaveLength(0);
  });

  it('are left by a node that was killed after it had stored one', async () => {
    const program = fileURLToPath(new URL('./kills/put-then-die.ts', import.meta.url));
    const child = spawn(process.execPath, [program, database.url], { stdio: ['ignore', 'ignore', 'inherit'] });
    const [, killedBy] = (await once(child, 'exit')) as [number | null, string | null];
    expect(killedBy).toBe('SIGKILL');
    const [noted] = await admin<{ name: string }[]>`SELECT name FROM blobs`;
    // What it was putting arrived.
    await objects.put({ account: 'local', name: noted!.name }, Buffer.from('x'), Buffer.alloc(32));
    expect((await store.listContent({ limit: 1, offset: 0 })).total).toBe(0);
    await sweepAfter(1.1);
    expect(await stored()).toBe(0);
    expect(await admin`SELECT 1 FROM blobs UNION ALL SELECT 1 FROM dead_objects`).toHaveLength(0);
  });

  it('are released before they are deleted, and an interrupted sweep is finished by the next', async () => {
    await save();
    await save();
    clock.setBy(1.1 * dayMs);
    let deletes = 0;
    const failing: ObjectStore = {
      ...objects,
      delete: async () => {
        deletes += 1;
        throw new Error('killed');
      },
    };
    const other = await openPostgresStores({ url: database.url, clock, objects: failing });
    await expect(other.removeExpiredAccounts()).rejects.toThrow('killed');
    expect(deletes).toBe(1);
    expect(await admin`SELECT 1 FROM dead_objects`).toHaveLength(1);
    expect(await stored()).toBe(2);
    // The account is another node's for an hour.
    await stores.removeExpiredAccounts();
    expect(await stored()).toBe(2);
    await sweepAfter(0.1);
    expect(await stored()).toBe(1);
    await other.close();
  });

  it('get another name when their bytes come again, so that a late deletion removes nothing', async () => {
    const original = large('x');
    await save(original);
    const { id } = await save();
    await save(original, 'https://b.example/');
    expect(await stored()).toBe(2);
    // The item is gone, its object given up, and not deleted yet.
    await admin`DELETE FROM originals WHERE item = (SELECT max(seq) FROM items)`;
    const gone = await admin<{ name: string }[]>`
      DELETE FROM blobs b WHERE NOT EXISTS (SELECT 1 FROM originals o WHERE o.blob = b.name) RETURNING name`;
    expect(gone).toHaveLength(1);
    const again = await save(original, 'https://c.example/');
    for (const { name } of gone) await objects.delete({ account: 'local', name });
    expect((await readBytes(again.id)).equals(original.bytes)).toBe(true);
    expect((await store.readOriginal(id))?.bytes.length).toBe(40_000);
  });

  it('cannot be referenced any more: the write fails and says so', async () => {
    let isSwept = false;
    const slow: ObjectStore = {
      ...objects,
      put: async (...put) => {
        await objects.put(...put);
        if (isSwept) return;
        isSwept = true;
        // More than a day passes here, and another node sweeps.
        await sweepAfter(1.1);
      },
    };
    const node = await openPostgresStores({ url: database.url, clock, objects: slow });
    const original = large('x');
    const by = await node.open('local');
    await expect(save(original, 'https://example.org/', by)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('Nothing was changed') as string,
    });
    const { id } = await save(original, 'https://example.org/', by);
    expect((await readBytes(id)).equals(original.bytes)).toBe(true);
    await node.close();
  });
});
