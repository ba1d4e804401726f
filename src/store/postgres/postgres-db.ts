import { createHash } from 'node:crypto';
import type { HistoryLimits } from '../history.ts';
import {
  type Answer,
  type Db,
  first,
  insertion,
  join,
  later,
  type Promised,
  type SharedMethod,
  sql,
  type Sql,
  type Step,
  type Steps,
  text,
  toJson,
} from '../library/db.ts';
import type { AccountTx } from './database.ts';
import { decodeText, encodeText, type Rows, type Tag, type Value } from './driver/tag.ts';
import { forgetVectors, giveVectors, readItemVectors } from './searching/vectors.ts';
import { newId } from '../../domain/records/ids.ts';
import { works } from '../../domain/records/stages.ts';
import type { Claim, JobsToClaim } from '../records.ts';
import type { Passage } from '../../domain/records/texts/passage.ts';

/* The shared code of libraries (`store/library/db.ts`) over a transaction of PostgreSQL. */

/** A hash of an address, which may itself exceed an index's limit. */
export function addressHash(address: string): Uint8Array {
  return createHash('sha256').update(address).digest();
}

const hashColumns = {
  canonical_url: 'url_hash',
  address: 'address_hash',
  name: 'name_hash',
  folded: 'folded_hash',
} as const;
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
    embedder: (name) => sql`${name}`,
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
  /** Outside a transaction, nothing would report the failure of an unawaited statement. */
  readonly isAlone?: boolean;
}

/** Sends the steps one after the other, without waiting for unneeded answers. */
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

/**
 * Wraps methods of the shared code as methods of a `Store`.
 * @param within runs work in a transaction of the right kind
 */
export function promised<M extends Readonly<Record<string, SharedMethod>>>(
  methods: M,
  within: (work: (tx: AccountTx) => Promise<unknown>) => Promise<unknown>,
  history: HistoryLimits | null,
): Promised<M> {
  const made = Object.entries(methods).map(([name, method]) => [
    name,
    (...args: unknown[]) => within((tx) => runSteps(tx, method(postgresDb(tx, history), ...(args as never[])))),
  ]);
  return Object.fromEntries(made) as Promised<M>;
}

/**
 * How many of an account's due jobs are searched for one whose host is not busy. It bounds the cost of a claim when
 * tens of thousands of jobs wait for one host. Later jobs are reached as earlier ones are done, and the newest ones at
 * every second claim.
 */
const maxExamined = 1_000;

/**
 * Jobs that another transaction has locked are skipped, and so are jobs whose item it has locked: a claim waits for no
 * lock, so it is part of no deadlock.
 */
function* claimDueOf(db: Db, leaseMs: number, background: boolean, which: JobsToClaim): Steps<Claim | undefined> {
  const { now } = db;
  const { busyHosts = [], newestFirst = false } = which;
  const parts = (which.work === undefined ? works : [which.work]).map(
    (work) => sql`
      (SELECT j.item, j.due_at, j.host FROM jobs j
       WHERE ${db.of('j')} AND j.background = ${background} AND j.work = ${work} AND j.due_at <= ${now}
       ORDER BY ${newestFirst ? sql`j.item DESC` : sql`j.due_at, j.item`} LIMIT ${maxExamined})`,
  );
  return yield* first<Claim>`
    WITH taken AS (SELECT j.item, i.id, i.url
    FROM (${join(parts, ' UNION ALL ')}) due
      JOIN jobs j ON ${db.of('j')} AND j.item = due.item
      JOIN items i ON ${db.of('i')} AND i.seq = due.item
    WHERE (due.host IS NULL OR due.host NOT IN (SELECT b.value FROM ${db.texts('b', busyHosts)})) AND j.due_at <= ${now}
    ORDER BY ${newestFirst ? sql`due.item DESC` : sql`due.due_at, due.item`} LIMIT 1
    FOR UPDATE OF j, i SKIP LOCKED),
    touched AS (
      UPDATE items i SET updated_at = greatest(i.updated_at + 1, ${now}) FROM taken
      WHERE ${db.of('i')} AND i.seq = taken.item)
    UPDATE jobs j SET state = 'claimed', attempts = attempts + 1, lease_token = ${newId('j')}, due_at = ${now + leaseMs}
    FROM taken WHERE ${db.of('j')} AND j.item = taken.item
    RETURNING j.id AS job_id, taken.id AS content_id, taken.url, j.stage, j.attempts, j.lease_token,
      j.due_at AS lease_expires_at, j.host, j.refresh AS is_refresh`;
}

function* claimDue(db: Db, leaseMs: number, which: JobsToClaim): Steps<Claim | undefined> {
  return (yield* claimDueOf(db, leaseMs, false, which)) ?? (yield* claimDueOf(db, leaseMs, true, which));
}

function* replacePassages(
  db: Db,
  account: string,
  item: number,
  documentId: number,
  text: string,
  passages: readonly Passage[],
): Steps<void> {
  const vectors = yield* readItemVectors(db, item, documentId);
  yield* later`DELETE FROM passages WHERE ${db.of('passages')} AND item = ${item}`;
  yield* insertPassages(db, account, item, { id: documentId, text }, passages);
  yield* giveVectors(db, account, item, vectors);
}

/** For an item that has none. One statement for all of them: a book has thousands. */
function* insertPassages(
  db: Db,
  account: string,
  item: number,
  { id, text }: { id: number; text: string },
  passages: readonly Passage[],
): Steps<void> {
  const rows = passages.map(({ ordinal, start, end, headingPath, locator, fragment }) => {
    if (!(start >= 0 && start <= end && end <= text.length))
      throw new Error(`passage ${ordinal} reaches outside its document`);
    const words = { ordinal, start, end, text: encodeText(text.slice(start, end)), headingPath, locator };
    return { ...words, fragment: fragment === null ? '' : (fragment ?? null) };
  });
  yield* later`
    WITH numbered AS (
      UPDATE libraries SET last_passage = last_passage + ${rows.length} WHERE ${db.of('libraries')}
      RETURNING last_passage - ${rows.length} AS before)
    INSERT INTO passages (account_id, id, item, document, ordinal, start_at, end_at, heading_path, locator, text, fragment)
    SELECT ${account}, numbered.before + row_number() OVER (ORDER BY p.ordinal), ${item}, ${id}, p.ordinal, p.start,
      p."end", p."headingPath", p.locator, p.text, p.fragment
    FROM numbered, json_to_recordset(CAST(${toJson(rows)} AS json)) AS p (ordinal integer, start integer, "end" integer,
      "headingPath" json, locator json, text text, fragment text) ORDER BY p.ordinal`;
  yield* later`UPDATE items SET passage_count = ${passages.length} WHERE ${db.of('items')} AND seq = ${item}`;
}
