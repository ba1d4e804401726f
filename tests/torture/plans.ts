import * as fc from 'fast-check';
import type { Faults } from '../support/faults.ts';
import type { DiskFault } from './disk.ts';

type Kill = NonNullable<Faults['kill']>;

export type CommandName = 'import' | 'undo' | 'export' | 'backup' | 'restore' | 'migrate';

/** What befalls a server or an assistant's process from its start. */
export interface ProcessPlan {
  /** Where it is killed. Null: at a random moment. */
  kill: Kill | null;
  /** When it is killed at the latest: milliseconds of load. */
  ms: number;
  clock: Faults['clock'] | null;
  disk: DiskFault | null;
}

/** A command that is killed, beside a second process that does the same or something else. */
export interface CommandPlan {
  command: CommandName;
  kill: Kill;
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

const processPlan: fc.Arbitrary<ProcessPlan> = fc
  .oneof(
    often(
      3,
      fc.nat(600).map((ms) => ({ kill: null, ms })),
    ),
    ...[
      // After a page was fetched, and before anything of it is stored.
      often(2, at({ point: 'fetched' }, 4)),
      // Between a write and its commit; between the commit and its answer.
      often(2, at({ point: 'before-commit', file: library }, 25)),
      often(2, at({ point: 'after-commit', file: library }, 25)),
      // In the middle of a transaction, of an analysis, of an undo.
      often(2, at({ point: 'statement', file: library }, 600)),
      often(1, at({ point: 'statement', file: library, sql: 'INSERT INTO insights' }, 6)),
      often(1, at({ point: 'statement', file: library, sql: 'undone_from' }, 3)),
    ].map(({ weight, arbitrary }) =>
      often(
        weight,
        arbitrary.map((kill) => ({ kill, ms: 1_200 })),
      ),
    ),
  )
  .chain((begun) => fc.record({ clock, disk }).map((faults) => ({ ...begun, ...faults })));

const commandPlan: fc.Arbitrary<CommandPlan> = fc.oneof(
  fc
    .oneof(
      at({ point: 'before-commit', file: library }, 3),
      at({ point: 'after-commit', file: library }, 3),
      at({ point: 'file-written', file: '.csv' }, 3),
      at({ point: 'statement', file: library }, 8_000),
    )
    .map((kill) => ({ command: 'import' as const, kill })),
  fc
    .oneof(
      at({ point: 'statement', file: library }, 3_000),
      at({ point: 'before-commit', file: library }, 2),
      at({ point: 'after-commit', file: library }, 2),
    )
    .map((kill) => ({ command: 'undo' as const, kill })),
  fc
    .oneof(at({ point: 'file-written' }, 60), at({ point: 'file-renamed' }, 1), at({ point: 'statement' }, 60))
    .map((kill) => ({ command: 'export' as const, kill })),
  fc
    .oneof(
      at({ point: 'file-written' }, 8),
      at({ point: 'file-renamed', file: '.tar' }, 1),
      at({ point: 'statement', sql: 'VACUUM INTO' }, 2),
    )
    .map((kill) => ({ command: 'backup' as const, kill })),
  fc
    .oneof(at({ point: 'file-renamed' }, 2), at({ point: 'statement' }, 10))
    .map((kill) => ({ command: 'restore' as const, kill })),
  fc
    .oneof(
      at({ point: 'statement' }, 120),
      at({ point: 'statement', sql: 'VACUUM INTO' }, 1),
      at({ point: 'before-commit' }, 3),
      at({ point: 'after-commit' }, 3),
    )
    .map((kill) => ({ command: 'migrate' as const, kill })),
);

/** Without end, the same for the same seed: two of three befall a server or an assistant. */
export function* plans(seed: number): Generator<Plan> {
  const either = fc.oneof(often<Plan>(2, processPlan), often<Plan>(1, commandPlan));
  for (let part = 0; ; part += 1) yield* fc.sample(either, { seed: seed + part, numRuns: 100 });
}
