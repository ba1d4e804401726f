import type {
  SourceClaim,
  SourceEntry,
  SourceEntryQuery,
  SourceEntryState,
  UntouchedItems,
} from '../../domain/records/sources/source.ts';
import { foldTag } from '../../domain/records/item.ts';
import { parseFingerprint } from '../../domain/records/sources/folder.ts';
import { all, type Db, first, later, type Sql, sql, type Steps } from './db.ts';
import { isThere, requireClaim } from './sources.ts';

/* The entries that sources offered, and the items made from them. */

const entryColumns = sql`e.key, e.state, i.id AS content_id, e.address, e.title, e.published_at, e.fingerprint, e.seen_at`;

const entries = (db: Db, sourceId: string, state?: SourceEntryState): Sql => sql`
  SELECT ${entryColumns} FROM sources s JOIN source_entries e ON ${db.of('e')} AND e.source = s.seq
    LEFT JOIN items i ON ${db.of('i')} AND i.seq = e.item
  WHERE ${db.of('s')} AND ${isThere} AND s.id = ${sourceId} ${state === undefined ? sql`` : sql`AND e.state = ${state}`}`;

/** The entries of a source, newest first, or by their keys. */
export function* listSourceEntries(
  db: Db,
  sourceId: string,
  { state, afterKey, withoutItem, limit, offset = 0 }: SourceEntryQuery,
): Steps<SourceEntry[]> {
  const order =
    withoutItem === true
      ? sql`AND i.id IS NULL ORDER BY e.seen_at DESC, e.key`
      : afterKey === undefined
        ? sql`ORDER BY coalesce(e.published_at, e.seen_at) DESC, e.key`
        : sql`AND e.key > ${afterKey} ORDER BY e.key`;
  return yield* all<SourceEntry>`${entries(db, sourceId, state)} ${order} LIMIT ${limit} OFFSET ${offset}`;
}

/** How many `listSourceEntries` lists without a limit. */
export function* countSourceEntries(db: Db, sourceId: string, state?: SourceEntryState): Steps<number> {
  const counted = yield* first<{ count: number }>`
    SELECT count(*) AS count FROM (${entries(db, sourceId, state)}) AS listed`;
  return counted?.count ?? 0;
}

export function* findSourceEntries(db: Db, sourceId: string, keys: readonly string[]): Steps<SourceEntry[]> {
  return yield* all<SourceEntry>`
    ${entries(db, sourceId)} AND e.key IN (SELECT k.value FROM ${db.texts('k', keys)})`;
}

/** Items whose files a note links to, and notes that link to it; for a letter, its files; at most `limit`. */
export function* listLinked(db: Db, contentId: string, limit: number): Steps<string[]> {
  const own = yield* first<{ source: number; key: string; fingerprint: string }>`
    SELECT e.source, e.key, e.fingerprint FROM items i JOIN source_entries e ON ${db.of('e')} AND e.item = i.seq
      JOIN sources s ON ${db.of('s')} AND s.seq = e.source AND s.kind IN ('folder', 'mailbox')
    WHERE ${db.of('i')} AND i.id = ${contentId} AND e.state = 'item' AND e.fingerprint IS NOT NULL LIMIT 1`;
  if (own === undefined) return [];
  const { links } = parseFingerprint(own.fingerprint);
  const linked = yield* all<{ id: string }>`
    SELECT i.id FROM source_entries e JOIN items i ON ${db.of('i')} AND i.seq = e.item
    WHERE ${db.of('e')} AND e.source = ${own.source} AND e.state = 'item' AND i.deleted_at IS NULL AND i.id <> ${contentId}
      AND (e.key IN (SELECT k.value FROM ${db.texts('k', links)}) OR ${db.instr}(e.fingerprint, ${`\n${own.key}\n`}) > 0)
    ORDER BY e.key LIMIT ${limit}`;
  return linked.map(({ id }) => id);
}

/**
 * Adds entries, or replaces those with the same key. An item that is not there is noted as none.
 * @throws {LeaseLostError} when the claim is no longer ours; then nothing is kept
 */
