import * as fc from 'fast-check';
import type { Faults } from '../../support/faults/faults.ts';
import type { DiskFault } from './disk.ts';

type Kill = NonNullable<Faults['kill']>;

export type CommandName = 'import' | 'undo' | 'export' | 'backup' | 'restore' | 'list';

/** What befalls a server or an assistant's process from its start. */
export interface ProcessPlan {
  /** Where it is killed. Null: at a random moment. */
  kill: Kill | null;
  /** Items that it processes at once. None: it is called and stores, and others do the processing. */
  workers: number;
  /** When it is killed at the latest: after so many calls of clients, or milliseconds of load. */
  calls: number;
  ms: number;
  /** Whether the process beside it is killed in the same moment. */
  both: boolean;
  clock: Faults['clock'] | null;
  disk: DiskFault | null;
}

/** A command that is killed, beside a second process that does the same or something else. */
export interface CommandPlan {
  command: CommandName;
  kill: Kill;
  /** Where the second one is killed, which then does the same. Null: it is left alone, and may do something else. */
  other: Kill | null;
}

export type Plan = ProcessPlan | CommandPlan;

const [hour, week] = [60 * 60_000, 7 * 24 * 60 * 60_000];
const often = <T>(weight: number, arbitrary: fc.Arbitrary<T>): fc.WeightedArbitrary<T> => ({ weight, arbitrary });
const times = (max: number): fc.Arbitrary<number> => fc.integer({ min: 1, max });
const at = (place: Omit<Kill, 'at'>, max: number): fc.Arbitrary<Kill> => times(max).map((n) => ({ ...place, at: n }));

const library = 'local.db';
const clock: fc.Arbitrary<Faults['clock'] | null> = fc.oneof(
  often(6, fc.constant(null)),
  often(
    2,
    fc.constantFrom(-hour, week).map((aheadMs) => ({ aheadMs })),
  ),
  often(
    2,
    fc.record({ ms: fc.constantFrom(-hour, week), atCommit: times(20) }).map((jump) => ({ jump })),
  ),
);
const disk: fc.Arbitrary<DiskFault | null> = fc.oneof(
  often(3, fc.constant(null)),
  often(
    2,
    fc.record({
      kind: fc.constantFrom('no space', 'write error', 'short write', 'sync error', 'read error'),
      after: fc.nat(120),
      lasts: times(40),
    }),
  ),
);

type Death = Pick<ProcessPlan, 'kill' | 'workers' | 'calls' | 'ms'>;

/** Kept apart from the processing of items: it costs a tenth, and there are far more places to be killed at than with it. */
const called: fc.Arbitrary<Death> = fc
  .oneof(
    often(
      3,
      fc.nat(24).map((calls) => ({ kill: null, calls })),
    ),
    ...[
      // Between a write and its commit; between the commit and its answer.
      often(3, at({ point: 'before-commit', file: library }, 16)),
      often(3, at({ point: 'after-commit', file: library }, 16)),
      // In the middle of a transaction, of an undo.
      often(3, at({ point: 'statement', file: library }, 300)),
      often(1, at({ point: 'statement', file: library, sql: 'undone_from' }, 2)),
    ].map(({ weight, arbitrary }) =>
      often(
        weight,
        arbitrary.map((kill) => ({ kill, calls: 40 })),
      ),
    ),
  )
  .map((death) => ({ ...death, workers: 0, ms: 10_000 }));

const processing: fc.Arbitrary<Death> = fc
  .oneof(
    often(
      3,
      fc.nat(600).map((ms) => ({ kill: null, ms })),
    ),
    ...[
      // After a page was fetched, and before anything of it is stored.
      often(2, at({ point: 'fetched' }, 4)),
      often(2, at({ point: 'before-commit', file: library }, 25)),
      often(2, at({ point: 'after-commit', file: library }, 25)),
      often(2, at({ point: 'statement', file: library }, 600)),
      // In the middle of an analysis.
      often(2, at({ point: 'statement', file: library, sql: 'INSERT INTO insights' }, 6)),
    ].map(({ weight, arbitrary }) =>
      often(
        weight,
        arbitrary.map((kill) => ({ kill, ms: 1_200 })),
      ),
    ),
  )
  .map((death) => ({ ...death, workers: 2, calls: 1_000 }));

const processPlan: fc.Arbitrary<ProcessPlan> = fc
  .oneof(often(4, called), often(1, processing))
  .chain((death) => fc.record({ clock, disk, both: fc.boolean() }).map((faults) => ({ ...death, ...faults })));

const commandKills: Record<CommandName, fc.Arbitrary<Kill>> = {
  import: fc.oneof(
    at({ point: 'before-commit', file: library }, 3),
    at({ point: 'after-commit', file: library }, 3),
    at({ point: 'file-written', file: '.csv' }, 3),
    at({ point: 'statement', file: library }, 8_000),
  ),
  undo: fc.oneof(
    at({ point: 'statement', file: library }, 3_000),
    at({ point: 'before-commit', file: library }, 2),
    at({ point: 'after-commit', file: library }, 2),
  ),
  export: fc.oneof(at({ point: 'file-written' }, 60), at({ point: 'file-renamed' }, 1), at({ point: 'statement' }, 60)),
  backup: fc.oneof(
    at({ point: 'file-written' }, 8),
    at({ point: 'file-renamed', file: '.zip' }, 1),
    at({ point: 'statement', sql: 'VACUUM INTO' }, 2),
  ),
  restore: fc.oneof(at({ point: 'file-renamed' }, 2), at({ point: 'statement' }, 10)),
  list: fc.oneof(at({ point: 'statement' }, 20), at({ point: 'before-commit' }, 3), at({ point: 'after-commit' }, 3)),
};

const commandPlan: fc.Arbitrary<CommandPlan> = fc
  .constantFrom(...(Object.keys(commandKills) as CommandName[]))
  .chain((command) =>
    fc.record({
      command: fc.constant(command),
      kill: commandKills[command],
      other: fc.option(commandKills[command], { freq: 3 }),
    }),
  );

/** Without end, the same for the same seed: seven of eight befall a server or an assistant. */
export function* plans(seed: number): Generator<Plan> {
  const either = fc.oneof(often<Plan>(7, processPlan), often<Plan>(1, commandPlan));
  for (let part = 0; ; part += 1) yield* fc.sample(either, { seed: seed + part, numRuns: 100 });
}
