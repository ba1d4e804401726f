import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { noSuchAccount, unavailable } from '../../../errors.ts';
import { runInThread, workerFile } from '../../../workers/start.ts';
import { isAccountId } from '../../../domain/access/account-names.ts';
import { openForReading } from '../files/open-database.ts';
import type { Finding } from './check-records.ts';

export interface CheckRequest {
  file: string;
  path: string;
  kind: 'control' | 'account';
}

export interface CheckedLibrary {
  files: number;
  findings: Finding[];
}

/**
 * Checks `control.db` and the files of all accounts, or of one account, for damage, in a worker thread. Writes nothing
 * and takes no lock that would stop a server from writing.
 * @param onChecked called after each file
 * @throws {AppError} `not_found` when there is no such account, `unavailable` when there is no data folder
 */
export async function checkLibrary(
  folder: string,
  account: string | undefined,
  signal: AbortSignal,
  onChecked: (done: number, files: number) => void = () => {},
): Promise<CheckedLibrary> {
  const control = join(folder, 'control.db');
  if (!existsSync(control)) throw unavailable('There is no control.db in this data folder. Restore a backup.');
  const known = readAccounts(folder, control);
  const accounts = account === undefined ? (known ?? listFiles(folder)) : [account];
  if (account !== undefined && (!isAccountId(account) || known?.includes(account) === false)) throw noSuchAccount();
  const requests: CheckRequest[] = [
    { file: 'control', path: control, kind: 'control' },
    ...accounts.map((id): CheckRequest => ({ file: id, path: fileOf(folder, id), kind: 'account' })),
  ];
  return {
    files: requests.length,
    findings: await runThread(requests, signal, (done) => onChecked(done, requests.length)),
  };
}

function fileOf(folder: string, account: string): string {
  return join(folder, 'accounts', `${account}.db`);
}

/** The accounts that have or had a file. Null when `control.db` cannot be read: its own check reports why. */
function readAccounts(folder: string, control: string): string[] | null {
  let db: Database.Database | undefined;
  try {
    db = openForReading(control, 5_000);
    return db
      .prepare<[], { id: string; fileMade: 0 | 1 }>(
        'SELECT id, file_made AS fileMade FROM accounts WHERE removed_at IS NULL ORDER BY created_at, rowid',
      )
      .all()
      .filter(({ id, fileMade }) => fileMade === 1 || existsSync(fileOf(folder, id)))
      .map(({ id }) => id);
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    return null;
  } finally {
    db?.close();
  }
}

function listFiles(folder: string): string[] {
  const names = readdirSync(join(folder, 'accounts')).filter((name) => name.endsWith('.db'));
  return names.map((name) => name.slice(0, -'.db'.length)).filter(isAccountId);
}

function runThread(
  requests: readonly CheckRequest[],
  signal: AbortSignal,
  onChecked: (done: number) => void,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  let done = 0;
  const file = workerFile('./check-worker', import.meta.url);
  return runInThread<Finding[], Finding[]>(file, requests, signal, (found, { resolve }) => {
    findings.push(...found);
    done += 1;
    onChecked(done);
    if (done === requests.length) resolve(findings);
  });
}
