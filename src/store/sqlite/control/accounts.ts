import { type Account, localAccountId, type Plan } from '../../../domain/records/account.ts';
import { type Clock, isoTime } from '../../../domain/clock.ts';
import { restorableForMs } from '../../../domain/records/limits.ts';
import { newId } from '../../../domain/records/ids.ts';
import { noSuchAccount } from '../../../errors.ts';
import { passedTime } from '../files/account-time.ts';
import { whenFree } from '../files/busy.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

/* Accounts in `control.db`: which there are, which are hidden, and whether the file of each was created. */

interface AccountRow {
  id: string;
  name: string;
  plan: Plan;
  createdAt: number;
}

const accountColumns = 'id, name, plan, created_at AS createdAt';

function toAccount(row: AccountRow): Account {
  return { ...row, createdAt: isoTime(row.createdAt) };
}

function insertAccount(file: SqliteFile, row: AccountRow): void {
  file.run(
    'INSERT INTO accounts (id, name, plan, created_at) VALUES (?, ?, ?, ?)',
    row.id,
    row.name,
    row.plan,
    row.createdAt,
  );
}

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
      if (isFresh()) insertAccount(file, { id: localAccountId, name: 'Local', plan: 'pro', createdAt: now });
    });
  });
}

export function findAccount(file: SqliteFile, id: string): Account | null {
  const row = file.get<AccountRow>(`SELECT ${accountColumns} FROM accounts WHERE id = ? AND removed_at IS NULL`, id);
  return row === undefined ? null : toAccount(row);
}

export function requireAccount(file: SqliteFile, id: string): Account {
  const account = findAccount(file, id);
  if (account === null) throw noSuchAccount();
  return account;
}

export function listAccounts(file: SqliteFile): Account[] {
  return file
    .all<AccountRow>(`SELECT ${accountColumns} FROM accounts WHERE removed_at IS NULL ORDER BY created_at, rowid`)
    .map(toAccount);
}

export function createAccount(file: SqliteFile, account: { name: string; plan: Plan }, now: number): Account {
  const row = { id: newId('u'), name: account.name, plan: account.plan, createdAt: now };
  insertAccount(file, row);
  return toAccount(row);
}

/** Creates an account for an existing file. An account that exists already keeps its name and plan. */
export function adoptAccount(
  file: SqliteFile,
  account: { id: string; name: string; plan: Plan },
  now: number,
): Account {
  if (findAccount(file, account.id) === null) insertAccount(file, { ...account, createdAt: now });
  file.run('UPDATE accounts SET file_made = 1 WHERE id = ?', account.id);
  return requireAccount(file, account.id);
}

export function hideAccount(file: SqliteFile, id: string, clock: Clock): void {
  requireAccount(file, id);
  file.run(
    'UPDATE accounts SET removed_at = ?, removed_passed = ? WHERE id = ?',
    clock.now(),
    passedTime(file, clock, 'control_state'),
    id,
  );
}

/** Shows a hidden account again. Null when there is none that could be shown. */
export function showHidden(file: SqliteFile, id: string, clock: Clock): Account | null {
  const back = file.run(
    `UPDATE accounts SET removed_at = NULL, removed_passed = NULL
     WHERE id = ? AND removed_at IS NOT NULL AND removed_passed > ?`,
    id,
    passedTime(file, clock, 'control_state') - restorableForMs,
  );
  return back.changes === 0 ? null : requireAccount(file, id);
}

export function listHidden(file: SqliteFile): (Account & { removedAt: string })[] {
  return file
    .all<AccountRow & { removedAt: number }>(
      `SELECT ${accountColumns}, removed_at AS removedAt FROM accounts WHERE removed_passed IS NOT NULL ORDER BY removed_at`,
    )
    .map(({ removedAt, ...row }) => ({ ...toAccount(row), removedAt: isoTime(removedAt) }));
}

/** Hidden accounts that were kept long enough. */
export function listExpired(file: SqliteFile, clock: Clock): string[] {
  return file
    .all<{ id: string }>(
      'SELECT id FROM accounts WHERE removed_passed <= ?',
      passedTime(file, clock, 'control_state') - restorableForMs,
    )
    .map(({ id }) => id);
}
