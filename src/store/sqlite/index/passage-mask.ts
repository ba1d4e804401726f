import type { PassageFilter } from '../../records/search-records.ts';
import { deletedPassages } from '../items/deleted.ts';
import { UnsupportedIndexFormat } from './full-text/unsupported-index-format.ts';
import { maxId } from './full-text/postings.ts';
import { itemConditions, matching, phrasesOf } from './passage-filter.ts';
import { indexedLanguages } from './words/indexed-languages.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

/**
 * Returns a function that tells whether a passage is left out, by the filter or because its item is deleted.
 * @throws {UnsupportedIndexFormat} when ids are too great
 */
export function passagesLeftOut(file: SqliteFile, filter: PassageFilter): (passageId: number) => boolean {
  const { having, without } = phrasesOf(filter, indexedLanguages(file));
  const items = itemConditions(filter);
  const within: Uint8Array[] = [];
  const outside: Uint8Array[] = [];
  const read = (sql: string, ...parameters: unknown[]) => flagsOf(readIds(file, sql, parameters));
  if (having !== null) within.push(read(matching, having));
  if (without !== null) outside.push(read(matching, without));
  if (items.length === 0) outside.push(read(deletedPassages));
  else {
    const conditions = ['c.deleted_at IS NULL', ...items.map(({ sql }) => sql)].join(' AND ');
    const sql = `SELECT p.id FROM items c JOIN passages p ON p.item = c.seq WHERE ${conditions}`;
    within.push(read(sql, ...items.flatMap(({ parameters }) => parameters)));
  }
  return (passageId) =>
    within.some((flags) => flags[passageId] !== 1) || outside.some((flags) => flags[passageId] === 1);
}

function readIds(file: SqliteFile, sql: string, parameters: readonly unknown[]): number[] {
  const row = file.get<{ ids: string }>(
    `WITH found(id) AS (${sql}) SELECT json_group_array(id) AS ids FROM found`,
    ...parameters,
  );
  return JSON.parse(row?.ids ?? '[]') as number[];
}

/** An array with a 1 at each of these ids. */
function flagsOf(ids: readonly number[]): Uint8Array {
  let last = -1;
  for (const id of ids) if (id > last) last = id;
  if (last > maxId) throw new UnsupportedIndexFormat('ids far apart');
  const flags = new Uint8Array(last + 1);
  for (const id of ids) flags[id] = 1;
  return flags;
}
