import type { Plan, Scope } from '../../../domain/records/account.ts';
import { maxGrants, maxUnanswered, type OAuthKind } from '../../../domain/access/oauth.ts';
import { isLastUseOld } from '../../../domain/access/token.ts';
import type { GrantRecord, OAuthRecord, OAuthRecords } from '../../records/oauth-records.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import type { UseControl } from './sign-in.ts';

interface GrantRow extends Omit<GrantRecord, 'scopes'> {
  scopes: string;
}

const grantColumns = `g.id, g.account_id AS accountId, g.name, g.host, g.scopes, g.created_at AS createdAt, g.last_used_at AS lastUsedAt`;

function toGrant({ scopes, ...row }: GrantRow): GrantRecord {
  return { ...row, scopes: JSON.parse(scopes) as Scope[] };
}

/** Expired records removed with each new one: more than are made, so that none pile up. */
const maxExpiredRemoved = 50;

function removeExpired(file: SqliteFile, now: number): void {
  file.run(
    `DELETE FROM oauth_records WHERE (kind, key) IN
       (SELECT kind, key FROM oauth_records WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`,
    now,
    maxExpiredRemoved,
  );
}

function removeGrant(file: SqliteFile, id: string): void {
  file.run('DELETE FROM oauth_records WHERE grant_id = ?', id);
  file.run('DELETE FROM oauth_grants WHERE id = ?', id);
}

/** Ends everything that an account allowed. */
export function forgetGrants(file: SqliteFile, accountId: string): void {
  for (const { id } of file.all<{ id: string }>('SELECT id FROM oauth_grants WHERE account_id = ?', accountId))
    removeGrant(file, id);
}

/** The records of the authorization server in `control.db`. */
export class SqliteOAuth implements OAuthRecords {
  readonly #use: UseControl;
  readonly #write: UseControl;

  constructor(use: UseControl, write: UseControl) {
    this.#use = use;
    this.#write = write;
  }

