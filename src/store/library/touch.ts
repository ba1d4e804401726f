import { type Db, grown, later, type Steps, type Value } from './db.ts';

/**
 * Updates the item's `updated_at` after a visible change.
 * @param item its key, or a statement that finds it
 */
export function* touchItem(db: Db, item: Value): Steps<void> {
  yield* later`UPDATE items SET updated_at = ${grown(db.now)} WHERE ${db.of('items')} AND seq = ${item}`;
}
