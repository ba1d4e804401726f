import { isoTime } from '../../domain/clock.ts';
import type { Account, Plan } from '../../domain/records/account.ts';
import { newId } from '../../domain/records/ids.ts';
import { restorableForMs } from '../../domain/records/limits.ts';
import { noSuchAccount } from '../../errors.ts';
import type { Usage } from '../records/control-records.ts';
import { all, first, insertion, later, run, type Steps, text } from '../library/db.ts';
import { needsNote, neverNoted, nextNote, type NotedTime, passedSince } from '../passed-time.ts';
import { type ControlAccess, type ControlDb, holdAccount } from './control-db.ts';
import { oauthRecords } from './oauth.ts';
import { signInRecords } from './sign-in.ts';
import { tokenRecords } from './tokens.ts';
import { controlTransfer } from './transfer.ts';

interface AccountRow {
  id: string;
  name: string;
  plan: Plan;
  createdAt: number;
}

const accountColumns = text('id, name, plan, created_at');

function toAccount({ createdAt, ...row }: AccountRow): Account {
  return { ...row, createdAt: isoTime(createdAt) };
}

export function* findAccount(id: string): Steps<Account | null> {
  const row = yield* first<AccountRow>`
    SELECT ${accountColumns} FROM accounts WHERE id = ${id} AND removed_at IS NULL`;
  return row === undefined ? null : toAccount(row);
}

function* createAccount({ now }: ControlDb, { name, plan }: { name: string; plan: Plan }): Steps<Account> {
  const row = { id: newId('u'), name, plan, createdAt: now };
  yield* run`${insertion('accounts', { id: row.id, name, plan, created_at: now })}`;
  return toAccount(row);
}

function* listHidden(): Steps<(Account & { removedAt: string })[]> {
  const rows = yield* all<AccountRow & { removedAt: number }>`
    SELECT ${accountColumns}, removed_at FROM accounts WHERE removed_passed IS NOT NULL ORDER BY removed_at`;
  return rows.map(({ removedAt, ...row }) => ({ ...toAccount(row), removedAt: isoTime(removedAt) }));
}

function* readNote(): Steps<NotedTime> {
  return (yield* first<NotedTime>`SELECT noted_at, noted_uptime, passed_ms FROM control_state`) ?? neverNoted;
}

/** Notes the time (`store/passed-time.ts`), at most once a minute. @returns how much has certainly passed */
export function* noteControlTime({ clock }: ControlDb): Steps<number> {
  const before = yield* readNote();
  const note = nextNote(before, clock);
  if (note === null) return passedSince(before, clock);
  const { notedAt, notedUptime, passedMs } = note;
  yield* later`
    UPDATE control_state SET noted_at = ${notedAt}, noted_uptime = ${notedUptime},
      passed_ms = CASE WHEN passed_ms > ${passedMs} THEN passed_ms ELSE ${passedMs} END`;
  return passedMs;
}

/** Hides an account and keeps it for `restorableForMs`. Nobody comes in with its tokens meanwhile. */
export function* hideAccount(db: ControlDb, id: string): Steps<void> {
  yield* holdAccount(db, id);
  const passed = yield* noteControlTime(db);
  yield* later`UPDATE accounts SET removed_at = ${db.now}, removed_passed = ${passed} WHERE id = ${id}`;
}

/** Restores a hidden account. Null when there is none to restore. */
export function* showAccount(db: ControlDb, id: string): Steps<Account | null> {
  const passed = yield* noteControlTime(db);
  const shown = yield* run`
    UPDATE accounts SET removed_at = NULL, removed_passed = NULL
    WHERE id = ${id} AND removed_at IS NOT NULL AND removed_passed > ${passed - restorableForMs}`;
  return shown === 0 ? null : yield* findAccount(id);
}

/** Whether hidden accounts would be kept forever, because nothing notes the time. */
function* isNoteDue({ clock }: ControlDb): Steps<boolean> {
  const hidden = yield* first`SELECT 1 AS hidden FROM accounts WHERE removed_passed IS NOT NULL LIMIT 1`;
  return hidden !== undefined && needsNote(yield* readNote(), clock);
}

function* listExpired({ clock }: ControlDb): Steps<string[]> {
  const until = passedSince(yield* readNote(), clock) - restorableForMs;
  const rows = yield* all<{ id: string }>`SELECT id FROM accounts WHERE removed_passed <= ${until}`;
  return rows.map(({ id }) => id);
}

export function* forgetAccess(id: string): Steps<void> {
  yield* later`DELETE FROM oauth_records WHERE grant_id IN (SELECT id FROM oauth_grants WHERE account_id = ${id})`;
  for (const table of ['tokens', 'logins', 'sign_in_links', 'sessions', 'oauth_grants', 'waiting_work', 'failed_items'])
    yield* later`DELETE FROM ${text(table)} WHERE account_id = ${id}`;
}

