import type { AccountTx } from '../account-access.ts';
import { later } from '../database.ts';

/**
 * Updates the item's `updated_at` after a visible change. The value always grows, because two changes may happen in one
 * millisecond and the clock may be set back.
 */
export function touchItem({ sql, account, now }: AccountTx, item: number): void {
  later(sql`
    UPDATE items SET updated_at = greatest(updated_at + 1, ${now}) WHERE account_id = ${account} AND seq = ${item}`);
}
