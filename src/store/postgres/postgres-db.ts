import { createHash } from 'node:crypto';
import type { HistoryLimits } from '../history.ts';
import {
  type Answer,
  type Db,
  insertion,
  type SharedMethod,
  sql,
  type Sql,
  type Step,
  type Steps,
  text,
} from '../library/db.ts';
import type { AccountTx } from './account-transaction.ts';
import type { Rows, Tag, Value } from './driver/tag.ts';
import { claimDue } from './queue/claims.ts';
import { replacePassages } from './queue/passages.ts';
import { forgetVectors } from './searching/vectors.ts';
import { decodeText } from './text-codec.ts';

/* The shared code of libraries (`store/library/db.ts`) over a transaction of PostgreSQL. */

/** The key of an address, which may itself be longer than what an index holds. */
export function addressHash(address: string): Uint8Array {
  return createHash('sha256').update(address).digest();
}

const hashColumns = { canonical_url: 'url_hash', address: 'address_hash', name: 'name_hash' } as const;
const hexHash = (found: string): string => Buffer.from(addressHash(found)).toString('hex');

export function postgresDb(tx: AccountTx & { passed?: number }, history: HistoryLimits | null = null): Db {
  const { account, now, clock, passed } = tx;
  const db: Db = {
    passed,
    now,
    clock,
    history,
    indexing: {
      wordsChanged: () => undefined,
      replacePassages: (...given) => replacePassages(db, account, ...given),
      forgetVectors: (items) => forgetVectors(db, account, items),
    },
    of: (alias) => sql`${text(alias)}.account_id = ${account}`,
    row: (table, columns) => insertion(table, { account_id: account, ...columns }, 'OVERRIDING SYSTEM VALUE'),
    key: (...columns) => text(`(account_id, ${columns.join(', ')})`),
    account: { column: text('account_id, '), value: sql`${account}, ` },
    texts: (alias, values) => sql`unnest(${values as never}::text[]) AS ${text(alias)} (value)`,
    numbers: (alias, values) => sql`unnest(${values as never}::bigint[]) AS ${text(alias)} (value)`,
    objectOf: (alias) => sql`, ${text(alias)}.blob, ${text(alias)}.blob_size, (
      SELECT b.hash FROM blobs b WHERE b.account_id = ${account} AND b.name = ${text(alias)}.blob) AS blob_hash`,
    listOf: (column, order) => sql`coalesce(array_agg(${text(column)} ORDER BY ${text(order)}), '{}')`,
    bytewise: text('COLLATE "C"'),
    keyColumn: (column) => hashColumns[column],
    keyValue: addressHash,
    keyValues: (alias, values) => sql`(
      SELECT decode(h.value, 'hex') AS value FROM unnest(${values.map(hexHash) as never}::text[]) AS h (value)) ${text(alias)}`,
    listed: (alias, column) => text(`json_array_elements_text(${column}) AS ${alias} (value)`),
    yes: text('true'),
    no: text('false'),
    forUpdate: text('FOR UPDATE'),
    work: text('work'),
    claimDue: (leaseMs, which) => claimDue(db, leaseMs, which),
    // Only the letters of ASCII are folded, as in SQLite.
    positionIn: (column, found) =>
      sql`strpos(lower(${text(column)} COLLATE "C"), lower(CAST(${found} AS text) COLLATE "C"))`,
    instr: text('strpos'),
    passagesWith: () => {
      throw new Error('words are looked up in a copy of the index before');
    },
    recording: {
      entry: sql`CAST(nullif(current_setting('app.change', true), '') AS bigint)`,
      text: decodeText,
      value: (column) => column,
      originalColumns: text(', name_hash, blob, blob_size'),
      part: (name) => (name === '' ? '' : hexHash(name)),
    },
  };
  return db;
}

interface Statements {
  readonly sql: Tag;
  /** No transaction, whose end would tell of the failure of a statement that nobody waited for. */
  readonly isAlone?: boolean;
}

/** Sends the steps one after the other. Those whose answers nobody needs are not waited for. */
export async function runSteps<T>(tx: Statements, steps: Steps<T>): Promise<T> {
  let step = steps.next();
  while (step.done !== true) {
    if ('statement' in step.value && step.value.isLater && tx.isAlone !== true) {
      send(tx, step.value.statement);
      step = steps.next(unanswered);
      continue;
    }
    let answer: Answer;
    try {
      // oxlint-disable-next-line no-await-in-loop -- each step may depend on the answer to the one before
      answer = await answerTo(tx, step.value);
    } catch (error) {
      step = steps.throw(error);
      continue;
    }
    step = steps.next(answer);
  }
  return step.value;
}

async function answerTo(tx: Statements, step: Step): Promise<Answer> {
  if ('together' in step)
    return { rows: await Promise.all(step.together.map((steps) => runSteps(tx, steps))), count: 0 };
  const rows = await send(tx, step.statement);
  return { rows, count: rows.count };
}

function send(tx: Statements, { text: query, values }: Sql): Promise<Rows> {
  return tx.sql.unsafe(query, values as readonly Value[]);
}

const unanswered: Answer = { rows: [], count: 0 };

type Promised<M> = M extends (db: Db, ...args: infer A) => Steps<infer R> ? (...args: A) => Promise<R> : never;

/**
 * Methods of the shared code as those of a `Store`.
 * @param within runs work in a transaction of the right kind
 */
export function promised<M extends Readonly<Record<string, SharedMethod>>>(
  methods: M,
  within: (work: (tx: AccountTx) => Promise<unknown>) => Promise<unknown>,
  history: HistoryLimits | null,
): { [N in keyof M]: Promised<M[N]> } {
  const made = Object.entries(methods).map(([name, method]) => [
    name,
    (...args: unknown[]) => within((tx) => runSteps(tx, method(postgresDb(tx, history), ...(args as never[])))),
  ]);
  return Object.fromEntries(made) as { [N in keyof M]: Promised<M[N]> };
}