function* announceWork(accountId: string, above: number): Steps<number> {
  // The row stays when the work is done: restarted numbers could be mistaken for older announcements.
  const row = yield* first<{ generation: number }>`
    INSERT INTO waiting_work AS w (account_id, generation, waiting)
    SELECT id, CAST(${above} AS bigint) + 1, true FROM accounts WHERE id = ${accountId} AND removed_at IS NULL
    ON CONFLICT (account_id) DO UPDATE SET waiting = true,
      generation = CASE WHEN w.generation < excluded.generation THEN excluded.generation ELSE w.generation + 1 END
    RETURNING generation`;
  if (row === undefined) throw noSuchAccount();
  return row.generation;
}

function* noteFailedItems(db: ControlDb, accountId: string, counts: readonly [string, number][]): Steps<void> {
  yield* holdAccount(db, accountId);
  yield* later`DELETE FROM failed_items WHERE account_id = ${accountId}`;
  for (const [code, items] of counts)
    yield* later`${insertion('failed_items', { account_id: accountId, code, items })}`;
}

const utcDay = ({ now }: ControlDb): string => isoTime(now).slice(0, 10);

export type Control = ReturnType<typeof controlRecords>;

export function controlRecords(access: ControlAccess) {
  const { read, change, write } = access;
  return {
    tokens: tokenRecords(access),
    signIn: signInRecords(access),
    oauth: oauthRecords(access),
    transfer: controlTransfer(access),
    async listAccounts() {
      const rows = await read(
        (db) => all<AccountRow>`
          SELECT ${accountColumns} FROM accounts a WHERE removed_at IS NULL ORDER BY created_at, ${db.madeOrder('a')}`,
      );
      return rows.map(toAccount);
    },
    /** Hidden accounts that can still be brought back, with the time at which they were hidden. */
    listSetAside: () => read(listHidden),
    /** Hidden accounts that were kept long enough. */
    async listExpired() {
      if (await read(isNoteDue)) await write(noteControlTime);
      return read(listExpired);
    },
    getAccount: (id: string) => read(() => findAccount(id)),
    createAccount: (account: { name: string; plan: Plan }) => change((db) => createAccount(db, account)),
    /** Does nothing when there is no such account. */
    async setPlan(id: string, plan: Plan) {
      await change(() => run`UPDATE accounts SET plan = ${plan} WHERE id = ${id}`);
    },
    /**
     * Call before a job is queued: an announcement may be left over, but must never be missing.
     * @returns the number of this announcement, greater than all earlier ones and than `above`
     */
    announceWork: (accountId: string, above = 0) => change(() => announceWork(accountId, above)),
    /** Each with the number of its last announcement. */
    async accountsWithWork() {
      const rows = await read(
        () => all<{ accountId: string; generation: number }>`
          SELECT w.account_id, w.generation FROM waiting_work w JOIN accounts a ON a.id = w.account_id
          WHERE w.waiting AND a.removed_at IS NULL`,
      );
      return rows.toSorted((one, other) => (one.accountId < other.accountId ? -1 : 1));
    },
    /** Withdraws the announcement unless work was announced after `generation`. Call after `Store.settleWork`. */
    async clearWork(accountId: string, generation: number) {
      await change(
        () => run`
          UPDATE waiting_work SET waiting = false WHERE account_id = ${accountId} AND generation = ${generation}`,
      );
    },
    /** Records counts from an account's file, so that they can be read for all accounts without opening their files. */
    async noteFailedItems(accountId: string, failed: Readonly<Record<string, number>>) {
      const noted = await read(
        () =>
          all<{ code: string; items: number }>`SELECT code, items FROM failed_items WHERE account_id = ${accountId}`,
      );
      const counts = Object.entries(failed);
      // The counts rarely change, and a write would make other writers wait.
      if (noted.length === counts.length && noted.every(({ code, items }) => failed[code] === items)) return;
      await write((db) => noteFailedItems(db, accountId, counts));
    },
    listFailedItems: () =>
      read(
        () => all<{ accountId: string; code: string; items: number }>`
          SELECT account_id, code, items FROM failed_items`,
      ),
    /** Adds to today's cost of models (UTC), summed over all accounts and processes. */
    async addUsage({ inputTokens, outputTokens, costMicros }: Usage) {
      await change(
        (db) => run`
          INSERT INTO usage AS u (day, input_tokens, output_tokens, cost_micros)
          VALUES (${utcDay(db)}, ${inputTokens}, ${outputTokens}, ${costMicros})
          ON CONFLICT (day) DO UPDATE SET input_tokens = u.input_tokens + excluded.input_tokens,
            output_tokens = u.output_tokens + excluded.output_tokens, cost_micros = u.cost_micros + excluded.cost_micros`,
      );
    },
    async usageToday(): Promise<Usage> {
      const usage = await read(
        (db) => first<Usage>`SELECT input_tokens, output_tokens, cost_micros FROM usage WHERE day = ${utcDay(db)}`,
      );
      return usage ?? { inputTokens: 0, outputTokens: 0, costMicros: 0 };
    },
  };
}
