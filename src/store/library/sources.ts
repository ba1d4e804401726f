import { createHash } from 'node:crypto';
import { isoTime } from '../../domain/clock.ts';
import { hostOf } from '../../domain/links/url.ts';
import { newId } from '../../domain/records/ids.ts';
import { maxSources, restorableForMs } from '../../domain/records/limits.ts';
import type {
  CheckOutcome,
  NewSource,
  Source,
  SourceChanges,
  SourceClaim,
  SourceKind,
  SourceMemory,
  SourceOptions,
  SourceState,
} from '../../domain/records/sources/source.ts';
import { invalidInput } from '../../errors.ts';
import { LeaseLostError } from '../records.ts';
import { all, assignments, type Db, first, fromJson, grown, later, type Sql, sql, type Steps, toJson } from './db.ts';

/*
 * Feeds, pages, folders and mailboxes that bring items by themselves. The items of a source are items like others: they
 * stay when the source goes. `due_at` is when a source may be claimed, or when the lease of its check ends. A
 * source that was removed stays with its entries while undo may bring it back: nothing is taken twice then.
 */

interface StoredSource extends Omit<SourceClaim, 'leaseToken' | 'options' | 'memory' | 'everyMinutes'> {
  seq: number;
  state: SourceState;
  options: unknown;
  memory: unknown;
  everyMs: number | null;
  dueAt: number | null;
  changedAt: number | null;
  failureCode: string | null;
  failureMessage: string | null;
  createdAt: number;
}

const columns = sql`s.seq, s.id, s.kind, s.address, s.host, s.name, s.state, s.options, s.memory, s.every_ms, s.due_at,
  s.checked_at, s.changed_at, s.failures, s.failure_code, s.failure_message, s.created_at`;

const minuteMs = 60_000;
const minutesOf = ({ everyMs: ms }: Pick<StoredSource, 'everyMs'>): number | null =>
  ms === null ? null : ms / minuteMs;
const time = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));

interface Counts {
  source: number;
  items: number;
  unread: number;
  headlines: number;
}

export const isThere = sql`s.state <> 'removed'`;

function* forgetRemoved(db: Db): Steps<void> {
  yield* later`
    DELETE FROM sources AS s WHERE ${db.of('s')} AND s.state = 'removed' AND s.updated_at < ${db.now - restorableForMs}`;
}

function shown(source: StoredSource, counts: Counts | undefined): Source {
  const { id, kind, address, name, state, failureCode, failureMessage } = source;
  return {
    id,
    kind,
    address,
    name,
    state,
    options: fromJson<SourceOptions>(source.options),
    everyMinutes: minutesOf(source),
    items: counts?.items ?? 0,
    unread: counts?.unread ?? 0,
    headlines: counts?.headlines ?? 0,
    checkedAt: time(source.checkedAt),
    changedAt: time(source.changedAt),
    nextCheckAt: time(source.dueAt),
    problem: failureCode === null ? null : { code: failureCode, message: failureMessage ?? '' },
    createdAt: isoTime(source.createdAt),
  };
}

function* shownSources(db: Db, condition: Sql): Steps<Source[]> {
  const sources = yield* all<StoredSource>`
    SELECT ${columns} FROM sources s WHERE ${db.of('s')} AND ${isThere} AND ${condition}
    ORDER BY lower(s.name), s.seq`;
  const counted = yield* all<Counts>`
    SELECT e.source, count(CASE WHEN i.deleted_at IS NULL THEN i.seq END) AS items,
      count(CASE WHEN i.deleted_at IS NULL AND i.read_at IS NULL THEN i.seq END) AS unread,
      count(CASE WHEN e.state = 'headline' THEN 1 END) AS headlines
    FROM sources s JOIN source_entries e ON ${db.of('e')} AND e.source = s.seq
      LEFT JOIN items i ON ${db.of('i')} AND i.seq = e.item
    WHERE ${db.of('s')} AND ${isThere} AND ${condition} GROUP BY e.source`;
  const counts = new Map(counted.map((one) => [one.source, one]));
  return sources.map((source) => shown(source, counts.get(source.seq)));
}

/** By name. */
export const listSources = (db: Db, kind?: SourceKind): Steps<Source[]> =>
  shownSources(db, kind === undefined ? sql`true` : sql`s.kind = ${kind}`);

export function* getSource(db: Db, id: string): Steps<Source | null> {
  const [found] = yield* shownSources(db, sql`s.id = ${id}`);
  return found ?? null;
}

export const hostOfSource = ({ kind, address }: Pick<NewSource, 'kind' | 'address'>): string | null =>
  kind === 'feed' || kind === 'mailbox' ? hostOf(address) : null;

/** One row for each kind and address, however long the address is. */
export const keyOfSource = ({ kind, address }: Pick<NewSource, 'kind' | 'address'>): string =>
  createHash('sha256').update(`${kind} ${address}`).digest('hex');

