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
    found.map(({ passageId }) => passageId),
  );
  return nameKnown(
    file,
    found.flatMap(({ passageId, score }) => {
      const item = items.get(passageId);
      return item === undefined ? [] : [{ passageId, score, item: Number(item) }];
    }),
  );
}

/** The same where the items' keys are known. */
export function nameKnown(file: SqliteFile, found: readonly (Ranked & { item: number })[]): RankedPassage[] {
  const names = lookUp(
    file,
    'names of items',
    'SELECT c.seq AS key, c.id AS value FROM json_each(?) wanted JOIN content c ON c.seq = wanted.value',
    found.map(({ item }) => item),
  );
  return found.flatMap(({ passageId, item, score }) => {
    const contentId = names.get(item);
    return contentId === undefined ? [] : [{ passageId, contentId: String(contentId), score }];
  });
}

function lookUp(
  file: SqliteFile,
  name: string,
  sql: string,
  keys: readonly number[],
): ReadonlyMap<number, number | string> {
  const known = file.remember(name, () => new Map<number, number | string>());
  const unknown = keys.filter((key) => !known.has(key));
  if (unknown.length === 0) return known;
  // What is looked up now has to be there when this comes back.
  if (known.size + unknown.length > mostRemembered) known.clear();
  const wanted = known.size === 0 ? keys : unknown;
  for (const { key, value } of file.all<{ key: number; value: number | string }>(sql, JSON.stringify(wanted)))
    known.set(key, value);
  return known;
}
