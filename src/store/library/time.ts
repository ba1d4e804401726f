import { restorableForMs } from '../../domain/records/limits.ts';
import { neverNoted, type NotedTime, passedSince } from '../passed-time.ts';
import { type Db, first, type Steps, grown, later, type Value } from './db.ts';

/** Milliseconds that have certainly passed since the account's first write: never more than really passed. */
export function* passedTime(db: Db): Steps<number> {
  if (db.passed !== undefined) return db.passed;
  const note = yield* first<NotedTime>`
    SELECT l.noted_at, l.noted_uptime, l.passed_ms FROM libraries l WHERE ${db.of('l')}`;
  return passedSince(note ?? neverNoted, db.clock);
}

/** Items whose `deleted_passed` is at most this value can no longer be restored. In milliseconds, like `passedTime`. */
export function* expiredBy(db: Db): Steps<number> {
  return (yield* passedTime(db)) - restorableForMs;
}

/**
 * Updates the item's `updated_at` after a visible change.
 * @param item its key, or a statement that finds it
 */
export function* touchItem(db: Db, item: Value): Steps<void> {
  yield* later`UPDATE items SET updated_at = ${grown(db.now)} WHERE ${db.of('items')} AND seq = ${item}`;
}
