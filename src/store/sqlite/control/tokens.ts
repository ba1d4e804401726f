import type { Scope } from '../../../domain/records/account.ts';
import { newId } from '../../../domain/records/ids.ts';
import { maxEndedKeys, maxKeys } from '../../../domain/access/key.ts';
import type { Permission } from '../../../domain/access/permission.ts';
import { lastUseToNote } from '../../../domain/access/token.ts';
import { AppError, noSuchAccount } from '../../../errors.ts';
import type { NewToken, Rotation, TokenCredential, TokenRecord, TokenRecords } from '../../records/token-records.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import type { UseControl } from './sign-in.ts';

interface TokenRow extends Omit<TokenRecord, 'scopes' | 'permissions'> {
  scopes: string;
  permissions: string | null;
}

const columns = `t.id, t.account_id AS accountId, t.name, t.scopes, t.permissions, t.requests_per_minute AS requestsPerMinute,
  t.created_at AS createdAt, t.expires_at AS expiresAt, t.last_used_at AS lastUsedAt, t.last_network AS lastNetwork,
  t.rotated_at AS rotatedAt, t.old_until AS oldUntil, t.revoked_at AS revokedAt, t.made_by AS madeBy`;

/** With the parameter `@now`. */
const isValid = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > @now)';

function toToken({ scopes, permissions, ...row }: TokenRow): TokenRecord {
  return {
    ...row,
    scopes: JSON.parse(scopes) as Scope[],
    permissions: permissions === null ? null : (JSON.parse(permissions) as Permission[]),
  };
}

/** @throws {AppError} `invalid_input` when the account has too many keys; `unauthorized` when the maker has ended */
function createToken(file: SqliteFile, token: NewToken, now: number): TokenRecord {
  const { accountId, scopes, permissions, madeBy } = token;
  if (file.get('SELECT 1 FROM accounts WHERE id = ? AND removed_at IS NULL', accountId) === undefined)
    throw noSuchAccount();
  requireMaker(file, madeBy, now);
  makeRoom(file, accountId, now, permissions === null ? 'tokens' : 'keys');
  const id = newId(permissions === null ? 't' : 'k');
  file.run(
    `INSERT INTO tokens (id, account_id, name, hash, scopes, permissions, requests_per_minute, created_at, expires_at, made_by)
     VALUES (@id, @accountId, @name, @hash, @scopes, @permissions, @requestsPerMinute, @now, @expiresAt, @madeBy)`,
    {
      ...token,
      id,
      now,
      scopes: JSON.stringify(scopes),
      permissions: permissions === null ? null : JSON.stringify(permissions),
    },
  );
  const made = getToken(file, id);
  if (made === null) throw new Error('a token that was just made is not there');
  return made;
}

/** Those that have ended are kept for a while to be listed. */
function makeRoom(file: SqliteFile, accountId: string, now: number, kind: 'keys' | 'tokens'): void {
  const about = { accountId, now, isToken: kind === 'tokens' ? 1 : 0 };
  const ofKind = 'account_id = @accountId AND (permissions IS NULL) = @isToken';
  const { count = 0 } =
    file.get<{ count: number }>(`SELECT count(*) AS count FROM tokens WHERE ${ofKind} AND ${isValid}`, about) ?? {};
  if (count >= maxKeys)
    throw new AppError('invalid_input', `An account has at most ${maxKeys} ${kind}. Revoke one that is not needed.`);
  file.run(
    `DELETE FROM tokens WHERE id IN (
       SELECT id FROM tokens WHERE ${ofKind} AND NOT (${isValid})
       ORDER BY created_at DESC, rowid DESC LIMIT -1 OFFSET ${maxEndedKeys})`,
    about,
  );
}

/** The key that asks may have been revoked since it was looked up. */
function requireMaker(file: SqliteFile, id: string | null, now: number): void {
  if (id === null || file.get(`SELECT 1 FROM tokens WHERE id = @id AND ${isValid}`, { id, now }) !== undefined) return;
  throw new AppError('unauthorized', 'This key was revoked or has expired.');
}