const everyMs = (minutes: number | null | undefined): number | null =>
  minutes === null || minutes === undefined ? null : minutes * minuteMs;

/**
 * Adds a source, which is checked at once. An existing one of the same kind and address is updated and resumed.
 * @throws {AppError} `invalid_input` when the account has `maxSources`
 */
export function* addSource(db: Db, source: NewSource): Steps<Source> {
  const { kind, address, name, options, everyMinutes } = source;
  const key = keyOfSource(source);
  const known = yield* first<{ seq: number; id: string; state: string }>`
    SELECT s.seq, s.id, s.state FROM sources s WHERE ${db.of('s')} AND s.key = ${key}`;
  if (known !== undefined && known.state !== 'removed') {
    const changed = yield* updateSource(db, known.id, { options, everyMinutes, state: 'active' });
    return changed ?? unread();
  }
  const counted = yield* first<{ count: number }>`
    SELECT count(*) AS count FROM sources s WHERE ${db.of('s')} AND ${isThere}`;
  if ((counted?.count ?? 0) >= maxSources)
    throw invalidInput(`There are ${maxSources} sources already, and no more are possible. Remove one first.`);
  yield* forgetRemoved(db);
  const id = known?.id ?? newId('f');
  const values = {
    state: 'active',
    name,
    options: toJson(options ?? {}),
    memory: toJson({}),
    every_ms: everyMs(everyMinutes),
    due_at: db.now,
    created_at: db.now,
    updated_at: db.now,
  };
  if (known === undefined)
    yield* later`${db.row('sources', { id, kind, key, address, host: hostOfSource(source), ...values })}`;
  else {
    const unchecked = { checked_at: null, changed_at: null, failures: 0, failure_code: null, failure_message: null };
    yield* later`DELETE FROM source_entries WHERE ${db.of('source_entries')} AND source = ${known.seq}`;
    yield* later`
      UPDATE sources SET ${assignments({ ...values, ...unchecked })} WHERE ${db.of('sources')} AND seq = ${known.seq}`;
  }
  return (yield* getSource(db, id)) ?? unread();
}

function unread(): never {
  throw new Error('a source that was just written cannot be read');
}

/** Null when there is no such source. */
export function* updateSource(db: Db, id: string, changes: SourceChanges): Steps<Source | null> {
  const { name, state, options, everyMinutes } = changes;
  const before = yield* first<StoredSource>`
    SELECT ${columns} FROM sources s WHERE ${db.of('s')} AND ${isThere} AND s.id = ${id} ${db.forUpdate}`;
  if (before === undefined) return null;
  const values = {
    ...(name !== undefined && { name }),
    ...(options !== undefined && { options: toJson({ ...fromJson<SourceOptions>(before.options), ...options }) }),
    ...(everyMinutes !== undefined && { every_ms: everyMs(everyMinutes) }),
    ...(state === 'paused' && { state, due_at: null, lease_token: null }),
    ...(state === 'active' && { failures: 0, failure_code: null, failure_message: null }),
    // Also when it is to be checked more often than before.
    ...((state === 'active' || (everyMinutes !== undefined && before.state === 'active' && state === undefined)) && {
      state: 'active',
      due_at: db.now,
      lease_token: null,
    }),
  };
  yield* later`
    UPDATE sources SET ${assignments({ ...values, updated_at: grown(db.now) })}
    WHERE ${db.of('sources')} AND seq = ${before.seq}`;
  return yield* getSource(db, id);
}

/** Its items stay. Undo brings it back with its entries. Null when there is no such source. */
export function* deleteSource(db: Db, id: string): Steps<Source | null> {
  const source = yield* getSource(db, id);
  if (source === null) return null;
  yield* forgetRemoved(db);
  const removed = { state: 'removed', due_at: null, lease_token: null, updated_at: grown(db.now) };
  yield* later`UPDATE sources SET ${assignments(removed)} WHERE ${db.of('sources')} AND id = ${id}`;
  return source;
}

/** Makes an active source due now. Returns false when there is none with this id. */
export function* askSource(db: Db, id: string): Steps<boolean> {
  const asked = yield* first<{ seq: number }>`
    UPDATE sources SET due_at = CASE WHEN lease_token IS NULL THEN ${db.now} ELSE due_at END
    WHERE ${db.of('sources')} AND id = ${id} AND state = 'active' RETURNING seq`;
  return asked !== undefined;
}

/** When the next source is due, or the lease of a check ends; null when none waits. */
export function* nextSourceDueAt(db: Db): Steps<number | null> {
  const row = yield* first<{ dueAt: number | null }>`
    SELECT min(s.due_at) AS due_at FROM sources s WHERE ${db.of('s')} AND s.due_at IS NOT NULL`;
  return row?.dueAt ?? null;
}

export function* hasDueSource(db: Db): Steps<boolean> {
  const dueAt = yield* nextSourceDueAt(db);
  return dueAt !== null && dueAt <= db.now;
}

