import { maxTags } from '../../../domain/records/limits.ts';
import { foldTag, tooManyTags } from '../../../domain/records/tags.ts';
import type { Page, RenamedTag, TagCount } from '../../records.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { deletedItems } from './deleted.ts';

/**
 * Adds the tags that the item does not have yet. The first spelling of a tag stays.
 * @throws {AppError} `invalid_input` when the item would have too many tags; the caller must roll back the transaction
 */
export function addTags(file: SqliteFile, item: number, tags: readonly string[]): void {
  for (const tag of tags) {
    file.run(
      `INSERT INTO item_tags (item, folded, tag, ordinal)
       SELECT @item, @folded, @tag, coalesce(max(ordinal) + 1, 0) FROM item_tags WHERE item = @item
       ON CONFLICT DO NOTHING`,
      { item, folded: foldTag(tag), tag },
    );
  }
  if (countTags(file, item) > maxTags) {
    throw tooManyTags();
  }
}

/** The tags that the item does not have yet. */
export function missingTags(file: SqliteFile, item: number, tags: readonly string[]): string[] {
  if (tags.length === 0) return [];
  const rows = file.all<{ folded: string }>('SELECT folded FROM item_tags WHERE item = ?', item);
  const there = new Set(rows.map(({ folded }) => folded));
  return tags.filter((tag) => !there.has(foldTag(tag)));
}

export function countTags(file: SqliteFile, item: number): number {
  return file.get<{ count: number }>('SELECT count(*) AS count FROM item_tags WHERE item = ?', item)?.count ?? 0;
}

/** Replaces the item's tags. */
export function replaceTags(file: SqliteFile, item: number, tags: readonly string[]): void {
  file.run('DELETE FROM item_tags WHERE item = ?', item);
  addTags(file, item, tags);
}

export function removeTags(file: SqliteFile, item: number, tags: readonly string[]): void {
  if (tags.length === 0) return;
  file.run(
    'DELETE FROM item_tags WHERE item = ? AND folded IN (SELECT value FROM json_each(?))',
    item,
    JSON.stringify(tags.map(foldTag)),
  );
}

/** The tags of items that are not deleted, most used first. */
export function listTags(file: SqliteFile, { limit, offset }: { limit: number; offset: number }): Page<TagCount> {
  const kept = `item_tags t WHERE t.item NOT IN (${deletedItems})`;
  return file.read(() => ({
    items: file.all<TagCount>(
      `SELECT min(t.tag) AS tag, count(*) AS count FROM ${kept}
       GROUP BY t.folded ORDER BY 2 DESC, t.folded LIMIT ? OFFSET ?`,
      limit,
      offset,
    ),
    total: file.get<{ total: number }>(`SELECT count(DISTINCT t.folded) AS total FROM ${kept}`)?.total ?? 0,
  }));
}

/** See `Items.renameTag`. */
export function renameTag(file: SqliteFile, from: string, to: string, now: number): RenamedTag | null {
  const names = { from: foldTag(from), to: foldTag(to), tag: to };
  const count = (folded: string) =>
    file.get<{ count: number }>(
      `SELECT count(*) AS count FROM item_tags t WHERE t.folded = ? AND t.item NOT IN (${deletedItems})`,
      folded,
    )?.count ?? 0;
  const items = count(names.from);
  if (items === 0) return null;
  const merged = names.from !== names.to && count(names.to) > 0;
  file.run(
    `UPDATE items SET updated_at = max(updated_at + 1, @now) WHERE seq IN (
       SELECT item FROM item_tags WHERE folded IN (@from, @to) AND (folded <> @to OR tag <> @tag))`,
    { ...names, now },
  );
  if (names.from !== names.to)
    file.run(
      `DELETE FROM item_tags WHERE folded = @from
         AND item IN (SELECT item FROM item_tags WHERE folded = @to)`,
      { from: names.from, to: names.to },
    );
  file.run(
    'UPDATE item_tags SET folded = @to, tag = @tag WHERE folded IN (@from, @to) AND (folded <> @to OR tag <> @tag)',
    names,
  );
  return { items, merged };
}

/** SQL for a JSON array of the tags of `item`, in the order in which they were given. */
export function tagsOf(item: string): string {
  return `(SELECT json_group_array(t.tag ORDER BY t.ordinal) FROM item_tags t WHERE t.item = ${item})`;
}

/** SQL conditions, with parameters, that the item whose key is `item` has all of `tags`. */
export function hasTags(item: string, tags: readonly string[]): { conditions: string[]; parameters: string[] } {
  const parameters = [...new Set(tags.map(foldTag))];
  return {
    conditions: parameters.map(() => `${item} IN (SELECT t.item FROM item_tags t WHERE t.folded = ?)`),
    parameters,
  };
}
