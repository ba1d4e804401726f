import { maxGrants, maxUnanswered, type OAuthKind } from '../../../domain/access/oauth.ts';
import { isLastUseOld } from '../../../domain/access/token.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { Plan, Scope } from '../../../domain/records/account.ts';
import type { GrantRecord, OAuthRecord, OAuthRecords } from '../../records/oauth-records.ts';
import { json, type Pool, statement, transaction, type Tx } from '../database.ts';
import { lockAccount } from './accounts.ts';

/** Expired records removed with each new one: more than are made, so that none pile up. */
const maxExpiredRemoved = 50;

const grantColumns = (sql: Pool) => sql`g.id, g.account_id, g.name, g.host, g.scopes, g.created_at, g.last_used_at`;

async function removeGrant(tx: Tx, id: string): Promise<void> {
  await tx`DELETE FROM oauth_records WHERE grant_id = ${id}`;
  await tx`DELETE FROM oauth_grants WHERE id = ${id}`;
}

/** The records of the authorization server. */
export class PostgresOAuth implements OAuthRecords {
  readonly #pool: Pool;
  readonly #clock: Clock;

  constructor(pool: Pool, clock: Clock) {
    this.#pool = pool;
    this.#clock = clock;
  }

  async put(kind: OAuthKind, key: Uint8Array, record: Parameters<OAuthRecords['put']>[2]): Promise<void> {
    const { payload, uid, grantId, expiresAt } = record;
    const now = this.#clock.now();
    await transaction(this.#pool, '', async (tx) => {
      // Rows that another node is removing are left to it.
      await tx`
        DELETE FROM oauth_records WHERE (kind, key) IN (
          SELECT kind, key FROM oauth_records WHERE expires_at <= ${now} ORDER BY expires_at LIMIT ${maxExpiredRemoved}
          FOR UPDATE SKIP LOCKED)`;
      await tx`
        INSERT INTO oauth_records (kind, key, uid, grant_id, payload, created_at, expires_at)
        VALUES (${kind}, ${key}, ${uid}, ${grantId}, ${payload}, ${now}, ${expiresAt})
        ON CONFLICT (kind, key) DO UPDATE SET uid = excluded.uid, grant_id = excluded.grant_id,
          payload = excluded.payload, expires_at = excluded.expires_at`;
      const max = maxUnanswered[kind];
      if (max === undefined) return;
      // All records of a kind live equally long, so the first to end are the oldest.
      await tx`
        DELETE FROM oauth_records WHERE kind = ${kind} AND key IN (
          SELECT key FROM oauth_records
          WHERE kind = ${kind} AND NOT EXISTS (SELECT 1 FROM oauth_grants g WHERE g.client_key = key)
          ORDER BY expires_at DESC OFFSET ${max})`;
    });
  }

  async find(kind: OAuthKind, key: Uint8Array): Promise<OAuthRecord | null> {
    const [record] = await statement(
      async () => this.#pool<OAuthRecord[]>`
        SELECT payload, consumed_at FROM oauth_records
        WHERE kind = ${kind} AND key = ${key} AND expires_at > ${this.#clock.now()}`,
    );
    return record ?? null;
  }

  async findByUid(kind: OAuthKind, uid: string): Promise<OAuthRecord | null> {
    const [record] = await statement(
      async () => this.#pool<OAuthRecord[]>`
        SELECT payload, consumed_at FROM oauth_records
        WHERE uid = ${uid} AND kind = ${kind} AND expires_at > ${this.#clock.now()}`,
    );
    return record ?? null;
  }

  async remove(kind: OAuthKind, key: Uint8Array): Promise<void> {
    await statement(async () => this.#pool`DELETE FROM oauth_records WHERE kind = ${kind} AND key = ${key}`);
  }

  async removeByGrant(kind: OAuthKind, grantId: string): Promise<void> {
    await statement(async () => this.#pool`DELETE FROM oauth_records WHERE grant_id = ${grantId} AND kind = ${kind}`);
  }

  async consume(kind: OAuthKind, key: Uint8Array): Promise<boolean> {
    return statement(async () => {
      const consumed = await this.#pool`
        UPDATE oauth_records SET consumed_at = ${this.#clock.now()}
        WHERE kind = ${kind} AND key = ${key} AND consumed_at IS NULL`;
      return consumed.count > 0;
    });
  }

  async addGrant(grant: Parameters<OAuthRecords['addGrant']>[0]): Promise<void> {
    const { id, accountId, clientKey, name, host, scopes, expiresAt } = grant;
    const now = this.#clock.now();
    await transaction(this.#pool, '', async (tx) => {
      await lockAccount(tx, accountId);
      await tx`
        INSERT INTO oauth_grants (id, account_id, client_key, name, host, scopes, created_at)
        VALUES (${id}, ${accountId}, ${clientKey}, ${name}, ${host}, ${json(scopes)}, ${now})`;
      await tx`
        UPDATE oauth_records SET expires_at = greatest(expires_at, ${expiresAt})
        WHERE kind = 'Client' AND key = ${clientKey}`;
      // Grants of which no token and no code is left.
      await tx`
        DELETE FROM oauth_grants g WHERE g.id <> ${id} AND g.account_id = ${accountId} AND g.created_at < ${now - 3_600_000}
          AND NOT EXISTS (SELECT 1 FROM oauth_records r
            WHERE r.grant_id = g.id AND r.kind <> 'Grant' AND r.expires_at > ${now})`;
      const unused = await tx<{ id: string }[]>`
        SELECT id FROM oauth_grants WHERE account_id = ${accountId} AND id <> ${id}
        ORDER BY coalesce(last_used_at, created_at) DESC, id OFFSET ${maxGrants - 1}`;
      for (const one of unused) await removeGrant(tx, one.id);
    });
  }

  async listGrants(accountId: string): Promise<GrantRecord[]> {
    const sql = this.#pool;
    return statement(async () => [
      ...(await sql<GrantRecord[]>`
        SELECT ${grantColumns(sql)} FROM oauth_grants g WHERE g.account_id = ${accountId} AND EXISTS (
          SELECT 1 FROM oauth_records r WHERE r.grant_id = g.id AND r.kind IN ('AccessToken', 'RefreshToken')
            AND r.expires_at > ${this.#clock.now()})
        ORDER BY g.created_at DESC`),
    ]);
  }

  async endGrant(accountId: string, id: string): Promise<boolean> {
    return transaction(this.#pool, '', async (tx) => {
      const found = await tx`SELECT 1 FROM oauth_grants WHERE id = ${id} AND account_id = ${accountId} FOR UPDATE`;
      if (found.length === 0) return false;
      await removeGrant(tx, id);
      return true;
    });
  }

  async removeGrant(id: string): Promise<void> {
    await transaction(this.#pool, '', (tx) => removeGrant(tx, id));
  }

  async findAccess(key: Uint8Array): Promise<{ grant: GrantRecord; scopes: Scope[]; plan: Plan } | null> {
    const sql = this.#pool;
    const [row] = await statement(
      async () => sql<(GrantRecord & { payload: string; plan: Plan })[]>`
        SELECT ${grantColumns(sql)}, r.payload, a.plan FROM oauth_records r
        JOIN oauth_grants g ON g.id = r.grant_id JOIN accounts a ON a.id = g.account_id
        WHERE r.kind = 'AccessToken' AND r.key = ${key} AND r.expires_at > ${this.#clock.now()} AND a.removed_at IS NULL`,
    );
    if (row === undefined) return null;
    const { payload, plan, ...grant } = row;
    const named = new Set(((JSON.parse(payload) as { scope?: string }).scope ?? '').split(' '));
    return { grant, plan, scopes: grant.scopes.filter((scope) => named.has(scope)) };
  }

  async touchGrant(id: string): Promise<void> {
    const now = this.#clock.now();
    await statement(async () => {
      const [row] = await this.#pool<{ lastUsedAt: number | null }[]>`
        SELECT last_used_at FROM oauth_grants WHERE id = ${id}`;
      if (row !== undefined && isLastUseOld(row.lastUsedAt, now))
        await this.#pool`UPDATE oauth_grants SET last_used_at = ${now} WHERE id = ${id}`;
    });
  }
}
