import { noSuchAccount } from '../../../errors.ts';
import {
  type ControlTransfer,
  type MovedAccount,
  type MovedRow,
  type MovedRows,
  movedTables,
} from '../../control-transfer.ts';
import { type Pool, transaction, type Tx } from '../database.ts';

const toRead = 'isolation level repeatable read read only';

export class PostgresControlTransfer implements ControlTransfer {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  readAccount(id: string): Promise<MovedAccount | null> {
    return transaction(this.#pool, toRead, async (tx) => {
      const [account] = await tx<{ id: string; name: string; plan: string; createdAt: number }[]>`
        SELECT id, name, plan, created_at FROM accounts WHERE id = ${id} AND removed_at IS NULL`;
      if (account === undefined) return null;
      const { createdAt, ...row } = account;
      const rows = await readTables(tx, id);
      return { account: { ...row, created_at: createdAt }, rows };
    });
  }

  async restoreAccount({ account, rows }: MovedAccount): Promise<void> {
    await transaction(this.#pool, '', async (tx) => {
      const { id = null, name = null, plan = null, created_at: createdAt = null } = account;
      const restored = await tx`
        INSERT INTO accounts AS a (id, name, plan, created_at) VALUES (${id}, ${name}, ${plan}, ${createdAt})
        ON CONFLICT (id) DO UPDATE SET name = excluded.name, plan = excluded.plan, created_at = excluded.created_at
        WHERE a.removed_at IS NULL RETURNING 1`;
      if (restored.length === 0) throw noSuchAccount();
      await restoreTables(tx, rows, String(id));
    });
  }

  readCommon(): Promise<MovedRows> {
    return transaction(this.#pool, toRead, (tx) => readTables(tx, null));
  }

  async restoreCommon(rows: MovedRows): Promise<void> {
    await transaction(this.#pool, '', (tx) => restoreTables(tx, rows, null));
  }
}

/** Each row as text with its columns, because names of columns in rows are in another case. */
async function readTables(tx: Tx, account: string | null): Promise<MovedRows> {
  const read: Record<string, MovedRow[]> = {};
  for (const [table, { key, columns }] of movedTables(account)) {
    const names = Object.keys(columns);
    const selected = Object.entries(columns).map(([name, kind], at) =>
      kind === 'bytes' ? `encode(${name}, 'hex') AS c${at}` : `${name}${kind === 'json' ? '::text' : ''} AS c${at}`,
    );
    const order = key.map((name) => (columns[name] === 'bytes' ? name : `${name} COLLATE "C"`));
    const rows = (await tx.unsafe(
      `SELECT ${selected.join(', ')} FROM ${table} ${account === null ? '' : 'WHERE account_id = $1'} ORDER BY ${order.join(', ')}`,
      account === null ? [] : [account],
    )) as unknown as Record<string, string | number | null>[];
    read[table] = rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[`c${at}`] ?? null])));
  }
  return read;
}

async function restoreTables(tx: Tx, rows: MovedRows, account: string | null): Promise<void> {
  for (const [table, moved] of movedTables(account)) {
    const columns = Object.entries(moved.columns);
    if (account === null) await tx.unsafe(`DELETE FROM ${table}`);
    else await tx.unsafe(`DELETE FROM ${table} WHERE account_id = $1`, [account]);
    const first = account === null ? 1 : 2;
    const names = [...(account === null ? [] : ['account_id']), ...columns.map(([name]) => name)];
    const placeholders = columns.map(([, kind], at) => {
      const place = `$${first + at}`;
      if (kind === 'bytes') return `decode(${place}::text, 'hex')`;
      return kind === 'json' ? `${place}::text::json` : place;
    });
    const statement = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${[...(account === null ? [] : ['$1']), ...placeholders].join(', ')})`;
    for (const row of rows[table] ?? [])
      await tx.unsafe(statement, [
        ...(account === null ? [] : [account]),
        ...columns.map(([name]) => row[name] ?? null),
      ]);
  }
}
