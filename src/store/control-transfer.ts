/*
 * The records of who may sign in or connect, in the form in which they are moved to another engine: rows under the names of
 * their columns. Bytes are in hexadecimal, and JSON is text. The rows hold hashes of secrets, not the secrets: nobody can
 * sign in with them, and existing passwords and tokens go on working after the move.
 */

export type MovedRow = Readonly<Record<string, string | number | null>>;

interface MovedTable {
  /** In the order in which they are compared. */
  key: readonly string[];
  columns: Readonly<Record<string, 'plain' | 'bytes' | 'json'>>;
}

const plain = (columns: string) => Object.fromEntries(columns.split(' ').map((name) => [name, 'plain' as const]));

/** Tables whose rows belong to an account, beside the account itself. */
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

/** Tables of the whole installation. */
const commonTables = {
  server_secrets: { key: ['name'], columns: plain('name secret') },
  oauth_records: {
    key: ['kind', 'key'],
    columns: { ...plain('kind uid grant_id payload created_at expires_at consumed_at'), key: 'bytes' },
  },
  usage: { key: ['day'], columns: plain('day input_tokens output_tokens cost_micros') },
} satisfies Record<string, MovedTable>;

/** @param account null: the tables of the whole installation */
export function movedTables(account: string | null): [table: string, moved: MovedTable][] {
  return Object.entries(account === null ? commonTables : tablesOfAccount);
}

export type MovedRows = Readonly<Record<string, readonly MovedRow[]>>;

export interface MovedAccount {
  account: MovedRow;
  rows: MovedRows;
}

/** Moves the records that do not belong to a library. Restoring replaces everything that is there. */
export interface ControlTransfer {
  /** Null when there is no such account. */
  readAccount(id: string): Promise<MovedAccount | null>;
  /** @throws {AppError} `not_found` when the account was removed here: its id is never used again */
  restoreAccount(moved: MovedAccount): Promise<void>;
  readCommon(): Promise<MovedRows>;
  restoreCommon(rows: MovedRows): Promise<void>;
}
