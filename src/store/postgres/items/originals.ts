import { type OriginalSource, type PackedOriginal, type PackedResource } from '../../packed-originals.ts';
import type { AccountTx } from '../account-access.ts';
import { later } from '../database.ts';
import { addressHash } from './address-hash.ts';

/** `name` is '' for the item's own original, or a companion's URL. The one of the same name is replaced. */
export function writeOriginal(
  { sql, account }: AccountTx,
  item: number,
  name: string,
  packed: PackedResource,
  from: OriginalSource,
): void {
  const { url, finalUrl, declaredType, fetchedAt } = packed.resource;
  later(sql`
    INSERT INTO originals (account_id, item, name, name_hash, url, final_url, declared_type, fetched_at, given, hash, packing, bytes)
    VALUES (${account}, ${item}, ${name}, ${addressHash(name)}, ${url}, ${finalUrl}, ${declaredType}, ${fetchedAt}, ${from === 'given'},
      ${packed.hash}, ${packed.packing}, ${packed.bytes})
    ON CONFLICT (account_id, item, name_hash) DO UPDATE SET url = excluded.url, final_url = excluded.final_url,
      declared_type = excluded.declared_type, fetched_at = excluded.fetched_at, given = excluded.given,
      hash = excluded.hash, packing = excluded.packing, bytes = excluded.bytes`);
}

/** Also removes the companions: they belong to the old original. */
export function replaceOriginal(db: AccountTx, item: number, packed: PackedResource, from: OriginalSource): void {
  later(db.sql`DELETE FROM originals WHERE account_id = ${db.account} AND item = ${item}`);
  writeOriginal(db, item, '', packed, from);
}

/** Whether the item's original has the same bytes. */
export async function hasOriginal(
  { sql, account }: AccountTx,
  item: number,
  { hash }: PackedResource,
): Promise<boolean> {
  const found = await sql`
    SELECT 1 FROM originals WHERE account_id = ${account} AND item = ${item} AND name = '' AND hash = ${hash}`;
  return found.length > 0;
}

export function removeCompanions({ sql, account }: AccountTx, item: number): void {
  later(sql`DELETE FROM originals WHERE account_id = ${account} AND item = ${item} AND name <> ''`);
}

export async function readOriginal(
  { sql, account }: AccountTx,
  contentId: string,
  name: string,
): Promise<PackedOriginal | null> {
  const [row] = await sql<PackedOriginal[]>`
    SELECT o.url, o.final_url, o.declared_type, o.fetched_at, o.given, o.packing, o.bytes
    FROM items i JOIN originals o ON o.account_id = i.account_id AND o.item = i.seq
    WHERE i.account_id = ${account} AND i.id = ${contentId} AND o.name_hash = ${addressHash(name)}`;
  return row ?? null;
}
