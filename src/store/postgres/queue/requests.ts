import type { BegunRequest, KeptAnswer } from '../../records/requests-answered.ts';
import type { AccountTx } from '../account-access.ts';
import { json } from '../database.ts';

const keptMs = 24 * 60 * 60 * 1_000;
const maxUnderWayMs = 5 * 60 * 1_000;
const maxKept = 10_000;
/** Rows that one write removes: more than a request adds, so that the table shrinks to its limit. */
const maxRemoved = 20;

interface Row {
  fingerprint: string;
  beganAt: number;
  answer: KeptAnswer | null;
}

/** See `RequestsAnswered`. Call inside a write, like the others here. */
export async function beginRequest(db: AccountTx, key: string, fingerprint: string): Promise<BegunRequest> {
  const { sql, account, now } = db;
  await forget(db);
  const [known] = await sql<Row[]>`
    SELECT fingerprint, began_at, answer FROM requests_answered WHERE account_id = ${account} AND key = ${key}`;
  if (known === undefined) {
    await sql`
      INSERT INTO requests_answered (account_id, key, fingerprint, began_at)
      VALUES (${account}, ${key}, ${fingerprint}, ${now})`;
    return { state: 'new' };
  }
  if (known.fingerprint !== fingerprint) return { state: 'other' };
  if (known.answer !== null) return { state: 'answered', answer: known.answer };
  // A clock that was set back leaves entries in the future: they count as under way no longer than others.
  return { state: Math.abs(now - known.beganAt) > maxUnderWayMs ? 'cut off' : 'under way' };
}

export async function hasRequestsToForget({ sql, account, now }: AccountTx): Promise<boolean> {
  const found = await sql`
    SELECT 1 FROM requests_answered WHERE account_id = ${account} AND began_at < ${now - keptMs} LIMIT 1`;
  return found.length > 0;
}

/** Removes the oldest entries that were kept long enough. */
export async function forgetRequests({ sql, account, now }: AccountTx): Promise<void> {
  await sql`
    DELETE FROM requests_answered WHERE account_id = ${account} AND key IN (
      SELECT key FROM requests_answered WHERE account_id = ${account} AND began_at < ${now - keptMs}
      ORDER BY began_at LIMIT ${maxRemoved})`;
}

async function forget(db: AccountTx): Promise<void> {
  const { sql, account } = db;
  await forgetRequests(db);
  const [counted] = await sql<{ count: number }[]>`
    SELECT count(*) FROM requests_answered WHERE account_id = ${account}`;
  const surplus = (counted?.count ?? 0) - maxKept + 1;
  if (surplus < 1) return;
  await sql`
    DELETE FROM requests_answered WHERE account_id = ${account} AND key IN (
      SELECT key FROM requests_answered WHERE account_id = ${account}
      ORDER BY began_at LIMIT ${Math.min(maxRemoved, surplus)})`;
}

export async function endRequest({ sql, account }: AccountTx, key: string, answer: KeptAnswer | null): Promise<void> {
  const own = sql`account_id = ${account} AND key = ${key}`;
  if (answer === null) await sql`DELETE FROM requests_answered WHERE ${own} AND answer IS NULL`;
  else await sql`UPDATE requests_answered SET answer = ${json(answer)} WHERE ${own}`;
}
