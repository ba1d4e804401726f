import type { ClockReading } from '../../../domain/clock.ts';
import { type ChangeRecord, rowBytes, undoneMeanwhile } from '../../history/change-record.ts';
import { passedTime } from '../files/account-time.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

/**
 * Runs a part of a write transaction and records, as a part of `change`, what it changes of the records that people
 * write (`schema.sql`). So the write and its history are committed together or not at all.
 */
export function recorded<T>(file: SqliteFile, change: ChangeRecord | undefined, clock: ClockReading, work: () => T): T {
  if (change === undefined) return work();
  const entry = openEntry(file, change, clock);
  if (entry === null) return work();
  const last = lastRows(file);
  file.run('UPDATE libraries SET recording = ?', entry);
  const result = work();
  file.run('UPDATE libraries SET recording = NULL');
  closeEntry(file, entry, last, passedTime(file, clock));
  return result;
}

/** The key of the entry; null when it is gone, and the rest of the change is not recorded. */
function openEntry(file: SqliteFile, change: ChangeRecord, clock: ClockReading): number | null {
  const { id, face, by, operation, scopes, undoes, isContinued } = change;
  const known = file.get<{ seq: number; undoneFrom: number | null }>(
    'SELECT seq, undone_from AS undoneFrom FROM history WHERE id = ?',
    id,
  );
  if (known === undefined && isContinued) return null;
  if (known === undefined)
    return file.run(
      'INSERT INTO history (id, at, passed, face, token, operation, scopes, undoes) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      id,
      clock.now(),
      passedTime(file, clock),
      face,
      by,
      operation,
      JSON.stringify(scopes),
      undoes ?? null,
    ).rowId;
  if (known.undoneFrom !== null) throw undoneMeanwhile();
  return known.seq;
}

interface LastRows {
  change: number;
  original: number;
}

function lastRows(file: SqliteFile): LastRows {
  const last = file.get<LastRows>(
    `SELECT coalesce((SELECT max(id) FROM history_changes), 0) AS change,
       coalesce((SELECT max(id) FROM history_originals), 0) AS original`,
  );
  return last ?? { change: 0, original: 0 };
}

/** Counts what was recorded. An entry without any change is removed. */
function closeEntry(file: SqliteFile, entry: number, last: LastRows, passed: number): void {
  file.run('DELETE FROM history_changes WHERE id > ? AND +entry = ? AND before IS after', last.change, entry);
  file.run(
    `DELETE FROM history_originals WHERE id > @original AND entry = @entry AND NOT EXISTS (SELECT 1 FROM history_changes c
       WHERE c.entry = @entry AND c.kind = 'original' AND c.key = history_originals.item AND c.part = history_originals.name)`,
    { entry, original: last.original },
  );
  const counted = file.get<{ rows: number; bytes: number }>(
    `SELECT count(*) AS rows, coalesce(sum(length(before)), 0) + coalesce(sum(length(after)), 0) + count(*) * ${rowBytes}
       + (SELECT coalesce(sum(length(bytes)), 0) FROM history_originals WHERE id > @original) AS bytes
     FROM history_changes WHERE id > @change`,
    last,
  );
  const { rows = 0, bytes = 0 } = counted ?? {};
  if (rows === 0) {
    file.run('DELETE FROM history WHERE seq = ? AND rows = 0', entry);
    return;
  }
  file.run(
    'UPDATE history SET rows = rows + ?, bytes = bytes + ?, passed = max(passed, ?) WHERE seq = ?',
    rows,
    bytes,
    passed,
    entry,
  );
  file.run('UPDATE libraries SET history_bytes = history_bytes + ?', bytes);
}

/** Whether anything of a change was committed. */
export function isRecorded(file: SqliteFile, id: string): boolean {
  return file.get('SELECT 1 FROM history WHERE id = ?', id) !== undefined;
}