/** Until a source that this process does not check is due again: another one may check it. */
const leftAloneMs = 5 * minuteMs;

/**
 * Claims the longest-due source of these kinds whose host is not busy; null when there is none. Then due ones of other kinds are
 * postponed for five minutes: no process may be able to check them.
 */
export function* claimSource(
  db: Db,
  leaseMs: number,
  { kinds, busyHosts = [] }: { kinds: readonly SourceKind[]; busyHosts?: readonly string[] },
): Steps<SourceClaim | null> {
  const due = yield* first<StoredSource>`
    SELECT ${columns} FROM sources s
    WHERE ${db.of('s')} AND s.due_at <= ${db.now} AND s.kind IN (SELECT k.value FROM ${db.texts('k', kinds)})
      AND (s.host IS NULL OR s.host NOT IN (SELECT h.value FROM ${db.texts('h', busyHosts)}))
    ORDER BY s.due_at, s.seq LIMIT 1 ${db.forUpdate}`;
  if (due === undefined) {
    // Nobody here checks these, such as letters whose setting was taken away: they keep no worker awake.
    yield* later`
      UPDATE sources SET due_at = ${db.now + leftAloneMs}, lease_token = NULL
      WHERE ${db.of('sources')} AND due_at <= ${db.now} AND kind NOT IN (SELECT k.value FROM ${db.texts('k', kinds)})`;
    return null;
  }
  const leaseToken = newId('j');
  yield* later`
    UPDATE sources SET lease_token = ${leaseToken}, due_at = ${db.now + leaseMs}
    WHERE ${db.of('sources')} AND seq = ${due.seq}`;
  const { id, kind, address, host, name, failures, checkedAt } = due;
  const options = fromJson<SourceOptions>(due.options);
  const memory = fromJson<SourceMemory>(due.memory);
  return {
    id,
    leaseToken,
    kind,
    address,
    host,
    name,
    options,
    everyMinutes: minutesOf(due),
    memory,
    failures,
    checkedAt,
  };
}

const isHeld = (db: Db, { id, leaseToken }: SourceClaim): Sql =>
  sql`${db.of('s')} AND s.id = ${id} AND s.lease_token = ${leaseToken}`;

/** False when the claim is no longer ours. */
export function* renewSource(db: Db, claim: SourceClaim, leaseMs: number): Steps<boolean> {
  const renewed = yield* first<{ seq: number }>`
    UPDATE sources AS s SET due_at = ${db.now + leaseMs} WHERE ${isHeld(db, claim)} RETURNING seq`;
  return renewed !== undefined;
}

/** @throws {LeaseLostError} */
export function* requireClaim(db: Db, claim: SourceClaim): Steps<number> {
  const source = yield* first<{ seq: number }>`
    SELECT s.seq FROM sources s WHERE ${isHeld(db, claim)} ${db.forUpdate}`;
  if (source === undefined) throw new LeaseLostError();
  return source.seq;
}

/** After a check that was not made: its host was busy, or the program ended. */
const againMs = 15_000;

/**
 * Ends a check; without an outcome it counts as not begun, and is due again soon. Does nothing when the claim is no longer
 * ours, or the source was paused or removed meanwhile.
 */
export function* endSourceCheck(db: Db, claim: SourceClaim, outcome: CheckOutcome | null): Steps<void> {
  if (outcome === null) {
    const due = { lease_token: null, due_at: db.now + againMs };
    return yield* later`UPDATE sources AS s SET ${assignments(due)} WHERE ${isHeld(db, claim)}`;
  }
  const { memory, hasChanged, problem, name, address, state = 'active' } = outcome;
  const moved = address === undefined ? {} : yield* movedTo(db, { kind: claim.kind, address });
  const values = {
    state,
    lease_token: null,
    due_at: state === 'active' ? db.now + Math.round(outcome.nextCheckInMs) : null,
    failures: problem === null ? 0 : claim.failures + 1,
    failure_code: problem?.code ?? null,
    failure_message: problem?.message ?? null,
    ...(memory !== undefined && { memory: toJson(memory) }),
    ...(problem === null && { checked_at: db.now }),
    ...(hasChanged && { changed_at: db.now }),
    ...(name !== undefined && { name }),
    ...moved,
  };
  yield* later`UPDATE sources AS s SET ${assignments(values)} WHERE ${isHeld(db, claim)}`;
}

function* movedTo(
  db: Db,
  source: Pick<NewSource, 'kind' | 'address'>,
): Steps<Record<'key' | 'address' | 'host', string | null> | Record<string, never>> {
  const key = keyOfSource(source);
  const known = yield* first<{ seq: number }>`SELECT s.seq FROM sources s WHERE ${db.of('s')} AND s.key = ${key}`;
  return known === undefined ? { key, address: source.address, host: hostOfSource(source) } : {};
}
