import { type Db, grown, later, type Steps } from './db.ts';

/** Updates the item's `updated_at` after a visible change. */
export function* touchItem(db: Db, item: number): Steps<void> {
  yield* later`UPDATE items SET updated_at = ${grown(db.now)} WHERE ${db.of('items')} AND seq = ${item}`;
}
