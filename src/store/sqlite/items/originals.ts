import type { OriginalSource, PackedOriginal, PackedResource } from '../../records/packed-originals.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

export function writeOriginal(
  file: SqliteFile,
  item: number,
  name: string,
  packed: PackedResource,
  from: OriginalSource,
): void {
  const { url, finalUrl, declaredType, fetchedAt } = packed.resource;
  file.run(
    `INSERT OR REPLACE INTO originals
       (item, name, url, final_url, declared_type, fetched_at, given, hash, packing, bytes)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    item,
    name,
    url,
    finalUrl,
    declaredType,
    fetchedAt,
    from === 'given' ? 1 : 0,
    packed.hash,
    packed.packing,
    packed.bytes,
  );
}

/** Also removes the companions: they belong to the old original. */
export function replaceOriginal(file: SqliteFile, item: number, packed: PackedResource, from: OriginalSource): void {
  file.run('DELETE FROM originals WHERE item = ?', item);
  writeOriginal(file, item, '', packed, from);
}

/** Whether the item's original has the same bytes. */
export function hasOriginal(file: SqliteFile, item: number, { hash }: PackedResource): boolean {
  const sql = `SELECT 1 FROM originals WHERE item = ? AND name = '' AND hash = ?`;
  return file.get(sql, item, hash) !== undefined;
}

/** Stores a resource that was fetched along with the item's original. Replaces the companion of the same name. */
export function writeCompanion(file: SqliteFile, item: number, name: string, packed: PackedResource): void {
  writeOriginal(file, item, name, packed, 'fetched');
}

export function removeCompanions(file: SqliteFile, item: number): void {
  file.run(`DELETE FROM originals WHERE item = ? AND name <> ''`, item);
}

export function readOriginal(file: SqliteFile, contentId: string, name: string): PackedOriginal | null {
  const row = file.get<Omit<PackedOriginal, 'given'> & { given: 0 | 1 }>(
    `SELECT o.url, o.final_url AS finalUrl, o.declared_type AS declaredType, o.fetched_at AS fetchedAt, o.given,
       o.packing, o.bytes
     FROM items c JOIN originals o ON o.item = c.seq WHERE c.id = ? AND o.name = ?`,
    contentId,
    name,
  );
  return row === undefined ? null : { ...row, given: row.given === 1 };
}
