import { wordsOf } from '../../../domain/text/words/words.ts';
import type { NamesLike } from '../../records/search-records.ts';
import { deletedItems } from '../items/items.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

/** Headings are read from at most this many of the items whose title matches. */
const maxItemsWithHeadings = 40;

/** The last word may be half typed, the others are complete. Words hold no quotation marks, so none is escaped. */
function matchTyped(typed: string): string {
  const words = wordsOf(typed).map(({ text }) => text);
  return words.map((word, index) => `"${word}"${index === words.length - 1 ? '*' : ''}`).join(' ');
}

/** Newest items first. The last typed word may be the beginning of any word in the title. */
export function listNamesLike(file: SqliteFile, typed: string, limit: number, items?: readonly number[]): NamesLike {
  const known = items === undefined ? null : JSON.stringify(items);
  return file.read(() => {
    const expression = matchTyped(typed);
    if (expression === '') return { titles: [], tags: tagsLike(file, '', limit, known), headings: [] };
    const [among, parameters] = known === null ? ['', []] : ['AND +rowid IN (SELECT value FROM json_each(?))', [known]];
    const isUnspaced = wordsOf(typed).some(({ isRun }) => isRun);
    // The tokenizer treats a run of a script without spaces as one word, so such titles are searched with LIKE.
    const rows = isUnspaced
      ? file.all<{ seq: number; title: string }>(
          `SELECT rowid AS seq, title FROM item_titles WHERE title LIKE ? ESCAPE '\\' ${among} ORDER BY rowid DESC LIMIT ?`,
          `%${typed.trim().replaceAll(/[\\%_]/g, '\\$&')}%`,
          ...parameters,
          limit,
        )
      : file.all<{ seq: number; title: string }>(
          `SELECT rowid AS seq, title FROM item_titles WHERE item_titles MATCH ? ${among} ORDER BY rowid DESC LIMIT ?`,
          expression,
          ...parameters,
          limit,
        );
    const seqs = JSON.stringify(rows.map(({ seq }) => seq));
    const ids = new Map(
      file
        .all<{ seq: number; id: string }>(
          'SELECT seq, id FROM items WHERE seq IN (SELECT value FROM json_each(?))',
          seqs,
        )
        .map(({ seq, id }) => [seq, id]),
    );
    const headings = file.all<{ path: string }>(
      `SELECT DISTINCT p.heading_path AS path FROM passages p WHERE p.item IN (SELECT value FROM json_each(?)) LIMIT ?`,
      JSON.stringify(rows.slice(0, maxItemsWithHeadings).map(({ seq }) => seq)),
      limit,
    );
    return {
      titles: rows.flatMap(({ seq, title }) => {
        const id = ids.get(seq);
        return id === undefined ? [] : [{ id, title }];
      }),
      tags: tagsLike(file, typed, limit, known),
      headings: headings.flatMap(({ path }) => JSON.parse(path) as string[]),
    };
  });
}

/** Beyond this many items, the exact number no longer matters for the order of two tags. */
const enoughItems = 200;

/** Tags that begin with the typed text, or contain a word that does (all without a text); the most used first. */
function tagsLike(file: SqliteFile, typed: string, limit: number, items: string | null): string[] {
  const wanted = ` ${typed.trim().normalize('NFC').toLowerCase()}`;
  if (items !== null)
    return file
      .all<{ folded: string; tag: string }>(
        `SELECT t.folded, min(t.tag) AS tag FROM json_each(?) kept CROSS JOIN item_tags t ON t.item = kept.value
         GROUP BY t.folded ORDER BY count(*) DESC, t.folded`,
        items,
      )
      .filter(({ folded }) => ` ${folded}`.includes(wanted))
      .slice(0, limit)
      .map(({ tag }) => tag);
  // Jump from one distinct tag to the next in the index: an account has many items and few tags.
  const distinct = file.all<{ folded: string }>(
    `WITH RECURSIVE next (folded) AS (
       SELECT min(folded) FROM item_tags
       UNION ALL SELECT (SELECT min(t.folded) FROM item_tags t WHERE t.folded > next.folded) FROM next
       WHERE next.folded IS NOT NULL
     ) SELECT folded FROM next WHERE folded IS NOT NULL`,
  );
  return distinct
    .filter(({ folded }) => ` ${folded}`.includes(wanted))
    .map(({ folded }) => ({ folded, items: countItems(file, folded) }))
    .filter(({ items }) => items > 0)
    .sort((a, b) => b.items - a.items)
    .slice(0, limit)
    .flatMap(
      ({ folded }) =>
        file.get<{ tag: string }>('SELECT tag FROM item_tags WHERE folded = ? LIMIT 1', folded)?.tag ?? [],
    );
}

function countItems(file: SqliteFile, folded: string): number {
  const row = file.get<{ count: number }>(
    `SELECT count(*) AS count FROM (
       SELECT 1 FROM item_tags t WHERE t.folded = ? AND t.item NOT IN (${deletedItems}) LIMIT ?)`,
    folded,
    enoughItems,
  );
  return row?.count ?? 0;
}
