import type { BegunRequest, KeptAnswer } from '../../records.ts';
import { type Db, first, fromJson, later, type Steps, toJson } from '../db.ts';

const keptMs = 24 * 60 * 60 * 1_000;
const maxUnderWayMs = 5 * 60 * 1_000;
const maxKept = 10_000;
/** Rows that one write removes: more than a request adds, so that the table shrinks to its limit. */
const maxRemoved = 20;

interface Row {
  fingerprint: string;
  beganAt: number;
  answer: unknown;
}

/**
 * Looks up a request and notes that it is under way, in one write. Entries older than a day are forgotten, and the oldest ones
 * beyond 10,000; one that has been under way for five minutes was cut off.
 * @param key who sent it, and the key that the client chose
 * @param fingerprint of the whole request
 */
export function* beginRequest(db: Db, key: string, fingerprint: string): Steps<BegunRequest> {
  yield* forget(db);
  const known = yield* first<Row>`
    SELECT fingerprint, began_at, answer FROM requests_answered r WHERE ${db.of('r')} AND key = ${key}`;
  if (known === undefined) {
    yield* later`${db.row('requests_answered', { key, fingerprint, began_at: db.now })}`;
    return { state: 'new' };
  }
  if (known.fingerprint !== fingerprint) return { state: 'other' };
  if (known.answer !== null) return { state: 'answered', answer: fromJson<KeptAnswer>(known.answer) };
  // After the clock was set back, entries lie in the future. They count as being answered for no longer than others.
  return { state: Math.abs(db.now - known.beganAt) > maxUnderWayMs ? 'cut off' : 'under way' };
}

export function* hasRequestsToForget(db: Db): Steps<boolean> {
  const found = yield* first`
    SELECT 1 AS found FROM requests_answered r WHERE ${db.of('r')} AND began_at < ${db.now - keptMs} LIMIT 1`;
  return found !== undefined;
}

export function* forgetRequests(db: Db): Steps<void> {
  yield* later`
    DELETE FROM requests_answered WHERE ${db.of('requests_answered')} AND key IN (
      SELECT r.key FROM requests_answered r WHERE ${db.of('r')} AND r.began_at < ${db.now - keptMs}
      ORDER BY r.began_at LIMIT ${maxRemoved})`;
}

function* forget(db: Db): Steps<void> {
  yield* forgetRequests(db);
  const counted = yield* first<{ count: number }>`
    SELECT count(*) AS count FROM requests_answered r WHERE ${db.of('r')}`;
  const surplus = (counted?.count ?? 0) - maxKept + 1;
  if (surplus < 1) return;
  yield* later`
    DELETE FROM requests_answered WHERE ${db.of('requests_answered')} AND key IN (
      SELECT r.key FROM requests_answered r WHERE ${db.of('r')}
      ORDER BY r.began_at LIMIT ${Math.min(maxRemoved, surplus)})`;
}

/** Keeps the answer; null: the request failed, and may be sent again with this key. */
export function* endRequest(db: Db, key: string, answer: KeptAnswer | null): Steps<void> {
  if (answer === null)
    yield* later`
      DELETE FROM requests_answered WHERE ${db.of('requests_answered')} AND key = ${key} AND answer IS NULL`;
  else
    yield* later`
      UPDATE requests_answered SET answer = ${toJson(answer)} WHERE ${db.of('requests_answered')} AND key = ${key}`;
}