/** By its hash; after a rotation also by the one before. */
function findCredential(file: SqliteFile, hash: Uint8Array): TokenCredential | null {
  const row = file.get<TokenRow & Pick<TokenCredential, 'plan' | 'hash' | 'oldHash'>>(
    `SELECT ${columns}, t.hash, t.old_hash AS oldHash, a.plan
     FROM tokens t JOIN accounts a ON a.id = t.account_id WHERE (t.hash = @hash OR t.old_hash = @hash) AND a.removed_at IS NULL`,
    { hash },
  );
  if (row === undefined) return null;
  const { plan, hash: current, oldHash, ...token } = row;
  return { token: toToken(token), plan, hash: current, oldHash };
}

function getToken(file: SqliteFile, id: string): TokenRecord | null {
  const row = file.get<TokenRow>(
    `SELECT ${columns} FROM tokens t JOIN accounts a ON a.id = t.account_id WHERE t.id = ? AND a.removed_at IS NULL`,
    id,
  );
  return row === undefined ? null : toToken(row);
}

/** Newest first. */
function listTokens(file: SqliteFile, accountId?: string): TokenRecord[] {
  const [where, parameters] =
    accountId === undefined
      ? ['WHERE t.account_id IN (SELECT id FROM accounts WHERE removed_at IS NULL)', []]
      : ['WHERE t.account_id = ?', [accountId]];
  return file
    .all<TokenRow>(`SELECT ${columns} FROM tokens t ${where} ORDER BY t.created_at DESC, t.rowid DESC`, ...parameters)
    .map(toToken);
}

/** With all keys that it made, and that those made. False when it was revoked before, or is not there. */
function revokeToken(file: SqliteFile, id: string, now: number): boolean {
  const isThere = file.get('SELECT 1 FROM tokens WHERE id = ? AND revoked_at IS NULL', id) !== undefined;
  file.run(
    `WITH RECURSIVE ended (id) AS (VALUES (@id) UNION SELECT t.id FROM tokens t JOIN ended ON t.made_by = ended.id)
     UPDATE tokens SET revoked_at = @now WHERE id IN (SELECT id FROM ended) AND revoked_at IS NULL`,
    { id, now },
  );
  return isThere;
}

/** Null when there is no such token that works. @throws {AppError} `unauthorized` when the key that asks has ended */
function rotateToken(file: SqliteFile, { id, hash, oldUntil, by }: Rotation, now: number): TokenRecord | null {
  requireMaker(file, by, now);
  const { changes } = file.run(
    `UPDATE tokens SET old_hash = hash, old_until = @oldUntil, hash = @hash, rotated_at = @now WHERE id = @id AND ${isValid}`,
    { id, hash, oldUntil, now },
  );
  return changes === 0 ? null : getToken(file, id);
}

/** Whether the last use that is noted is to be updated. */
function isUseDue(file: SqliteFile, id: string, network: string | null, now: number): boolean {
  const token = getToken(file, id);
  return token !== null && lastUseToNote(token, network, now) !== null;
}

function touchToken(file: SqliteFile, id: string, network: string | null, now: number): void {
  const token = getToken(file, id);
  const use = token === null ? null : lastUseToNote(token, network, now);
  if (use === null) return;
  file.run('UPDATE tokens SET last_used_at = @at, last_network = @network WHERE id = @id', { id, ...use });
}

/** The tokens and keys of all accounts in `control.db`. */
export class SqliteTokens implements TokenRecords {
  readonly #use: UseControl;
  readonly #write: UseControl;

  constructor(use: UseControl, write: UseControl) {
    this.#use = use;
    this.#write = write;
  }

  async createToken(token: NewToken): Promise<TokenRecord> {
    return this.#write((file, now) => createToken(file, token, now));
  }

  async findCredential(hash: Uint8Array): Promise<TokenCredential | null> {
    return this.#use((file) => findCredential(file, hash));
  }

  async getToken(id: string): Promise<TokenRecord | null> {
    return this.#use((file) => getToken(file, id));
  }

  async listTokens(accountId?: string): Promise<TokenRecord[]> {
    return this.#use((file) => listTokens(file, accountId));
  }

  async revokeToken(id: string): Promise<boolean> {
    return this.#write((file, now) => revokeToken(file, id, now));
  }

  async rotateToken(rotation: Rotation): Promise<TokenRecord | null> {
    return this.#write((file, now) => rotateToken(file, rotation, now));
  }

  async touchToken(id: string, network: string | null): Promise<void> {
    const isDue = await this.#use((file, now) => isUseDue(file, id, network, now));
    if (isDue) await this.#write((file, now) => touchToken(file, id, network, now));
  }
}
