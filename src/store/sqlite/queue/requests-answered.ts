import type { BegunRequest, KeptAnswer } from '../../records/requests-answered.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

const keptMs = 24 * 60 * 60 * 1_000;
const maxUnderWayMs = 5 * 60 * 1_000;
const maxKept = 10_000;
/** Rows that one write removes: more than a request adds, so that the table shrinks to its limit. */
const maxRemoved = 20;

interface Row {
  fingerprint: string;
  beganAt: number;
  answer: string | null;
}

/** See `RequestsAnswered`. Call inside a write transaction, like the others here. */
export function beginRequest(file: SqliteFile, key: string, fingerprint: string, now: number): BegunRequest {
  forget(file, now);
  const known = file.get<Row>(
    'SELECT fingerprint, began_at AS beganAt, answer FROM requests_answered WHERE key = ?',
    key,
  );
  if (known === undefined) {
    file.run('INSERT INTO requests_answered (key, fingerprint, began_at) VALUES (?, ?, ?)', key, fingerprint, now);
    return { state: 'new' };
  }
  if (known.fingerprint !== fingerprint) return { state: 'other' };
  if (known.answer !== null) return { state: 'answered', answer: JSON.parse(known.answer) as KeptAnswer };
  // After the clock was set back, entries lie in the future. They count as being answered for no longer than others.
  return { state: Math.abs(now - known.beganAt) > maxUnderWayMs ? 'cut off' : 'under way' };
}

export function hasRequestsToForget(file: SqliteFile, now: number): boolean {
  return file.get('SELECT 1 FROM requests_answered WHERE began_at < ? LIMIT 1', now - keptMs) !== undefined;
}

/** Removes the oldest entries that were kept long enough. */
export function forgetRequests(file: SqliteFile, now: number): void {
  file.run(
    `DELETE FROM requests_answered WHERE key IN
       (SELECT key FROM requests_answered WHERE began_at < ? ORDER BY began_at LIMIT ?)`,
    now - keptMs,
    maxRemoved,
  );
}

function forget(file: SqliteFile, now: number): void {
  forgetRequests(file, now);
  const { count } = file.get<{ count: number }>('SELECT count(*) AS count FROM requests_answered') ?? { count: 0 };
  if (count < maxKept) return;
  file.run(
    'DELETE FROM requests_answered WHERE key IN (SELECT key FROM requests_answered ORDER BY began_at LIMIT ?)',
    Math.min(maxRemoved, count - maxKept + 1),
  );
}

export function endRequest(file: SqliteFile, key: string, answer: KeptAnswer | null): void {
  if (answer === null) file.run('DELETE FROM requests_answered WHERE key = ? AND answer IS NULL', key);
  else file.run('UPDATE requests_answered SET answer = ? WHERE key = ?', JSON.stringify(answer), key);
}
