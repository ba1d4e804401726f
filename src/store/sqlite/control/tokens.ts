import type { Plan, Scope } from '../../../domain/records/account.ts';
import { newId } from '../../../domain/records/ids.ts';
import { isLastUseOld } from '../../../domain/records/token.ts';
import type { TokenRecord } from '../../control.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

interface TokenRow extends Omit<TokenRecord, 'scopes'> {
  scopes: string;
}

const columns = `id, account AS accountId, name, scopes, created_at AS createdAt, expires_at AS expiresAt,
  last_used_at AS lastUsedAt, revoked_at AS revokedAt`;

function toToken(row: TokenRow): TokenRecord {
  return { ...row, scopes: JSON.parse(row.scopes) as Scope[] };
}

export function createToken(
  file: SqliteFile,
  token: { accountId: string; name: string; hash: Uint8Array; scopes: readonly Scope[]; expiresAt: number | null },
  now: number,
): TokenRecord {
  const { accountId, name, hash, scopes, expiresAt } = token;
  const id = newId('t');
  file.run(
    'INSERT INTO tokens (id, account, name, hash, scopes, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
    id,
    accountId,
    name,
    hash,
    JSON.stringify(scopes),
    now,
    expiresAt,
  );
  return { id, accountId, name, scopes: [...scopes], createdAt: now, expiresAt, lastUsedAt: null, revokedAt: null };
}

export function findCredential(file: SqliteFile, hash: Uint8Array): { token: TokenRecord; plan: Plan } | null {
  const row = file.get<TokenRow & { plan: Plan }>(
    `SELECT t.id, t.account AS accountId, t.name, t.scopes, t.created_at AS createdAt, t.expires_at AS expiresAt,
       t.last_used_at AS lastUsedAt, t.revoked_at AS revokedAt, a.plan
     FROM tokens t JOIN accounts a ON a.id = t.account WHERE t.hash = ? AND a.removed_at IS NULL`,
    hash,
  );
  if (row === undefined) return null;
  const { plan, ...token } = row;
  return { token: toToken(token), plan };
}

/** Newest first. */
export function listTokens(file: SqliteFile, accountId?: string): TokenRecord[] {
  const [where, parameters] =
    accountId === undefined
      ? ['WHERE account IN (SELECT id FROM accounts WHERE removed_at IS NULL)', []]
      : ['WHERE account = ?', [accountId]];
  return file
    .all<TokenRow>(`SELECT ${columns} FROM tokens ${where} ORDER BY created_at DESC, rowid DESC`, ...parameters)
    .map(toToken);
}

export function revokeToken(file: SqliteFile, id: string, now: number): boolean {
  return file.run('UPDATE tokens SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL', now, id).changes > 0;
}

/** Whether the recorded last use is old enough to be updated. */
export function lastUseIsOld(file: SqliteFile, id: string, now: number): boolean {
  const row = file.get<{ lastUsedAt: number | null }>('SELECT last_used_at AS lastUsedAt FROM tokens WHERE id = ?', id);
  return row !== undefined && isLastUseOld(row.lastUsedAt, now);
}

export function touchToken(file: SqliteFile, id: string, now: number): void {
  file.run('UPDATE tokens SET last_used_at = ? WHERE id = ?', now, id);
}
