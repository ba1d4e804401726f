import type { OriginalSource, PackedOriginal, PackedResource } from '../../records/packed-originals.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

/** The media type is detected on each read. So `media_type` and `charset` stay empty, which older programs accept. */
export function writeOriginal(
  file: SqliteFile,
  content: number,
  name: string,
  packed: PackedResource,
  from: OriginalSource,
): void {
  const { url, finalUrl, declaredType, fetchedAt } = packed.resource;
  file.run(
    `INSERT OR REPLACE INTO originals
       (content, name, url, final_url, media_type, declared_type, fetched_at, given, hash, packing, bytes)
     VALUES (?, ?, ?, ?, '', ?, ?, ?, ?, ?, ?)`,
    content,
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
export function replaceOriginal(file: SqliteFile, content: number, packed: PackedResource, from: OriginalSource): void {
  file.run('DELETE FROM originals WHERE content = ?', content);
  writeOriginal(file, content, '', packed, from);
}

/** Whether the item's original has the same bytes. */
export function hasOriginal(file: SqliteFile, content: number, { hash }: PackedResource): boolean {
  const sql = `SELECT 1 FROM originals WHERE content = ? AND name = '' AND hash = ?`;
  return file.get(sql, content, hash) !== undefined;
}

/** Stores a resource that was fetched along with the item's original. Replaces the companion of the same name. */
export function writeCompanion(file: SqliteFile, content: number, name: string, packed: PackedResource): void {
  writeOriginal(file, content, name, packed, 'fetched');
}

export function removeCompanions(file: SqliteFile, content: number): void {
  file.run(`DELETE FROM originals WHERE content = ? AND name <> ''`, content);
}

export function readOriginal(file: SqliteFile, contentId: string, name: string): PackedOriginal | null {
  const row = file.get<Omit<PackedOriginal, 'given'> & { given: 0 | 1 }>(
    `SELECT o.url, o.final_url AS finalUrl, o.declared_type AS declaredType, o.fetched_at AS fetchedAt, o.given,
       o.packing, o.bytes
     FROM content c JOIN originals o ON o.content = c.seq WHERE c.id = ? AND o.name = ?`,
    contentId,
    name,
  );
  return row === undefined ? null : { ...row, given: row.given === 1 };
}
