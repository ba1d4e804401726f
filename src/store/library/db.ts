import { join, raw, Sql } from 'sql-template-tag';
import type { ClockReading } from '../../domain/clock.ts';
import type { Passage } from '../../domain/records/texts/passage.ts';
import type { HistoryLimits } from '../history.ts';
import type { Claim, JobsToClaim } from '../records.ts';
import { restorableForMs } from '../../domain/records/limits.ts';
import {
  isSetBack,
  maxAnalysisLeaseMs,
  maxJobLeaseMs,
  needsNote,
  neverNoted,
  nextNote,
  type NotedTime,
  passedSince,
} from '../passed-time.ts';

/*
 * The library of an account is written once for both engines: in generators that yield SQL statements and get their
 * rows. SQLite answers each at once, within a synchronous transaction (`sqlite/library/sqlite-db.ts`); PostgreSQL answers
 * later (`postgres/postgres-db.ts`). Tables and columns have the same names in both.
 *
 * Both understand `IS NOT DISTINCT FROM`, `CASE`, `NULLS LAST`, `RETURNING`, `ON CONFLICT`, `true` and `CAST`. What they
 * write differently is a part made by `Db`. A parameter whose type nothing tells, as in `? IS NULL` or behind `SELECT`,
 * needs a `CAST` to `text` or `bigint`. Columns are `snake_case` in SQL and `camelCase` in rows. A column whose name
 * begins with `is_`, `has_` or `was_` is a boolean in rows.
 */

/** A statement to be answered, or several pieces of work of which none needs another's result. */
export type Step =
  | {
      readonly statement: Sql;
      /** Nobody needs its answer: PostgreSQL sends it and goes on. If it fails, the transaction fails. */
      readonly isLater: boolean;
    }
  | { readonly together: readonly Steps<unknown>[] };

export interface Answer {
  /** Rows of a statement, or the results of work that was done together. */
  rows: readonly unknown[];
  count: number;
}

export type Steps<T> = Generator<Step, T, Answer>;

export type SharedMethod = (db: Db, ...args: never[]) => Steps<unknown>;

/** Methods of the shared code, as a `Store` has them. */
export type Promised<Methods> = {
  [N in keyof Methods]: Methods[N] extends (db: Db, ...args: infer A) => Steps<infer R>
    ? (...args: A) => Promise<R>
    : never;
};

export class JsonText {
  readonly text: string;

  constructor(value: unknown) {
    this.text = JSON.stringify(value);
  }
}

export { join } from 'sql-template-tag';
export type { Sql } from 'sql-template-tag';

/** The key of an item, or SQL that finds it. */
export type ItemKey = number | Sql;

export type Value = string | number | boolean | null | Uint8Array | JsonText | Sql;
type Template = [strings: TemplateStringsArray, ...values: Value[]];

/** Work that each engine does in its own way. PostgreSQL's copies of the index learn of changes by triggers. */
export interface Indexing {
  /** The item's passages are found by other words now: by its titles, tags and notes, or by marks of highlights. */
  wordsChanged(item: number): void;
  /**
   * Gives the item these passages in place of all others. A vector depends only on the text, so a new passage with
   * unchanged text takes over the old vector.
   * @param text of the document
   */
  replacePassages(item: number, documentId: number, text: string, passages: readonly Passage[]): Steps<void>;
  forgetVectors(items: readonly number[]): Steps<void>;
}

/** Columns of texts that may exceed the size limit of a PostgreSQL index: it indexes hashes of them. */
type LongKey = 'canonical_url' | 'address' | 'name' | 'folded';

