import type { AccountTx } from '../account-access.ts';

/**
 * Updates the item's `updated_at` after a visible change. The value always grows, because two changes may happen in one
 * millisecond and the clock may be set back.
 */
export async function touchItem({ sql, account, now }: AccountTx, item: number): Promise<void> {
  await sql`
    UPDATE items SET updated_at = greatest(updated_at + 1, ${now}) WHERE account_id = ${account} AND seq = ${item}`;
}
