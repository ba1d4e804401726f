import type { OriginalSource, PackedOriginal } from '../../records/packed-originals.ts';
import type { AccountTx } from '../account-access.ts';
import type { KeptResource, StoredObject } from '../blobs/kept-bytes.ts';
import { later } from '../database.ts';
import { addressHash } from './address-hash.ts';

/** `name` is '' for the item's own original, or a companion's URL. The one of the same name is replaced. */
export function writeOriginal(
  { sql, account }: AccountTx,
  item: number,
  name: string,
  kept: KeptResource,
  from: OriginalSource,
): void {
  const { url, finalUrl, declaredType, fetchedAt } = kept.resource;
  const [bytes, object] = kept.place instanceof Uint8Array ? [kept.place, null] : [null, kept.place];
  later(sql`
    INSERT INTO originals (account_id, item, name, name_hash, url, final_url, declared_type, fetched_at, given, hash, packing, bytes, blob, blob_size)
    VALUES (${account}, ${item}, ${name}, ${addressHash(name)}, ${url}, ${finalUrl}, ${declaredType}, ${fetchedAt}, ${from === 'given'},
      ${kept.hash}, ${kept.packing}, ${bytes}, ${object?.name ?? null}, ${object?.size ?? null})
    ON CONFLICT (account_id, item, name_hash) DO UPDATE SET url = excluded.url, final_url = excluded.final_url,
      declared_type = excluded.declared_type, fetched_at = excluded.fetched_at, given = excluded.given,
      hash = excluded.hash, packing = excluded.packing, bytes = excluded.bytes, blob = excluded.blob,
      blob_size = excluded.blob_size`);
}

/** Also removes the companions: they belong to the old original. */
export function replaceOriginal(db: AccountTx, item: number, kept: KeptResource, from: OriginalSource): void {
  later(db.sql`DELETE FROM originals WHERE account_id = ${db.account} AND item = ${item}`);
  writeOriginal(db, item, '', kept, from);
}

/** Whether the item's original has the same bytes. */
export async function hasOriginal({ sql, account }: AccountTx, item: number, { hash }: KeptResource): Promise<boolean> {
  const found = await sql`
    SELECT 1 FROM originals WHERE account_id = ${account} AND item = ${item} AND name = '' AND hash = ${hash}`;
  return found.length > 0;
}

export function removeCompanions({ sql, account }: AccountTx, item: number): void {
  later(sql`DELETE FROM originals WHERE account_id = ${account} AND item = ${item} AND name <> ''`);
}

/** An original as its row says; the bytes may be in an object. */
export interface PlacedOriginal extends Omit<PackedOriginal, 'bytes'> {
  place: Uint8Array | StoredObject;
}

export async function readOriginal(
  { sql, account }: AccountTx,
  contentId: string,
  name: string,
): Promise<PlacedOriginal | null> {
  const [row] = await sql<
    (Omit<PlacedOriginal, 'place'> & { bytes: Uint8Array | null; blob: string; size: number; blobHash: Uint8Array })[]
  >`
    SELECT o.url, o.final_url, o.declared_type, o.fetched_at, o.given, o.packing, o.bytes, o.blob, o.blob_size AS size,
      (SELECT b.hash FROM blobs b WHERE b.account_id = ${account} AND b.name = o.blob) AS blob_hash
    FROM items i JOIN originals o ON o.account_id = i.account_id AND o.item = i.seq
    WHERE i.account_id = ${account} AND i.id = ${contentId} AND o.name_hash = ${addressHash(name)}`;
  if (row === undefined) return null;
  const { bytes, blob, size, blobHash, ...original } = row;
  return { ...original, place: bytes ?? { name: blob, size, hash: blobHash } };
}
