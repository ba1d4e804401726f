import type { PassagesToEmbed, PassageToEmbed } from '../records.ts';
import { foldedQuery, maxPastQueries, type PastQuery } from '../records/search-records.ts';
import {
  all,
  type Db,
  first,
  fromJson,
  keyed,
  later,
  run,
  type Sql,
  sql,
  type Steps,
  text,
  together,
  unlimited,
} from './db.ts';
import { primaryOf } from './items/held.ts';

/* Records that searches need besides the index: which passages have vectors, and past queries. */

/** Whether the document of `d` is in one of `languages` or in an unknown one: `en-US` is `en`. */
function languageCondition(db: Db, languages: readonly string[] | null | undefined): Sql {
  if (languages === null || languages === undefined) return sql`true`;
  const primary = languages.map(primaryOf);
  return sql`(d.language IS NULL OR
    lower(substr(d.language, 1, ${db.instr}(replace(d.language, '_', '-') || '-', '-') - 1))
      IN (SELECT l.value FROM ${db.texts('l', primary)}))`;
}

/**
 * Passages of visible documents that have no vector of this embedder, by ascending id. Without `contentId`, items that a
 * worker holds or may take at a stage up to `embed` are left out: their passages get their vectors there.
 */
export function* listPassagesToEmbed(
  db: Db,
  embedder: string,
  limit: number,
  { contentId, languages, after = 0 }: PassagesToEmbed = {},
): Steps<PassageToEmbed[]> {
  const ofItems =
    contentId === undefined
      ? sql`NOT EXISTS (
          SELECT 1 FROM jobs j WHERE ${db.of('j')} AND j.item = p.item AND j.due_at IS NOT NULL
            AND j.stage <> 'analyse' AND (j.state = 'claimed' OR j.due_at <= ${db.now}))
          AND p.item NOT IN (SELECT gone.seq FROM items gone WHERE ${db.of('gone')} AND gone.deleted_at IS NOT NULL)`
      : sql`p.item = (
          SELECT i.seq FROM items i WHERE ${db.of('i')} AND i.id = ${contentId} AND i.deleted_at IS NULL)`;
  const rows = yield* all<Omit<PassageToEmbed, 'headingPath'> & { headingPath: unknown }>`
    SELECT p.id AS passage_id, p.text, p.heading_path
    FROM passages p JOIN documents d ON ${db.of('d')} AND d.id = p.document
    WHERE ${db.of('p')} AND p.id > ${after} AND ${ofItems} AND NOT EXISTS (
        SELECT 1 FROM vectors v WHERE ${db.of('v')} AND v.embedder = ${db.embedder(embedder)} AND v.passage = p.id)
      AND ${languageCondition(db, languages)}
    ORDER BY p.id LIMIT ${limit}`;
  return rows.map((row) => ({ ...row, headingPath: fromJson<string[]>(row.headingPath) }));
}

/**
 * How many passages there are in these languages (null: in any), and how many have a vector of this embedder. Counts by
 * item: an item's passages are those of its visible document. Few items are in the trash.
 */
export function* countVectors(
  db: Db,
  embedder: string,
  languages: readonly string[] | null = null,
): Steps<{ passages: number; embedded: number }> {
  const [counted, vectors, deleted] = yield* together(
    first<{ passages: number }>`
      SELECT CAST(coalesce(sum(i.passage_count), 0) AS bigint) AS passages
      FROM items i JOIN documents d ON ${db.of('d')} AND d.id = i.visible_document
      WHERE ${db.of('i')} AND i.passage_count > 0 AND i.deleted_at IS NULL AND ${languageCondition(db, languages)}`,
    first<{ count: number }>`
      SELECT count(*) AS count FROM vectors v WHERE ${db.of('v')} AND v.embedder = ${db.embedder(embedder)}`,
    first<{ count: number }>`
      SELECT count(*) AS count FROM items i JOIN passages p ON ${db.of('p')} AND p.item = i.seq
        JOIN vectors v ON ${db.of('v')} AND v.passage = p.id
      WHERE ${db.of('i')} AND i.deleted_at IS NOT NULL AND v.embedder = ${db.embedder(embedder)}`,
  );
  return { passages: counted?.passages ?? 0, embedded: (vectors?.count ?? 0) - (deleted?.count ?? 0) };
}

/** Keeps a query that was asked; of more than `maxPastQueries`, the oldest are deleted. */
export function* rememberQuery(db: Db, asked: string): Steps<void> {
  const folded = keyed(db, 'folded', foldedQuery(asked));
  const key = db.keyColumn('folded');
  yield* later`
    ${db.row('past_queries', { ...folded, text: asked, times: 1, asked_at: db.now })} ON CONFLICT ${db.key(key)}
    DO UPDATE SET text = excluded.text, times = past_queries.times + 1, asked_at = excluded.asked_at`;
  yield* later`
    DELETE FROM past_queries WHERE ${db.of('past_queries')} AND ${text(key)} IN (
      SELECT q.${text(key)} FROM past_queries q WHERE ${db.of('q')}
      ORDER BY q.asked_at DESC, q.folded ${db.bytewise} LIMIT ${unlimited} OFFSET ${maxPastQueries})`;
}

/** The newest first. */
export const listPastQueries = (db: Db): Steps<PastQuery[]> =>
  all<PastQuery>`
    SELECT q.text, q.times, q.asked_at FROM past_queries q WHERE ${db.of('q')}
    ORDER BY q.asked_at DESC, q.folded ${db.bytewise} LIMIT ${maxPastQueries}`;

export const forgetQueries = (db: Db): Steps<number> => run`DELETE FROM past_queries WHERE ${db.of('past_queries')}`;
