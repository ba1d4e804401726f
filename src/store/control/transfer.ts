import { noSuchAccount } from '../../errors.ts';
import {
  type ControlTransfer,
  type MovedAccount,
  type MovedRow,
  type MovedRows,
  movedTables,
} from '../control-transfer.ts';
import { all, first, insertion, JsonText, later, run, sql, type Steps, text, type Value } from '../library/db.ts';
import type { ControlAccess } from './control-db.ts';

type Kind = 'plain' | 'bytes' | 'json';

function moved(value: unknown, kind: Kind): MovedRow[string] {
  if (value === null || value === undefined) return null;
  if (kind === 'bytes') return Buffer.from(value as Uint8Array).toString('hex');
  return kind === 'json' && typeof value !== 'string' ? JSON.stringify(value) : (value as MovedRow[string]);
}

function parameter(value: MovedRow[string] | undefined, kind: Kind): Value {
  if (value === null || value === undefined) return null;
  if (kind === 'bytes') return Buffer.from(String(value), 'hex');
  return kind === 'json' ? new JsonText(JSON.parse(String(value))) : value;
}

const ofAccount = (account: string | null) => (account === null ? sql`` : sql`WHERE account_id = ${account}`);

/** The names of tables and columns are ours. */
function* readTables(account: string | null): Steps<MovedRows> {
  const tables: [string, readonly MovedRow[]][] = [];
  for (const [table, { key, columns }] of movedTables(account)) {
    const kinds = Object.entries(columns);
    // Rows have their columns under other names.
    const numbered = kinds.map(([name], at) => `${name} AS c${at}`).join(', ');
    const read = yield* all<
      Record<string, unknown>
    >`SELECT ${text(numbered)} FROM ${text(table)} ${ofAccount(account)}`;
    const rows = read.map((row): MovedRow =>
      Object.fromEntries(kinds.map(([name, kind], at) => [name, moved(row[`c${at}`], kind)])),
    );
    const place = (row: MovedRow) => JSON.stringify(key.map((name) => row[name]));
    tables.push([table, rows.toSorted((one, other) => (place(one) < place(other) ? -1 : 1))]);
  }
  return Object.fromEntries(tables);
}

function* restoreTables(rows: MovedRows, account: string | null): Steps<void> {
  for (const [table, { columns }] of movedTables(account)) {
    yield* later`DELETE FROM ${text(table)} ${ofAccount(account)}`;
    for (const row of rows[table] ?? []) {
      const values = Object.entries(columns).map(([name, kind]) => [name, parameter(row[name], kind)] as const);
      const own = account !== null && { account_id: account };
      yield* later`${insertion(table, { ...own, ...Object.fromEntries(values) })}`;
    }
  }
}

function* readAccount(id: string): Steps<MovedAccount | null> {
  const account = yield* first<{ id: string; name: string; plan: string; createdAt: number }>`
    SELECT id, name, plan, created_at FROM accounts WHERE id = ${id} AND removed_at IS NULL`;
  if (account === undefined) return null;
  const { createdAt, ...row } = account;
  return { account: { ...row, created_at: createdAt }, rows: yield* readTables(id) };
}

function* restoreAccount({ account, rows }: MovedAccount): Steps<void> {
  const { id = null, name = null, plan = null, created_at: createdAt = null } = account;
  const restored = yield* run`
    INSERT INTO accounts AS a (id, name, plan, created_at) VALUES (${id}, ${name}, ${plan}, ${createdAt})
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, plan = excluded.plan, created_at = excluded.created_at
    WHERE a.removed_at IS NULL`;
  if (restored === 0) throw noSuchAccount();
  yield* restoreTables(rows, String(id));
}

export function controlTransfer({ readTogether, write }: ControlAccess): ControlTransfer {
  return {
    readAccount: (id) => readTogether(() => readAccount(id)),
    restoreAccount: (account) => write(() => restoreAccount(account)),
    readCommon: () => readTogether(() => readTables(null)),
    restoreCommon: (rows) => write(() => restoreTables(rows, null)),
  };
}
