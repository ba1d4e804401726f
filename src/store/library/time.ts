import { neverNoted, type NotedTime, passedSince } from '../passed-time.ts';
import { type Db, first, type Steps } from './db.ts';

/** Milliseconds that have certainly passed since the account's first write: never more than really passed. */
export function* passedTime(db: Db): Steps<number> {
  if (db.passed !== undefined) return db.passed;
  const note = yield* first<NotedTime>`
    SELECT l.noted_at, l.noted_uptime, l.passed_ms FROM libraries l WHERE ${db.of('l')}`;
  return passedSince(note ?? neverNoted, db.clock);
}
