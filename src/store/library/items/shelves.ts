import type { HeldTo } from '../../../domain/access/held.ts';
import type { ItemCounts, Reading, Shelf } from '../../../domain/records/shelves.ts';
import { all, type Db, later, run, sql, type Steps } from '../db.ts';
import { isHeld } from './held.ts';

export function* setShelf(db: Db, item: number, shelf: Shelf): Steps<void> {
  yield* later`UPDATE items SET shelf = ${shelf} WHERE ${db.of('items')} AND seq = ${item}`;
}

export function* setRead(db: Db, item: number, read: boolean): Steps<void> {
  const readAt = read ? sql`coalesce(read_at, ${db.now})` : sql`NULL`;
  yield* later`UPDATE items SET read_at = ${readAt} WHERE ${db.of('items')} AND seq = ${item}`;
}

export function* keepReading(db: Db, id: string, { start, share }: Reading): Steps<boolean> {
  const kept = yield* run`
    UPDATE items SET reading_start = ${start}, reading_share = ${share}
    WHERE ${db.of('items')} AND id = ${id} AND deleted_at IS NULL`;
  return kept > 0;
}

export function* countItems(db: Db, held?: HeldTo): Steps<ItemCounts> {
  const rows = yield* all<{ shelf: Shelf; count: number; unread: number }>`
    SELECT shelf, count(*) AS count, count(*) - count(read_at) AS unread FROM items i
    WHERE ${db.of('i')} AND deleted_at IS NULL AND ${yield* isHeld(db, sql`i.seq`, held)}
    GROUP BY shelf`;
  const of = (shelf: Shelf) => rows.find((row) => row.shelf === shelf)?.count ?? 0;
  return {
    shelves: { inbox: of('inbox'), later: of('later'), archive: of('archive') },
    unread: rows.reduce((sum, { unread }) => sum + unread, 0),
  };
}