  async put(kind: OAuthKind, key: Uint8Array, record: Parameters<OAuthRecords['put']>[2]): Promise<void> {
    await this.#write((file, now) => {
      removeExpired(file, now);
      file.run(
        `INSERT INTO oauth_records (kind, key, uid, grant_id, payload, created_at, expires_at)
         VALUES (@kind, @key, @uid, @grantId, @payload, @now, @expiresAt)
         ON CONFLICT (kind, key) DO UPDATE SET uid = @uid, grant_id = @grantId, payload = @payload, expires_at = @expiresAt`,
        { kind, key, ...record, now },
      );
      const max = maxUnanswered[kind];
      if (max === undefined) return;
      // All records of a kind live equally long, so the first to end are the oldest. The index holds no payloads.
      file.run(
        `DELETE FROM oauth_records WHERE kind = @kind AND key IN (
           SELECT key FROM oauth_records INDEXED BY oauth_records_by_end
           WHERE kind = @kind AND key NOT IN (SELECT client_key FROM oauth_grants)
           ORDER BY expires_at DESC LIMIT -1 OFFSET @max)`,
        { kind, max },
      );
    });
  }

  async find(kind: OAuthKind, key: Uint8Array): Promise<OAuthRecord | null> {
    return this.#use(
      (file, now) =>
        file.get<OAuthRecord>(
          'SELECT payload, consumed_at AS consumedAt FROM oauth_records WHERE kind = ? AND key = ? AND expires_at > ?',
          kind,
          key,
          now,
        ) ?? null,
    );
  }

  async findByUid(kind: OAuthKind, uid: string): Promise<OAuthRecord | null> {
    return this.#use(
      (file, now) =>
        file.get<OAuthRecord>(
          'SELECT payload, consumed_at AS consumedAt FROM oauth_records WHERE uid = ? AND kind = ? AND expires_at > ?',
          uid,
          kind,
          now,
        ) ?? null,
    );
  }

  async remove(kind: OAuthKind, key: Uint8Array): Promise<void> {
    await this.#write((file) => file.run('DELETE FROM oauth_records WHERE kind = ? AND key = ?', kind, key));
  }

  async removeByGrant(kind: OAuthKind, grantId: string): Promise<void> {
    await this.#write((file) => file.run('DELETE FROM oauth_records WHERE grant_id = ? AND kind = ?', grantId, kind));
  }

  async consume(kind: OAuthKind, key: Uint8Array): Promise<boolean> {
    return this.#write(
      (file, now) =>
        file.run(
          'UPDATE oauth_records SET consumed_at = ? WHERE kind = ? AND key = ? AND consumed_at IS NULL',
          now,
          kind,
          key,
        ).changes > 0,
    );
  }

  async addGrant(grant: Parameters<OAuthRecords['addGrant']>[0]): Promise<void> {
    await this.#write((file, now) => {
      const { scopes, ...rest } = grant;
      file.run(
        `INSERT INTO oauth_grants (id, account_id, client_key, name, host, scopes, created_at)
         VALUES (@id, @accountId, @clientKey, @name, @host, @scopes, @now)`,
        { ...rest, scopes: JSON.stringify(scopes), now },
      );
      file.run(
        `UPDATE oauth_records SET expires_at = max(expires_at, ?) WHERE kind = 'Client' AND key = ?`,
        grant.expiresAt,
        grant.clientKey,
      );
      // Grants of which no token and no code is left.
      file.run(
        `DELETE FROM oauth_grants WHERE id <> @id AND account_id = @accountId
           AND NOT EXISTS (SELECT 1 FROM oauth_records r WHERE r.grant_id = oauth_grants.id AND r.kind <> 'Grant' AND r.expires_at > @now)
           AND created_at < @now - 3600000`,
        { id: grant.id, accountId: grant.accountId, now },
      );
      const unused = file.all<{ id: string }>(
        `SELECT id FROM oauth_grants WHERE account_id = ? AND id <> ?
         ORDER BY coalesce(last_used_at, created_at) DESC, rowid DESC LIMIT -1 OFFSET ${maxGrants - 1}`,
        grant.accountId,
        grant.id,
      );
      for (const { id } of unused) removeGrant(file, id);
    });
  }

  async listGrants(accountId: string): Promise<GrantRecord[]> {
    return this.#use((file, now) =>
      file
        .all<GrantRow>(
          `SELECT ${grantColumns} FROM oauth_grants g WHERE g.account_id = ? AND EXISTS (
             SELECT 1 FROM oauth_records r WHERE r.grant_id = g.id AND r.kind IN ('AccessToken', 'RefreshToken') AND r.expires_at > ?)
           ORDER BY g.created_at DESC`,
          accountId,
          now,
        )
        .map(toGrant),
    );
  }

  async endGrant(accountId: string, id: string): Promise<boolean> {
    return this.#write((file) => {
      if (file.get('SELECT 1 FROM oauth_grants WHERE id = ? AND account_id = ?', id, accountId) === undefined)
        return false;
      removeGrant(file, id);
      return true;
    });
  }

  async removeGrant(id: string): Promise<void> {
    await this.#write((file) => removeGrant(file, id));
  }

  async findAccess(key: Uint8Array): Promise<{ grant: GrantRecord; scopes: Scope[]; plan: Plan } | null> {
    return this.#use((file, now) => {
      const row = file.get<GrantRow & { payload: string; plan: Plan }>(
        `SELECT ${grantColumns}, r.payload, a.plan FROM oauth_records r
         JOIN oauth_grants g ON g.id = r.grant_id JOIN accounts a ON a.id = g.account_id
         WHERE r.kind = 'AccessToken' AND r.key = ? AND r.expires_at > ? AND a.removed_at IS NULL`,
        key,
        now,
      );
      if (row === undefined) return null;
      const { payload, plan, ...grantRow } = row;
      const grant = toGrant(grantRow);
      const named = new Set(((JSON.parse(payload) as { scope?: string }).scope ?? '').split(' '));
      return { grant, plan, scopes: grant.scopes.filter((scope) => named.has(scope)) };
    });
  }

  async touchGrant(id: string): Promise<void> {
    const isOld = await this.#use((file, now) => {
      const row = file.get<{ at: number | null }>('SELECT last_used_at AS at FROM oauth_grants WHERE id = ?', id);
      return row !== undefined && isLastUseOld(row.at, now);
    });
    if (isOld)
      await this.#write((file, now) => file.run('UPDATE oauth_grants SET last_used_at = ? WHERE id = ?', now, id));
  }
}
