import type { PassageFilter } from '../../records/search-records.ts';
import { deletedPassages } from '../items/deleted.ts';
import { itemCondition } from './item-filter.ts';
import { matching, passagesOfItems, phrasesOf } from './passage-filter.ts';
import { indexedLanguages } from './words/indexed-languages.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

/**
 * Returns a function that tells whether a passage is left out, by the filter or because its item is deleted.
 */
export function passagesLeftOut(file: SqliteFile, filter: PassageFilter): (passageId: number) => boolean {
  const { having, without } = phrasesOf(filter, indexedLanguages(file));
  const items = itemCondition(file, filter);
  const within: ((id: number) => boolean)[] = [];
  const outside: ((id: number) => boolean)[] = [];
  const read = (sql: string, ...parameters: unknown[]) => among(readIds(file, sql, parameters));
  if (having !== null) within.push(read(matching, having));
  if (without !== null) outside.push(read(matching, without));
  if (items === null) outside.push(read(deletedPassages));
  else within.push(read(passagesOfItems(items), ...items.parameters));
  return (passageId) => within.some((has) => !has(passageId)) || outside.some((has) => has(passageId));
}

function readIds(file: SqliteFile, sql: string, parameters: readonly unknown[]): number[] {
  const row = file.get<{ ids: string }>(
    `WITH found(id) AS (${sql}) SELECT json_group_array(id) AS ids FROM found`,
    ...parameters,
  );
  return JSON.parse(row?.ids ?? '[]') as number[];
}

/** Above this id, an array with a place for each id would take too much memory. */
const maxId = 2 ** 27;

/** Whether an id is among these. */
function among(ids: readonly number[]): (id: number) => boolean {
  let last = -1;
  for (const id of ids) if (id > last) last = id;
  if (last > maxId) {
    const all = new Set(ids);
    return (id) => all.has(id);
  }
  const flags = new Uint8Array(last + 1);
  for (const id of ids) flags[id] = 1;
  return (id) => flags[id] === 1;
}