export function* keepSourceEntries(db: Db, claim: SourceClaim, kept: readonly SourceEntry[]): Steps<void> {
  const source = yield* requireClaim(db, claim);
  yield* insertEntries(
    db,
    source,
    kept,
    sql`DO UPDATE SET state = excluded.state, item = excluded.item, address = excluded.address, title = excluded.title,
      published_at = excluded.published_at, fingerprint = excluded.fingerprint, seen_at = excluded.seen_at`,
  );
}

/** Adds entries to a source, or handles existing ones by `onConflict`. */
export function* insertEntries(db: Db, source: number, kept: readonly SourceEntry[], onConflict: Sql): Steps<void> {
  for (const { key, state, contentId, address, title, publishedAt, fingerprint, seenAt } of kept) {
    const item =
      contentId === null ? null : sql`(SELECT i.seq FROM items i WHERE ${db.of('i')} AND i.id = ${contentId})`;
    const values = { state, item, address, title, published_at: publishedAt, fingerprint, seen_at: seenAt };
    yield* later`
      ${db.row('source_entries', { source, key, ...values })}
      ON CONFLICT ${db.key('source', 'key')} ${onConflict}`;
  }
}

/** Notes that an entry was opened, and became this item. */
export function* noteOpenedEntry(db: Db, sourceId: string, key: string, contentId: string): Steps<void> {
  yield* later`
    UPDATE source_entries SET state = 'item',
      item = (SELECT i.seq FROM items i WHERE ${db.of('i')} AND i.id = ${contentId})
    WHERE ${db.of('source_entries')} AND key = ${key}
      AND source = (SELECT s.seq FROM sources s WHERE ${db.of('s')} AND s.id = ${sourceId})`;
}

/** @throws {LeaseLostError} when the claim is no longer ours; then nothing is removed */
export function* removeSourceEntries(db: Db, claim: SourceClaim, keys: readonly string[]): Steps<void> {
  const source = yield* requireClaim(db, claim);
  yield* later`
    DELETE FROM source_entries WHERE ${db.of('source_entries')} AND source = ${source}
      AND key IN (SELECT k.value FROM ${db.texts('k', keys)})`;
}

/** Untouched items of this source: unread in the inbox, in no list, without notes, highlights and tags other than those of the source. */
export function* findUntouchedItems(
  db: Db,
  sourceId: string,
  { keep, before, tags, limit }: UntouchedItems,
): Steps<string[]> {
  const own = db.texts('own', tags.map(foldTag));
  const untouched = sql`
    SELECT i.id, i.created_at, row_number() OVER (ORDER BY i.created_at DESC, i.seq DESC) AS place
    FROM sources s JOIN source_entries e ON ${db.of('e')} AND e.source = s.seq AND e.state = 'item'
      JOIN items i ON ${db.of('i')} AND i.seq = e.item
    WHERE ${db.of('s')} AND s.id = ${sourceId} AND i.deleted_at IS NULL AND i.shelf = 'inbox' AND i.read_at IS NULL
      AND i.reading_share IS NULL AND i.notes IS NULL
      AND NOT EXISTS (SELECT 1 FROM highlights h WHERE ${db.of('h')} AND h.item = i.seq)
      AND NOT EXISTS (SELECT 1 FROM list_items l WHERE ${db.of('l')} AND l.item = i.seq)
      AND NOT EXISTS (
        SELECT 1 FROM item_tags t
        WHERE ${db.of('t')} AND t.item = i.seq AND t.folded NOT IN (SELECT own.value FROM ${own})
          AND NOT EXISTS (
            SELECT 1 FROM tag_proposals p
            WHERE ${db.of('p')} AND p.item = i.seq AND p.folded = t.folded AND p.decided_at IS NULL))`;
  const rows = yield* all<{ id: string }>`
    SELECT u.id FROM (${untouched}) AS u
    WHERE u.place > ${keep ?? Number.MAX_SAFE_INTEGER} OR u.created_at < ${before ?? 0}
    ORDER BY u.place DESC LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}
