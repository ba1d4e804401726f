import type { ClockReading } from '../../../domain/clock.ts';
import type { HistoryLimits } from '../../history.ts';
import { type ChangeRecord, rowBytes, undoneMeanwhile } from '../../history/recording.ts';
import type { IndexMethods } from '../../index-reader.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { inTime } from '../files/write-queue.ts';
import { createSearchReads } from '../index/index.ts';
import { type AnnouncedWrite, writeAnnounced } from '../queue/announced-work.ts';
import { type Asked, runSteps, sqliteDb } from './sqlite-db.ts';
import { noteTime } from '../../library/db.ts';
import { idleAnswers, partialReads, partialWorks, partialWrites, reads, works, writes } from './methods.ts';

/* Runs methods of libraries by their names, in whichever thread the library is. */

/** The clock's readings when a call was made: a clock object cannot be sent to another thread. */
export interface AskedAt {
  now: number;
  uptime: number;
}

export interface WriteCall {
  name: string;
  args: readonly unknown[];
  change: ChangeRecord | undefined;
  /** As which the work was announced that the write may leave; absent for other writes. */
  generation?: number | undefined;
}

/** Whether part of the change is recorded now, and the result of the write. */
export interface Written {
  isRecorded: boolean;
  result: unknown;
}

type AnyMethod = (file: SqliteFile, asked: Asked, ...args: never[]) => unknown;
type Named = Readonly<Record<string, AnyMethod>>;

/** Methods by name; every thread creates its own. */
export type LibraryCalls = ReturnType<typeof createLibraryCalls>;

/**
 * @param beside runs beside the index
 * @param history null: none is recorded
 * @param further further reads, and overrides
 */
export function createLibraryCalls(beside: IndexMethods, history: HistoryLimits | null, further: Named = {}) {
  const readsByName: Named = {
    ...reads,
    ...partialReads,
    ...idleAnswers,
    ...(createSearchReads(beside) as Named),
    ...further,
  };
  const writesByName: Named = { ...writes, ...partialWrites, ...works, ...partialWorks };
  const askedAt = ({ now, uptime }: AskedAt): Asked => ({
    now,
    history,
    clock: { now: () => now, uptime: () => uptime } satisfies ClockReading,
  });
  const run = (methods: Named, file: SqliteFile, asked: Asked, name: string, args: readonly unknown[]): unknown => {
    const method = methods[name] as ((...all: unknown[]) => unknown) | undefined;
    if (method === undefined) throw new Error(`a library has no method ${name}`);
    return method(file, asked, ...args);
  };
  return {
    read: (file: SqliteFile, at: AskedAt, name: string, args: readonly unknown[]): unknown =>
      run(readsByName, file, askedAt(at), name, args),
    /** In the caller's transaction. Returns the results of the first writes: of as many as there was time for. */
    write(file: SqliteFile, at: AskedAt, calls: readonly WriteCall[]): Written[] {
      const asked = askedAt(at);
      return inTime(
        calls.map(({ name, args, change, generation }) => () => {
          const passed = runSteps(file, noteTime(sqliteDb(file, asked)));
          const work = () => run(writesByName, file, asked, name, args);
          const result = recorded(file, change, { ...asked, passed }, () =>
            generation === undefined
              ? work()
              : (writeAnnounced(file, generation, work) satisfies AnnouncedWrite<unknown>),
          );
          return { isRecorded: change !== undefined && isRecorded(file, change.id), result };
        }),
      );
    },
  };
}

/** When a write was asked for, and how much time has certainly passed by then. */
interface WrittenAt {
  now: number;
  passed: number;
}

/**
 * Runs a part of a write transaction and records, as a part of `change`, what it changes of the records that people
 * write (`schema.sql`). So the write and its history are committed together or not at all.
 */
export function recorded<T>(file: SqliteFile, change: ChangeRecord | undefined, at: WrittenAt, work: () => T): T {
  if (change === undefined) return work();
  const entry = openEntry(file, change, at);
  if (entry === null) return work();
  const last = lastRows(file);
  file.run('UPDATE libraries SET recording = ?', entry);
  const result = work();
  file.run('UPDATE libraries SET recording = NULL');
  closeEntry(file, entry, last, at.passed);
  return result;
}

/** The key of the entry; null when it is gone, and the rest of the change is not recorded. */
function openEntry(file: SqliteFile, change: ChangeRecord, { now, passed }: WrittenAt): number | null {
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
      now,
      passed,
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
