import { maxGrants, maxUnanswered, type OAuthKind } from '../../domain/access/oauth.ts';
import { isLastUseOld } from '../../domain/access/token.ts';
import type { Plan } from '../../domain/records/account.ts';
import { all, first, fromJson, insertion, later, run, type Steps, text, toJson, unlimited } from '../library/db.ts';
import type { GrantRecord, OAuthRecord, OAuthRecords } from '../records/oauth-records.ts';
import { type ControlAccess, type ControlDb, holdAccount } from './control-db.ts';

/** Expired records removed with each new one: more than are made, so that none pile up. */
const maxExpiredRemoved = 50;

const grantColumns = text('g.id, g.account_id, g.name, g.host, g.scopes, g.created_at, g.last_used_at');

const toGrant = (row: GrantRecord): GrantRecord => ({ ...row, scopes: fromJson(row.scopes) });

function* removeGrant(id: string): Steps<void> {
  yield* later`DELETE FROM oauth_records WHERE grant_id = ${id}`;
  yield* later`DELETE FROM oauth_grants WHERE id = ${id}`;
}

function* put(
  db: ControlDb,
  kind: OAuthKind,
  key: Uint8Array,
  { payload, uid, grantId, expiresAt }: Parameters<OAuthRecords['put']>[2],
): Steps<void> {
  yield* later`
    DELETE FROM oauth_records WHERE (kind, key) IN (
      SELECT kind, key FROM oauth_records WHERE expires_at <= ${db.now}
      ORDER BY expires_at LIMIT ${maxExpiredRemoved} ${db.forUpdateOfFree})`;
  yield* later`${insertion('oauth_records', {
    kind,
    key,
    uid,
    grant_id: grantId,
    payload,
    created_at: db.now,
    expires_at: expiresAt,
  })} ON CONFLICT (kind, key) DO UPDATE SET uid = excluded.uid, grant_id = excluded.grant_id,
    payload = excluded.payload, expires_at = excluded.expires_at`;
  const max = maxUnanswered[kind];
  if (max === undefined) return;
  // All records of a kind live equally long, so the first to end are the oldest. The index holds no payloads.
  yield* later`
    DELETE FROM oauth_records WHERE kind = ${kind} AND key IN (
      SELECT r.key FROM oauth_records r ${db.byIndex('oauth_records_by_end')}
      WHERE r.kind = ${kind} AND NOT EXISTS (SELECT 1 FROM oauth_grants g WHERE g.client_key = r.key)
      ORDER BY r.expires_at DESC LIMIT ${unlimited} OFFSET ${max})`;
}

function* addGrant(db: ControlDb, grant: Parameters<OAuthRecords['addGrant']>[0]): Steps<void> {
  const { id, accountId, clientKey, name, host, scopes, expiresAt } = grant;
  yield* holdAccount(db, accountId);
  yield* later`${insertion('oauth_grants', {
    id,
    account_id: accountId,
    client_key: clientKey,
    name,
    host,
    scopes: toJson(scopes),
    created_at: db.now,
  })}`;
  yield* later`
    UPDATE oauth_records SET expires_at = ${expiresAt}
    WHERE kind = 'Client' AND key = ${clientKey} AND expires_at < ${expiresAt}`;
  // Grants of which no token and no code is left.
  yield* later`
    DELETE FROM oauth_grants AS g WHERE g.id <> ${id} AND g.account_id = ${accountId} AND g.created_at < ${db.now - 3_600_000}
      AND NOT EXISTS (
        SELECT 1 FROM oauth_records r WHERE r.grant_id = g.id AND r.kind <> 'Grant' AND r.expires_at > ${db.now})`;
  const unused = yield* all<{ id: string }>`
    SELECT id FROM oauth_grants WHERE account_id = ${accountId} AND id <> ${id}
    ORDER BY coalesce(last_used_at, created_at) DESC, id LIMIT ${unlimited} OFFSET ${maxGrants - 1}`;
  for (const one of unused) yield* removeGrant(one.id);
}

