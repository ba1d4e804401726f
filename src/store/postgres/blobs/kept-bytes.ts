import { randomBytes } from 'node:crypto';
import type { Resource } from '../../../domain/records/resource.ts';
import { sha256 } from '../../../domain/sha256.ts';
import { packResource, type PackedResource } from '../../records/packed-originals.ts';
import type { AccountAccess } from '../account-access.ts';
import type { KeptOriginal } from '../../library/items/originals.ts';
import { later, type AccountTx } from '../database.ts';
import { objectDamaged, type ObjectStore, objectStoreUnset } from './object-store.ts';

/*
 * Where the bytes of originals are. Up to `maxRowBytes`, or without an object store, they are in their row. Larger ones
 * are in an object, which is there before a row names it: 1. its name is noted in `blobs`; 2. it is put; 3. the
 * transaction that needs it names it. An object that no row names is an orphan (`sweep.ts`).
 */

/**
 * What is not larger stays in the row, where it comes with the same round trip. An object costs a request to a server
 * further away, and most providers count requests, and objects up to 128 kB as that large.
 */
const maxRowBytes = 16_384;

/** Objects of one call that are put at the same time. */
const putAtOnce = 4;

export async function keepResource(access: AccountAccess, resource: Resource): Promise<KeptOriginal> {
  return keepPacked(access, access.objects, await packResource(resource));
}

/** Several, a few of them at the same time. */
export async function keepResources(access: AccountAccess, resources: readonly Resource[]): Promise<KeptOriginal[]> {
  const kept: KeptOriginal[] = [];
  for (let from = 0; from < resources.length; from += putAtOnce) {
    const some = resources.slice(from, from + putAtOnce);
    kept.push(...(await Promise.all(some.map((resource) => keepResource(access, resource)))));
  }
  return kept;
}

async function keepPacked(
  access: AccountAccess,
  objects: ObjectStore | null,
  { bytes, ...packed }: PackedResource,
): Promise<KeptOriginal> {
  if (objects === null || bytes.length <= maxRowBytes) return { ...packed, bytes };
  const hash = packed.packing === 'none' ? packed.hash : await sha256(bytes);
  const size = bytes.length;
  const name = await access.note((db) => noteBlob(db, hash, size));
  // Also when it is there already: so saving again mends what was lost.
  await objects.put({ account: access.account, name }, bytes, hash);
  return { ...packed, bytes: null, object: { name, size, hash } };
}

/** Names an object of these bytes; the same as before, as long as it was not given up. */
async function noteBlob({ sql, account, now }: AccountTx, hash: Uint8Array, size: number): Promise<string> {
  const made = `${Buffer.from(hash).toString('hex')}-${randomBytes(8).toString('hex')}`;
  const [blob] = await sql<{ name: string }[]>`
    INSERT INTO blobs AS b (account_id, name, hash, size, noted_at)
    VALUES (${account}, ${made}, ${hash}, ${size}, ${now})
    ON CONFLICT (account_id, hash) DO UPDATE SET noted_at = greatest(b.noted_at, excluded.noted_at)
    RETURNING name`;
  if (blob === undefined) throw new Error('an object that was just noted has no name');
  later(sql`
    INSERT INTO blob_sweeps (account_id, due_at) VALUES (${account}, ${now + orphanAfterMs}) ON CONFLICT DO NOTHING`);
  return blob.name;
}

/** How long an object is kept that nothing refers to. A write that puts an object refers to it within this time. */
export const orphanAfterMs = 24 * 60 * 60_000;

/**
 * The bytes, when they are those that were stored. Null when the object is not there.
 * @throws {AppError} `unavailable` when the object store does not answer, or has other bytes
 */
export async function readBytes(
  access: AccountAccess,
  { bytes, object }: Pick<KeptOriginal, 'bytes' | 'object'>,
): Promise<Uint8Array | null> {
  if (object === undefined) return bytes;
  if (access.objects === null) throw objectStoreUnset();
  const stored = await access.objects.get({ account: access.account, name: object.name }, object.size);
  if (stored === null) return null;
  if (!Buffer.from(await sha256(stored)).equals(object.hash)) throw objectDamaged();
  return stored;
}
