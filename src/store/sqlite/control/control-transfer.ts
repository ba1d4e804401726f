import { noSuchAccount } from '../../../errors.ts';
import {
  type ControlTransfer,
  type MovedAccount,
  type MovedRow,
  type MovedRows,
  movedTables,
} from '../../control-transfer.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import type { UseControl } from './sign-in.ts';

export class SqliteControlTransfer implements ControlTransfer {
  readonly #use: UseControl;
  readonly #write: UseControl;

  constructor(use: UseControl, write: UseControl) {
    this.#use = use;
    this.#write = write;
  }

  readAccount(id: string): Promise<MovedAccount | null> {
    return this.#use((file) =>
      file.read(() => {
        const account = file.get<MovedRow>(
          'SELECT id, name, plan, created_at FROM accounts WHERE id = ? AND removed_at IS NULL',
          id,
        );
        return account === undefined ? null : { account, rows: readTables(file, id) };
      }),
    );
  }

  async restoreAccount({ account, rows }: MovedAccount): Promise<void> {
    await this.#write((file) => {
      const { id, name, plan, created_at: createdAt } = account;
      const { changes } = file.run(
        `INSERT INTO accounts (id, name, plan, created_at) VALUES (?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, plan = excluded.plan, created_at = excluded.created_at
         WHERE removed_at IS NULL`,
        id,
        name,
        plan,
        createdAt,
      );
      if (changes === 0) throw noSuchAccount();
      restoreTables(file, rows, String(id));
    });
  }

  readCommon(): Promise<MovedRows> {
    return this.#use((file) => file.read(() => readTables(file, null)));
  }

  async restoreCommon(rows: MovedRows): Promise<void> {
    await this.#write((file) => restoreTables(file, rows, null));
  }
}

/** The names of tables and columns are ours. */
function readTables(file: SqliteFile, account: string | null): MovedRows {
  return Object.fromEntries(
    movedTables(account).map(([table, { key, columns }]) => {
      const selected = Object.entries(columns).map(([name, kind]) =>
        kind === 'bytes' ? `lower(hex(${name})) AS ${name}, ${name} IS NULL AS no_${name}` : name,
      );
      const rows = file.all<Record<string, string | number | null>>(
        `SELECT ${selected.join(', ')} FROM ${table} WHERE ${account === null ? '@account IS NULL' : 'account_id = @account'}
         ORDER BY ${key.join(', ')}`,
        { account },
      );
      return [table, rows.map((row) => withoutMarks(row, columns))];
    }),
  );
}

/** `hex` makes an empty text of null. */
function withoutMarks(row: MovedRow, columns: Readonly<Record<string, string>>): MovedRow {
  return Object.fromEntries(
    Object.keys(columns).map((name) => [name, row[`no_${name}`] === 1 ? null : (row[name] ?? null)]),
  );
}

function restoreTables(file: SqliteFile, rows: MovedRows, account: string | null): void {
  for (const [table, moved] of movedTables(account)) {
    const columns = Object.entries(moved.columns);
    if (account === null) file.run(`DELETE FROM ${table}`);
    else file.run(`DELETE FROM ${table} WHERE account_id = ?`, account);
    for (const row of rows[table] ?? []) {
      const values = columns.map(([name, kind]) => {
        const value = row[name] ?? null;
        return kind === 'bytes' && value !== null ? Buffer.from(String(value), 'hex') : value;
      });
      const names = [...(account === null ? [] : ['account_id']), ...columns.map(([name]) => name)];
      file.run(
        `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
        ...(account === null ? [] : [account]),
        ...values,
      );
    }
  }
}