export interface Db {
  readonly now: number;
  readonly clock: ClockReading;
  /** Null: no history is kept. */
  readonly history: HistoryLimits | null;
  /** How much time has certainly passed, where that was read before; see `passedTime`. */
  readonly passed?: number | undefined;
  readonly indexing: Indexing;
  /** The condition that rows of the table `alias` are this account's. A statement has it for each of its tables. */
  of(alias: string): Sql;
  /** `INSERT INTO table (…) VALUES (…)` of a row of this account. `ON CONFLICT` or `RETURNING` may follow. */
  row(table: string, columns: Readonly<Record<string, Value>>): Sql;
  /** The columns of a key, for `ON CONFLICT`. */
  key(...columns: string[]): Sql;
  /** For `INSERT INTO table (column …) SELECT value …`: the account's column and value, each with a comma behind it. */
  readonly account: { readonly column: Sql; readonly value: Sql };
  /** A table `alias` that has a row for each value, in its column `value`. */
  texts(alias: string, values: readonly string[]): Sql;
  /** Like `texts`, of whole numbers. */
  numbers(alias: string, values: readonly number[]): Sql;
  /** Further columns of the original `alias`, each with a comma before it: where its bytes are. */
  objectOf(alias: string): Sql;
  /** SQL for a list of the texts of several rows, in an order; `fromJson` reads it. */
  listOf(column: string, order: string): Sql;
  /** A suffix for a text in SQL: it is compared byte by byte, and only letters of ASCII are folded. */
  readonly bytewise: Sql;
  /** The column by which rows are found by a long text, such as an address, and the value to find it by. */
  keyColumn(column: LongKey): string;
  keyValue(text: string): Value;
  /** Like `texts`, of the values to find rows by. */
  keyValues(alias: string, texts: readonly string[]): Sql;
  /** A table `alias` that has a row for each text of the JSON list in the column, in its column `value`. */
  listed(alias: string, column: string): Sql;
  /** The values of a boolean column as partial indexes have them: `link_due = ${db.yes}`. */
  readonly yes: Sql;
  readonly no: Sql;
  /** A suffix for SELECT: locks its rows until the transaction ends. */
  readonly forUpdate: Sql;
  /** The kind of work of a job, as indexes have it. */
  readonly work: Sql;
  /** Claims the longest-due job, or that of the newest item; a background job when no other is due. */
  claimDue(leaseMs: number, which: JobsToClaim): Steps<Claim | undefined>;
  /** The position of the text in the column, from 1; 0: none. ASCII letters are folded. */
  positionIn(column: string, text: string): Sql;
  /** The key of an embedder, as vectors have it. */
  embedder(name: string): Sql;
  /** The function that tells where one text begins in another, from 1; 0: nowhere. */
  readonly instr: Sql;
  /**
   * A query of the ids of passages with these words in a row, in any of their forms. In PostgreSQL, the index is elsewhere:
   * it replaces such conditions before (`resolveFilter`).
   */
  passagesWith(words: string): Sql;
  readonly recording: {
    /** The key of the history entry being recorded; null when there is none. */
    readonly entry: Sql;
    /** The text of a column in a trigger's record. */
    text(recorded: string): string;
    /** The value of a JSON column that may also hold a text. */
    value(column: unknown): unknown;
    /** Further columns that both `originals` and `history_originals` have, each with a comma before it. */
    readonly originalColumns: Sql;
    /** The name of an original as triggers record it. */
    part(name: string): string;
  };
}

export function sql(...[strings, ...values]: Template): Sql {
  return new Sql(strings, values);
}

/** Names and other text of a statement that is no parameter. */
export const text = raw;

export function* all<Row extends object>(...template: Template): Steps<Row[]> {
  const { rows } = yield { statement: sql(...template), isLater: false };
  return rows as Row[];
}

export function* first<Row extends object>(...template: Template): Steps<Row | undefined> {
  const { rows } = yield { statement: sql(...template), isLater: false };
  return (rows as Row[])[0];
}

/** @returns how many rows the statement changed */
export function* run(...template: Template): Steps<number> {
  const { count } = yield { statement: sql(...template), isLater: false };
  return count;
}

/** Runs a statement without reading its answer. */
export function* later(...template: Template): Steps<void> {
  yield { statement: sql(...template), isLater: true };
}

/** Reads of which none needs another's result. PostgreSQL sends them together. @returns their results */
export function* together<T extends readonly unknown[]>(...work: { [K in keyof T]: Steps<T[K]> }): Steps<T> {
  const { rows } = yield { together: work };
  return rows as T;
}

/** `INSERT INTO table (…) VALUES (…)`, as `Db.row` of both engines makes it. */
export function insertion(table: string, columns: Readonly<Record<string, Value>>, overriding = ''): Sql {
  return sql`INSERT INTO ${raw(table)} (${raw(Object.keys(columns).join(', '))}) ${raw(overriding)} VALUES (${join(Object.values(columns), ', ')})`;
}