function* endGrant(db: ControlDb, accountId: string, id: string): Steps<boolean> {
  const found = yield* first`
    SELECT 1 AS found FROM oauth_grants WHERE id = ${id} AND account_id = ${accountId} ${db.forUpdate}`;
  if (found === undefined) return false;
  yield* removeGrant(id);
  return true;
}

function* findAccess({ now }: ControlDb, key: Uint8Array): Steps<Awaited<ReturnType<OAuthRecords['findAccess']>>> {
  const row = yield* first<GrantRecord & { payload: string; plan: Plan }>`
    SELECT ${grantColumns}, r.payload, a.plan FROM oauth_records r
      JOIN oauth_grants g ON g.id = r.grant_id JOIN accounts a ON a.id = g.account_id
    WHERE r.kind = 'AccessToken' AND r.key = ${key} AND r.expires_at > ${now} AND a.removed_at IS NULL`;
  if (row === undefined) return null;
  const { payload, plan, ...granted } = row;
  const grant = toGrant(granted);
  const named = new Set(((JSON.parse(payload) as { scope?: string }).scope ?? '').split(' '));
  return { grant, plan, scopes: grant.scopes.filter((scope) => named.has(scope)) };
}

/** The records of the authorization server. */
export function oauthRecords({ read, change, write }: ControlAccess): OAuthRecords {
  return {
    put: (kind, key, record) => write((db) => put(db, kind, key, record)),
    async find(kind, key) {
      const record = await read(
        ({ now }) => first<OAuthRecord>`
          SELECT payload, consumed_at FROM oauth_records WHERE kind = ${kind} AND key = ${key} AND expires_at > ${now}`,
      );
      return record ?? null;
    },
    async findByUid(kind, uid) {
      const record = await read(
        ({ now }) => first<OAuthRecord>`
          SELECT payload, consumed_at FROM oauth_records WHERE uid = ${uid} AND kind = ${kind} AND expires_at > ${now}`,
      );
      return record ?? null;
    },
    async remove(kind, key) {
      await change(() => run`DELETE FROM oauth_records WHERE kind = ${kind} AND key = ${key}`);
    },
    async removeByGrant(kind, grantId) {
      await change(() => run`DELETE FROM oauth_records WHERE grant_id = ${grantId} AND kind = ${kind}`);
    },
    async consume(kind, key) {
      const consumed = await change(
        ({ now }) => run`
          UPDATE oauth_records SET consumed_at = ${now} WHERE kind = ${kind} AND key = ${key} AND consumed_at IS NULL`,
      );
      return consumed > 0;
    },
    addGrant: (grant) => write((db) => addGrant(db, grant)),
    async listGrants(accountId) {
      const rows = await read(
        ({ now }) => all<GrantRecord>`
          SELECT ${grantColumns} FROM oauth_grants g WHERE g.account_id = ${accountId} AND EXISTS (
            SELECT 1 FROM oauth_records r
            WHERE r.grant_id = g.id AND r.kind IN ('AccessToken', 'RefreshToken') AND r.expires_at > ${now})
          ORDER BY g.created_at DESC`,
      );
      return rows.map(toGrant);
    },
    endGrant: (accountId, id) => write((db) => endGrant(db, accountId, id)),
    removeGrant: (id) => write(() => removeGrant(id)),
    findAccess: (key) => read((db) => findAccess(db, key)),
    async touchGrant(id) {
      const [now, grant] = await read(function* (db) {
        const row = yield* first<{ lastUsedAt: number | null }>`SELECT last_used_at FROM oauth_grants WHERE id = ${id}`;
        return [db.now, row] as const;
      });
      if (grant !== undefined && isLastUseOld(grant.lastUsedAt, now))
        await change(() => run`UPDATE oauth_grants SET last_used_at = ${now} WHERE id = ${id}`);
    },
  };
}
