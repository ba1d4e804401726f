import type { RankedPassage } from '../../domain/passage.ts';
import type { SqliteFile } from './sqlite-file.ts';

/*
 * Whose passages were found. Two lists of two hundred passages are named in each search, which costs as much as finding them: so what
 * was looked up is remembered until somebody writes.
 */

/** So many are remembered of each kind. */
const mostRemembered = 50_000;

interface Ranked {
  passageId: number;
  score: number;
}

/** Names the items; what the file does not have any more is left out. */
export function nameItems(file: SqliteFile, found: readonly Ranked[]): RankedPassage[] {
  const items = lookUp(
    file,
    'items of passages',
    'SELECT p.id AS key, p.content AS value FROM json_each(?) wanted JOIN passages p ON p.id = wanted.value',
    found,
    ({ passageId }) => passageId,
  );
  const known: (Ranked & { item: number })[] = [];
  for (const { passageId, score } of found) {
    const item = items.get(passageId);
    if (item !== undefined) known.push({ passageId, score, item: Number(item) });
  }
  return nameKnown(file, known);
}

/** The same where the items' keys are known. */
export function nameKnown(file: SqliteFile, found: readonly (Ranked & { item: number })[]): RankedPassage[] {
  const names = lookUp(
    file,
    'names of items',
    'SELECT c.seq AS key, c.id AS value FROM json_each(?) wanted JOIN content c ON c.seq = wanted.value',
    found,
    ({ item }) => item,
  );
  const named: RankedPassage[] = [];
  for (const { passageId, item, score } of found) {
    const contentId = names.get(item);
    if (contentId !== undefined) named.push({ passageId, contentId: String(contentId), score });
  }
  return named;
}

function lookUp<Found>(
  file: SqliteFile,
  name: string,
  sql: string,
  found: readonly Found[],
  keyOf: (found: Found) => number,
): ReadonlyMap<number, number | string> {
  const known = file.remember(name, () => new Map<number, number | string>());
  const unknown: number[] = [];
  for (const one of found) {
    const key = keyOf(one);
    if (!known.has(key)) unknown.push(key);
  }
  if (unknown.length === 0) return known;
  // What is looked up now has to be there when this comes back.
  if (known.size + unknown.length > mostRemembered) known.clear();
  const wanted = known.size === 0 ? found.map(keyOf) : unknown;
  for (const { key, value } of file.all<{ key: number; value: number | string }>(sql, JSON.stringify(wanted)))
    known.set(key, value);
  return known;
}