/** For `UPDATE table SET`. */
export function assignments(columns: Readonly<Record<string, Value>>): Sql {
  return join(
    Object.entries(columns).map(([column, value]) => sql`${raw(column)} = ${value}`),
    ', ',
  );
}

/** The condition that a column of the table `alias` has this text. */
export function isKey(db: Db, alias: string, column: LongKey, found: string): Sql {
  return sql`${raw(`${alias}.${db.keyColumn(column)}`)} = ${db.keyValue(found)}`;
}

/** The columns of a row that is found by this text. */
export function keyed(db: Db, column: LongKey, value: string): Record<string, Value> {
  return { [column]: value, [db.keyColumn(column)]: db.keyValue(value) };
}

/** For a `LIMIT` that limits nothing. */
export const unlimited = 2 ** 31 - 1;

/** The value of a JSON column, an object or a list. SQLite has its text; PostgreSQL's driver has parsed it. */
export function fromJson<T>(column: unknown): T {
  return (typeof column === 'string' ? JSON.parse(column) : column) as T;
}

export function toJson(value: unknown): JsonText | null {
  return value === null || value === undefined ? null : new JsonText(value);
}

/** The next value of `updated_at`. It always grows: two changes may happen in one millisecond, and clocks are set back. */
export const grown = (now: number): Sql =>
  sql`CASE WHEN updated_at >= ${now} THEN updated_at + 1 ELSE CAST(${now} AS bigint) END`;

function* readNote(db: Db): Steps<NotedTime> {
  const note = yield* first<NotedTime>`
    SELECT l.noted_at, l.noted_uptime, l.passed_ms FROM libraries l WHERE ${db.of('l')}`;
  return note ?? neverNoted;
}

/** Milliseconds that have certainly passed since the account's first write: never more than really passed. */
export function* passedTime(db: Db): Steps<number> {
  return db.passed ?? passedSince(yield* readNote(db), db.clock);
}

/** Updates that the clock requires: the time has to be recorded, or due times moved after it was set back. */
export function* readTimeDue(db: Db): Steps<{ isNoteDue: boolean; wasSetBack: boolean }> {
  const note = yield* readNote(db);
  return { isNoteDue: needsNote(note, db.clock), wasSetBack: isSetBack(note, db.now) };
}

/**
 * Notes the time, at most once a minute, at the beginning of every write.
 * @param known the last note, where it was read already
 * @returns how much has passed
 */
export function* noteTime(db: Db, known?: NotedTime): Steps<number> {
  const before = known ?? (yield* readNote(db));
  const note = nextNote(before, db.clock);
  if (note === null) return passedSince(before, db.clock);
  if (note.wasSetBack) yield* pullInDueTimes(db);
  yield* later`
    UPDATE libraries SET noted_at = ${note.notedAt}, noted_uptime = ${note.notedUptime}, passed_ms = ${note.passedMs}
    WHERE ${db.of('libraries')}`;
  return note.passedMs;
}

/**
 * Moves due times to an earlier time after the clock was set back. Waiting jobs become due now, some earlier than
 * planned. A claimed job stays with its holder as long as the holder renews the lease.
 */
function* pullInDueTimes(db: Db): Steps<void> {
  for (const [table, maxLeaseMs] of [
    ['jobs', maxJobLeaseMs],
    ['llm_analyses', maxAnalysisLeaseMs],
  ] as const) {
    const leaseEnd = db.now + maxLeaseMs;
    yield* later`
      UPDATE ${text(table)} SET due_at = ${db.now} WHERE ${db.of(table)} AND state = 'waiting' AND due_at > ${db.now}`;
    yield* later`
      UPDATE ${text(table)} SET due_at = ${leaseEnd} WHERE ${db.of(table)} AND state = 'claimed' AND due_at > ${leaseEnd}`;
  }
}

/** Items whose `deleted_passed` is at most this value can no longer be restored. In milliseconds, like `passedTime`. */
export function* expiredBy(db: Db): Steps<number> {
  return (yield* passedTime(db)) - restorableForMs;
}

/**
 * Updates the item's `updated_at` after a visible change.
 * @param item its key, or a statement that finds it
 */
export function* touchItem(db: Db, item: Value): Steps<void> {
  yield* later`UPDATE items SET updated_at = ${grown(db.now)} WHERE ${db.of('items')} AND seq = ${item}`;
}
