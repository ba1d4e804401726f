import { noSuchAccount } from '../../errors.ts';
import { all, first, insertion, JsonText, later, run, sql, type Steps, text, type Value } from '../library/db.ts';
import type { ControlAccess } from './control-db.ts';

/*
 * Credentials in the form in which they are moved to another engine: rows with their column names. Bytes are in hexadecimal, and
 * JSON is text. The rows hold only hashes of secrets, which cannot be used to sign in; existing passwords and tokens stay valid
 * after the move.
 */

type MovedRow = Readonly<Record<string, string | number | null>>;

interface MovedTable {
  /** In the order in which they are compared. */
  key: readonly string[];
  columns: Readonly<Record<string, 'plain' | 'bytes' | 'json'>>;
}

const plain = (columns: string) => Object.fromEntries(columns.split(' ').map((name) => [name, 'plain' as const]));

const tablesOfAccount = {
  tokens: {
    key: ['id'],
    columns: {
      ...plain('id name created_at expires_at last_used_at revoked_at requests_per_minute rotated_at old_until'),
      ...plain('last_network made_by'),
      hash: 'bytes',
      old_hash: 'bytes',
      scopes: 'json',
      permissions: 'json',
      held_to: 'json',
    },
  },
  logins: { key: ['name'], columns: plain('name folded password_hash changed_at') },
  sign_in_links: { key: ['hash'], columns: { hash: 'bytes', ...plain('purpose expires_at') } },
  sessions: {
    key: ['id'],
    columns: {
      ...plain('id secret_since browser created_at last_used_at expires_at'),
      hash: 'bytes',
      old_hash: 'bytes',
    },
  },
  oauth_grants: {
    key: ['id'],
    columns: { ...plain('id name host created_at last_used_at'), client_key: 'bytes', scopes: 'json' },
  },
} satisfies Record<string, MovedTable>;

const commonTables = {
  server_secrets: { key: ['name'], columns: plain('name secret') },
  oauth_records: {
    key: ['kind', 'key'],
    columns: { ...plain('kind uid grant_id payload created_at expires_at consumed_at'), key: 'bytes' },
  },
  usage: { key: ['day'], columns: plain('day input_tokens output_tokens cost_micros') },
} satisfies Record<string, MovedTable>;

/** @param account null: the tables of the whole installation */
function movedTables(account: string | null): [table: string, moved: MovedTable][] {
  return Object.entries(account === null ? commonTables : tablesOfAccount);
}

type MovedRows = Readonly<Record<string, readonly MovedRow[]>>;

interface MovedAccount {
  account: MovedRow;
  rows: MovedRows;
}

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

/** Moves the records that do not belong to a library. Restoring replaces everything that is there. */
export function controlTransfer({ readTogether, write }: ControlAccess) {
  return {
    /** Null when there is no such account. */
    readAccount: (id: string) => readTogether(() => readAccount(id)),
    /** @throws {AppError} `not_found` when the account was removed here: its id is never used again */
    restoreAccount: (account: MovedAccount) => write(() => restoreAccount(account)),
    readCommon: () => readTogether(() => readTables(null)),
    restoreCommon: (rows: MovedRows) => write(() => restoreTables(rows, null)),
  };
}
