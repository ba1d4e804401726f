import type { OriginalSource, PackedOriginal, PackedResource } from '../../records/packed-originals.ts';
import { type Db, first, isKey, type ItemKey, keyed, later, type Steps } from '../db.ts';
import { columnsOf, resourceFields, valuesOf } from '../fields.ts';

/** A packed resource whose bytes can be named by a row. */
export interface KeptOriginal extends Omit<PackedResource, 'bytes'> {
  /** Null: they are in an object of the object store. */
  bytes: Uint8Array | null;
  object?: StoredObject;
}

interface StoredObject {
  name: string;
  size: number;
  /** SHA-256 of what is stored. */
  hash: Uint8Array;
}

/** An original as its row says. */
type PlacedOriginal = Omit<PackedOriginal, 'bytes'> & Pick<KeptOriginal, 'bytes' | 'object'>;

/** `name` is '' for the item's own original, or a companion's URL. There is none of the same name. */
export function* writeOriginal(
  db: Db,
  item: ItemKey,
  name: string,
  kept: KeptOriginal,
  from: OriginalSource,
): Steps<void> {
  yield* later`${db.row('originals', {
    item,
    ...keyed(db, 'name', name),
    ...valuesOf(resourceFields, kept.resource),
    given: from === 'given',
    hash: kept.hash,
    packing: kept.packing,
    bytes: kept.bytes,
    ...(kept.object !== undefined && { blob: kept.object.name, blob_size: kept.object.size }),
  })}`;
}

/** Also removes the companions: they belong to the old original. */
export function* replaceOriginal(db: Db, item: number, kept: KeptOriginal, from: OriginalSource): Steps<void> {
  yield* later`DELETE FROM originals WHERE ${db.of('originals')} AND item = ${item}`;
  yield* writeOriginal(db, item, '', kept, from);
}

/** Keeps a resource that was fetched along with the item's original, in place of the one of the same name. */
export function* replaceCompanion(db: Db, item: number, name: string, kept: KeptOriginal): Steps<void> {
  yield* later`
    DELETE FROM originals AS o WHERE ${db.of('o')} AND o.item = ${item} AND ${isKey(db, 'o', 'name', name)}`;
  yield* writeOriginal(db, item, name, kept, 'fetched');
}

export function* removeCompanions(db: Db, item: number): Steps<void> {
  yield* later`DELETE FROM originals WHERE ${db.of('originals')} AND item = ${item} AND name <> ''`;
}

/** Whether the item's original has the same bytes. */
export function* hasOriginal(db: Db, item: number, { hash }: Pick<KeptOriginal, 'hash'>): Steps<boolean> {
  const found = yield* first`
    SELECT 1 AS found FROM originals o
    WHERE ${db.of('o')} AND o.item = ${item} AND ${isKey(db, 'o', 'name', '')} AND o.hash = ${hash}`;
  return found !== undefined;
}

export function* readOriginal(db: Db, contentId: string, name: string): Steps<PlacedOriginal | null> {
  const row = yield* first<
    Omit<PlacedOriginal, 'given'> & { isGiven: boolean; blob?: string | null; blobSize: number; blobHash: Uint8Array }
  >`
    SELECT ${columnsOf(resourceFields, 'o')}, o.given AS is_given, o.packing, o.bytes ${db.objectOf('o')}
    FROM items i JOIN originals o ON ${db.of('o')} AND o.item = i.seq
    WHERE ${db.of('i')} AND i.id = ${contentId} AND ${isKey(db, 'o', 'name', name)}`;
  if (row === undefined) return null;
  const { isGiven: given, blob, blobSize: size, blobHash: hash, ...original } = row;
  return { ...original, given, ...(typeof blob === 'string' && { object: { name: blob, size, hash } }) };
}
