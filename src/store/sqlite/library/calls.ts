import type { ClockReading } from '../../../domain/clock.ts';
import type { HistoryLimits } from '../../history.ts';
import type { ChangeRecord } from '../../history/change-record.ts';
import type { IndexMethods } from '../../index-reader.ts';
import { noteTime } from '../files/account-time.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { inTime } from '../files/write-queue.ts';
import { isRecorded, recorded } from './recording.ts';
import { createSearchReads } from '../index/index.ts';
import { type AnnouncedWrite, writeAnnounced } from '../queue/announced-work.ts';
import type { Asked } from './sqlite-db.ts';
import { idleAnswers, partialReads, partialWorks, partialWrites, reads, works, writes } from './methods.ts';

/* Runs methods of libraries by their names, in whichever thread the library is. */

/** The clock's readings when a call was made: a clock object cannot be sent to another thread. */
export interface AskedAt {
  now: number;
  uptime: number;
}

/** A write, as a message. */
export interface WriteCall {
  name: string;
  args: readonly unknown[];
  /** The change that the write is a part of. */
  change: ChangeRecord | undefined;
  /** As which the work was announced that the write may leave; absent for other writes. */
  generation?: number | undefined;
}

/** Whether something of the change is recorded now, and what the write returned. */
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
 * @param history null: none is kept
 * @param further reads, and those that take the place of others
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
          noteTime(file, asked.clock);
          const work = () => run(writesByName, file, asked, name, args);
          const result = recorded(file, change, asked.clock, () =>
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
