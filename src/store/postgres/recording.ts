import { type ChangeRecord, rowBytes, undoneMeanwhile } from '../history/change-record.ts';
import { json, later, type AccountWrite } from './database.ts';

/*
 * Triggers note what a transaction changes while `app.change` is set in it (`schema.sql`). It is a setting of the
 * transaction, as `app.account` is: behind a pooler, one of the session would be seen by the next client.
 */

export interface RecordedWrite<T> {
  result: T;
  /** Whether anything was changed. */
  isRecorded: boolean;
}

/**
 * Runs a part of a write transaction and records, as a part of `change`, what it changes of the records that people
 * write. So the write and its history are committed together or not at all.
 */
export async function recorded<T>(
  db: AccountWrite,
  change: ChangeRecord,
  work: () => Promise<T>,
): Promise<RecordedWrite<T>> {
  const entry = await openEntry(db, change);
  const result = await work();
  if (entry === null) return { result, isRecorded: false };
  return { result, isRecorded: await closeEntry(db, entry) };
}

interface OpenEntry {
  seq: number;
  undoneFrom: number | null;
  /** The last row that an earlier write of the same change has noted. */
  last: number;
}

/** Null when the entry is gone, and the rest of the change is not recorded. */
async function openEntry(db: AccountWrite, change: ChangeRecord): Promise<OpenEntry | null> {
  const { sql, account, now, passed } = db;
  const { id, face, by, operation, scopes, undoes, isContinued } = change;
  const [entry] = await sql<OpenEntry[]>`
    INSERT INTO history (account_id, id, at, passed, face, token, operation, scopes, undoes)
    SELECT ${account}, ${id}, ${now}, ${passed}, ${face}, ${by}, ${operation}, ${json(scopes)}, ${undoes ?? null}
    WHERE NOT ${isContinued} OR EXISTS (SELECT 1 FROM history WHERE account_id = ${account} AND id = ${id})
    ON CONFLICT (account_id, id) DO UPDATE SET passed = greatest(history.passed, excluded.passed)
    RETURNING seq, undone_from, set_config('app.change', history.seq::text, true), coalesce((
      SELECT max(c.id) FROM history_changes c WHERE c.account_id = ${account} AND c.entry = history.seq), 0) AS last`;
  if (entry === undefined && isContinued) return null;
  if (entry === undefined) throw new Error('an entry of the history that was just written has no key');
  if (entry.undoneFrom !== null) throw undoneMeanwhile();
  return entry;
}

/** Counts what was recorded. An entry without any change is removed. */
async function closeEntry({ sql, account }: AccountWrite, { seq, last }: OpenEntry): Promise<boolean> {
  const noted = sql`account_id = ${account} AND entry = ${seq} AND id > ${last}`;
  later(sql`
    WITH unchanged AS (
      DELETE FROM history_changes WHERE ${noted} AND before::text IS NOT DISTINCT FROM after::text
      RETURNING kind, key, part)
    DELETE FROM history_originals o USING unchanged u
    WHERE o.account_id = ${account} AND o.entry = ${seq} AND u.kind = 'original' AND o.item = u.key
      AND u.part = CASE WHEN o.name = '' THEN '' ELSE encode(o.name_hash, 'hex') END`);
  const [counted] = await sql<{ rows: number; bytes: number }[]>`
    SELECT count(*) AS rows, count(*) * ${rowBytes}::bigint + coalesce(sum(
        coalesce(octet_length(before::text), 0) + coalesce(octet_length(after::text), 0)
        + coalesce((SELECT coalesce(octet_length(o.bytes), o.blob_size) FROM history_originals o WHERE o.account_id = ${account}
            AND c.kind = 'original' AND o.entry = ${seq} AND o.item = c.key
            AND c.part = CASE WHEN o.name = '' THEN '' ELSE encode(o.name_hash, 'hex') END), 0)), 0)::bigint AS bytes,
      set_config('app.change', '', true)
    FROM history_changes c WHERE ${noted}`;
  const { rows = 0, bytes = 0 } = counted ?? {};
  if (rows === 0) {
    const removed =
      await sql`DELETE FROM history WHERE account_id = ${account} AND seq = ${seq} AND rows = 0 RETURNING seq`;
    return removed.length === 0;
  }
  later(sql`
    WITH entry AS (
      UPDATE history SET rows = rows + ${rows}, bytes = bytes + ${bytes} WHERE account_id = ${account} AND seq = ${seq})
    UPDATE libraries SET history_bytes = history_bytes + ${bytes} WHERE account_id = ${account}`);
  return true;
}
