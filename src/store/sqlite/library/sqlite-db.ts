import type { ClockReading } from '../../../domain/clock.ts';
import type { HistoryLimits } from '../../history.ts';
import {
  type Answer,
  type Db,
  insertion,
  later,
  type SharedMethod,
  sql,
  type Step,
  type Steps,
  text,
} from '../../library/db.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { filterDb, reindexWords, replacePassages, tableOf, toParameter } from '../index/index.ts';
import { claimDue, workOfJob } from '../queue/claims.ts';

/* The shared code of libraries (`store/library/db.ts`) over one SQLite file. All rows of a file are one account's. */

/** When and how a method was called. */
export interface Asked {
  now: number;
  clock: ClockReading;
  /** Null: no history is kept. */
  history: HistoryLimits | null;
}

const nothing = sql``;

export function sqliteDb(file: SqliteFile, { now, clock, history }: Asked): Db {
  const db: Db = {
    now,
    clock,
    history,
    indexing: {
      wordsChanged: (item) => reindexWords(file, item),
      // oxlint-disable-next-line require-yield -- all is done at once
      *replacePassages(item, documentId, whole, passages) {
        replacePassages(file, item, documentId, whole, passages);
      },
      forgetVectors: (items) => later`
        DELETE FROM vectors WHERE passage IN (
          SELECT p.id FROM ${db.numbers('n', items)} JOIN passages p ON p.item = n.value)`,
    },
    ...filterDb(file),
    row: (table, columns) => insertion(table, columns),
    key: (...columns) => text(`(${columns.join(', ')})`),
    account: { column: nothing, value: nothing },
    objectOf: () => nothing,
    listOf: (column, order) => sql`json_group_array(${text(column)} ORDER BY ${text(order)})`,
    keyColumn: (column) => column,
    keyValue: (found) => found,
    keyValues: tableOf,
    listed: (alias, column) => text(`json_each(${column}) AS ${alias}`),
    embedder: (name) => sql`(SELECT e.id FROM embedders e WHERE e.name = ${name})`,
    yes: text('1'),
    no: text('0'),
    forUpdate: nothing,
    work: workOfJob,
    claimDue: (leaseMs, which) => claimDue(file, db, leaseMs, which),
    recording: {
      entry: sql`(SELECT recording FROM libraries)`,
      text: (recorded) => recorded,
      value: (column) => JSON.parse(column as string),
      originalColumns: nothing,
      part: (name) => name,
    },
  };
  return db;
}

/** Runs all steps now. Call it in a transaction. */
export function runSteps<T>(file: SqliteFile, steps: Steps<T>): T {
  let step = steps.next();
  while (step.done !== true) {
    let answer: Answer;
    try {
      answer = answerTo(file, step.value);
    } catch (error) {
      step = steps.throw(error);
      continue;
    }
    step = steps.next(answer);
  }
  return step.value;
}

function answerTo(file: SqliteFile, step: Step): Answer {
  if ('together' in step) return { rows: step.together.map((steps) => runSteps(file, steps)), count: 0 };
  return file.answer(step.statement.sql, step.statement.values.map(toParameter));
}

type Here<M> = M extends (db: Db, ...args: infer A) => Steps<infer R>
  ? (file: SqliteFile, asked: Asked, ...args: A) => R
  : never;

/** Wraps methods of the shared code as those of a library in this thread. */
export function here<M extends Readonly<Record<string, SharedMethod>>>(methods: M): { [N in keyof M]: Here<M[N]> } {
  const made = Object.entries(methods).map(([name, method]) => [
    name,
    (file: SqliteFile, asked: Asked, ...args: unknown[]) =>
      file.read(() => runSteps(file, method(sqliteDb(file, asked), ...(args as never[])))),
  ]);
  return Object.fromEntries(made) as { [N in keyof M]: Here<M[N]> };
}
