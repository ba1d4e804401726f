import type { BegunRequest, KeptAnswer, RequestsAnswered } from '../../requests-answered.ts';
import type { AccountAccess } from '../files/account-access.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

const keptMs = 24 * 60 * 60 * 1_000;
const maxUnderWayMs = 5 * 60 * 1_000;
const maxKept = 10_000;
/** Rows that one request removes: more than it adds, so that the table shrinks to its limit. */
const maxRemoved = 20;

interface Row {
  fingerprint: string;
  beganAt: number;
  answer: string | null;
}

/** The methods for requests that may come twice. A part of `createSqliteStore`. */
export function requestsAnsweredOf(access: AccountAccess): RequestsAnswered {
  return {
    beginRequest: (key, fingerprint) => access.write((file, now) => begin(file, key, fingerprint, now)),
    endRequest: (key, answer) => access.write((file) => end(file, key, answer)),
  };
}

function begin(file: SqliteFile, key: string, fingerprint: string, now: number): BegunRequest {
  forget(file, now);
  const known = file.get<Row>(
    'SELECT fingerprint, began_at AS beganAt, answer FROM requests_answered WHERE key = ?',
    key,
  );
  // A clock that was set back leaves entries in the future: they count as under way no longer than others.
  const isGivenUp = known?.answer === null && Math.abs(now - known.beganAt) > maxUnderWayMs;
  if (known !== undefined && !isGivenUp) {
    if (known.fingerprint !== fingerprint) return { state: 'other' };
    if (known.answer === null) return { state: 'under way' };
    return { state: 'answered', answer: JSON.parse(known.answer) as KeptAnswer };
  }
  file.run(
    `INSERT INTO requests_answered (key, fingerprint, began_at) VALUES (?, ?, ?)
     ON CONFLICT (key) DO UPDATE SET fingerprint = excluded.fingerprint, began_at = excluded.began_at`,
    key,
    fingerprint,
    now,
  );
  return { state: 'new' };
}

function forget(file: SqliteFile, now: number): void {
  file.run(
    `DELETE FROM requests_answered WHERE key IN
       (SELECT key FROM requests_answered WHERE began_at < ? ORDER BY began_at LIMIT ?)`,
    now - keptMs,
    maxRemoved,
  );
  const { count } = file.get<{ count: number }>('SELECT count(*) AS count FROM requests_answered') ?? { count: 0 };
  if (count < maxKept) return;
  file.run(
    'DELETE FROM requests_answered WHERE key IN (SELECT key FROM requests_answered ORDER BY began_at LIMIT ?)',
    Math.min(maxRemoved, count - maxKept + 1),
  );
}

function end(file: SqliteFile, key: string, answer: KeptAnswer | null): void {
  if (answer === null) file.run('DELETE FROM requests_answered WHERE key = ? AND answer IS NULL', key);
  else file.run('UPDATE requests_answered SET answer = ? WHERE key = ?', JSON.stringify(answer), key);
}
