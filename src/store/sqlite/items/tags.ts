import { maxTags } from '../../../domain/records/limits.ts';
import { AppError } from '../../../errors.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

/** Two tags are the same when this is: letter case and the way an accent is encoded do not count. */
function foldTag(tag: string): string {
  return tag.toWellFormed().normalize('NFC').toLowerCase();
}

/**
 * Adds the tags that the item does not have yet; the first spelling of a tag stays.
 * @throws {AppError} `invalid_input` when it would then have too many; the transaction is to be given up
 */
export function addTags(file: SqliteFile, content: number, tags: readonly string[]): void {
  for (const tag of tags) {
    file.run(
      `INSERT INTO content_tags (content, folded, tag, ordinal)
       SELECT @content, @folded, @tag, coalesce(max(ordinal) + 1, 0) FROM content_tags WHERE content = @content
       ON CONFLICT DO NOTHING`,
      { content, folded: foldTag(tag), tag },
    );
  }
  const row = file.get<{ count: number }>('SELECT count(*) AS count FROM content_tags WHERE content = ?', content);
  if ((row?.count ?? 0) > maxTags) {
    throw new AppError('invalid_input', `An item has at most ${maxTags} tags, with those it has already. Give fewer.`);
  }
}

/** Puts these tags in the place of the item's. */
export function replaceTags(file: SqliteFile, content: number, tags: readonly string[]): void {
  file.run('DELETE FROM content_tags WHERE content = ?', content);
  addTags(file, content, tags);
}

/** SQL for a JSON array of the tags of `content`, in the order in which they were given. */
export function tagsOf(content: string): string {
  return `(SELECT json_group_array(t.tag ORDER BY t.ordinal) FROM content_tags t WHERE t.content = ${content})`;
}

/** A condition that all of `tags` are on the item whose key is `content`, with its parameters. */
export function hasTags(content: string, tags: readonly string[]): { conditions: string[]; parameters: string[] } {
  const parameters = [...new Set(tags.map(foldTag))];
  return {
    conditions: parameters.map(() => `${content} IN (SELECT t.content FROM content_tags t WHERE t.folded = ?)`),
    parameters,
  };
}
