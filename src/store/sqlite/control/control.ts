import type { Clock } from '../../../domain/clock.ts';
import { type Account, localAccountId, type Plan } from '../../../domain/records/account.ts';
import {
  controlRecords,
  findAccount,
  forgetAccess,
  hideAccount,
  noteControlTime,
  showAccount,
} from '../../control/control.ts';
import type { ControlAccess, ControlDb } from '../../control/control-db.ts';
import { all, first, insertion, run, sql, type Steps, text } from '../../library/db.ts';
import type { FileRecord } from '../files/account-files.ts';
import { whenFree, whileBusy } from '../files/sqlite-errors.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import type { FileWrites } from '../files/write-queue.ts';
import { runSteps } from '../library/sqlite-db.ts';

const nothing = sql``;

const controlDb = (clock: Clock): ControlDb => ({
  now: clock.now(),
  clock,
  forUpdate: nothing,
  forShare: nothing,
  forUpdateOfFree: nothing,
  madeOrder: (alias) => text(`${alias}.rowid`),
  byIndex: (name) => text(`INDEXED BY ${name}`),
});

/**
 * Creates the first account of a new data folder, which stdio and the command line use.
 * @param beforeFirst runs before the account is created; throwing prevents that
 */
export function ensureFirstAccount(useFile: () => SqliteFile, now: number, beforeFirst: () => void): Promise<void> {
  return whenFree(() => {
    const file = useFile();
    const isFresh = () => file.get('SELECT 1 FROM accounts LIMIT 1') === undefined;
    if (!isFresh()) return;
    try {
      beforeFirst();
    } catch (error) {
      // Another process has created its first account, and then its file, since the check above.
      if (!isFresh()) return;
      throw error;
    }
    file.write(() => {
      if (isFresh()) runSteps(file, addAccount({ id: localAccountId, name: 'Local', plan: 'pro' }, now));
    });
  });
}

interface FoundAccount {
  id: string;
  name: string;
  plan: Plan;
}

const addAccount = ({ id, name, plan }: FoundAccount, now: number): Steps<number> =>
  run`${insertion('accounts', { id, name, plan, created_at: now })}`;

function* adoptAccount({ now }: ControlDb, account: FoundAccount): Steps<Account> {
  if ((yield* findAccount(account.id)) === null) yield* addAccount(account, now);
  yield* noteMade(account.id, true);
  const adopted = yield* findAccount(account.id);
  if (adopted === null) throw new Error('an account that was just adopted is not there');
  return adopted;
}

const noteMade = (id: string, isMade: boolean): Steps<number> =>
  run`UPDATE accounts SET file_made = ${isMade} WHERE id = ${id}`;

function* isAny(found: Steps<unknown>): Steps<boolean> {
  return (yield* found) !== undefined;
}

function* idsOf(found: Steps<{ id: string }[]>): Steps<string[]> {
  return (yield* found).map(({ id }) => id);
}

export type SqliteControl = ReturnType<typeof createSqliteControl>;

/** `control.db`. @param onAccounts called with the ids of all accounts whenever they are listed */
export function createSqliteControl(
  useFile: () => SqliteFile,
  writes: FileWrites,
  clock: Clock,
  onAccounts: (ids: ReadonlySet<string>) => void,
) {
  const read = <T>(work: (db: ControlDb) => Steps<T>): Promise<T> =>
    whenFree(() => runSteps(useFile(), work(controlDb(clock))));
  const readTogether = <T>(work: (db: ControlDb) => Steps<T>): Promise<T> =>
    whenFree(() => {
      const file = useFile();
      return file.read(() => runSteps(file, work(controlDb(clock))));
    });
  const write = <T>(work: (db: ControlDb) => Steps<T>): Promise<T> =>
    writes.write((file) => {
      runSteps(file, noteControlTime(controlDb(clock)));
      return runSteps(file, work(controlDb(clock)));
    });
  const access: ControlAccess = { read, readTogether, change: write, write };
  const records = controlRecords(access);
  return {
    ...records,

    async listAccounts(): Promise<Account[]> {
      const accounts = await records.listAccounts();
      onAccounts(new Set(accounts.map(({ id }) => id)));
      return accounts;
    },

    /** Synchronous, for callers that are about to open the account's file. */
    fileRecord(id: string): FileRecord {
      const row = runSteps(
        useFile(),
        first<{ isMade: boolean }>`SELECT file_made AS is_made FROM accounts WHERE id = ${id} AND removed_at IS NULL`,
      );
      if (row === undefined) return null;
      return row.isMade ? 'made' : 'unmade';
    },

    /** Synchronous, for callers that have just created the account's file and have not written to it yet. */
    noteFileMade(id: string): void {
      whileBusy(() => {
        const file = useFile();
        file.write(() => runSteps(file, noteMade(id, true)));
      });
    },

    /** Allows the account's file to be created again. */
    async forgetFile(id: string): Promise<void> {
      await write(() => noteMade(id, false));
    },

    /** Accounts whose file is not recorded as created. */
    listUnmade: (): Promise<string[]> =>
      read(() => idsOf(all`SELECT id FROM accounts WHERE file_made = false AND removed_at IS NULL`)),

    /** Creates an account for an existing file. An account that exists already keeps its name and plan. */
    adoptAccount: (account: FoundAccount): Promise<Account> => write((db) => adoptAccount(db, account)),

    setAside: (id: string): Promise<void> => write((db) => hideAccount(db, id)),

    bringBack: (id: string): Promise<Account | null> => write((db) => showAccount(db, id)),

    /** Whether an account is hidden, and can be brought back. */
    isSetAside: (id: string): Promise<boolean> =>
      read(() => isAny(first`SELECT 1 AS hidden FROM accounts WHERE id = ${id} AND removed_passed IS NOT NULL`)),

    /** Takes what was removed out of the file's free pages and its log, too. */
    async compactIfDue(): Promise<void> {
      if (!(await read(() => isAny(first`SELECT 1 AS due FROM control_state WHERE compact_due = true`)))) return;
      await whenFree(() => useFile().compact());
      await write(() => run`UPDATE control_state SET compact_due = false`);
      await whenFree(() => useFile().emptyLog());
    },

    /** The row stays, without a name, so that its id is never reused and its file can be recognised as a leftover. */
    async markRemoved(id: string): Promise<void> {
      await write(function* ({ now }) {
        yield* forgetAccess(id);
        yield* run`
          UPDATE accounts SET removed_at = coalesce(removed_at, ${now}), removed_passed = NULL, name = ''
          WHERE id = ${id}`;
        yield* run`UPDATE control_state SET compact_due = true`;
      });
    },

    listRemoved: (): Promise<string[]> =>
      read(() => idsOf(all`SELECT id FROM accounts WHERE removed_at IS NOT NULL AND removed_passed IS NULL`)),
  };
}
