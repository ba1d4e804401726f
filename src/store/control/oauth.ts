import { maxGrants, maxUnanswered, type OAuthKind } from '../../domain/access/oauth.ts';
import { isLastUseOld } from '../../domain/access/token.ts';
import type { Plan, Scope } from '../../domain/records/account.ts';
import { all, first, fromJson, insertion, later, run, type Steps, text, toJson, unlimited } from '../library/db.ts';
import type { GrantRecord, OAuthRecord } from '../records/control-records.ts';
import { type ControlAccess, type ControlDb, holdAccount } from './control-db.ts';

/** Expired records removed with each new one: more than are made, so that none pile up. */
const maxExpiredRemoved = 50;

const grantColumns = text('g.id, g.account_id, g.name, g.host, g.scopes, g.created_at, g.last_used_at');

const toGrant = (row: GrantRecord): GrantRecord => ({ ...row, scopes: fromJson(row.scopes) });

function* removeGrant(id: string): Steps<void> {
  yield* later`DELETE FROM oauth_records WHERE grant_id = ${id}`;
  yield* later`DELETE FROM oauth_grants WHERE id = ${id}`;
}

interface NewRecord {
  payload: string;
  uid: string | null;
  grantId: string | null;
  expiresAt: number;
}

function* put(
  db: ControlDb,
  kind: OAuthKind,
  key: Uint8Array,
  { payload, uid, grantId, expiresAt }: NewRecord,
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

interface NewGrant extends Omit<GrantRecord, 'createdAt' | 'lastUsedAt'> {
  clientKey: Uint8Array;
  expiresAt: number;
}

function* addGrant(db: ControlDb, grant: NewGrant): Steps<void> {
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

interface Access {
  grant: GrantRecord;
  scopes: Scope[];
  plan: Plan;
}

function* findAccess({ now }: ControlDb, key: Uint8Array): Steps<Access | null> {
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

export function oauthRecords({ read, change, write }: ControlAccess) {
  return {
    put: (kind: OAuthKind, key: Uint8Array, record: NewRecord) => write((db) => put(db, kind, key, record)),
    async find(kind: OAuthKind, key: Uint8Array) {
      const record = await read(
        ({ now }) => first<OAuthRecord>`
          SELECT payload, consumed_at FROM oauth_records WHERE kind = ${kind} AND key = ${key} AND expires_at > ${now}`,
      );
      return record ?? null;
    },
    async findByUid(kind: OAuthKind, uid: string) {
      const record = await read(
        ({ now }) => first<OAuthRecord>`
          SELECT payload, consumed_at FROM oauth_records WHERE uid = ${uid} AND kind = ${kind} AND expires_at > ${now}`,
      );
      return record ?? null;
    },
    async remove(kind: OAuthKind, key: Uint8Array) {
      await change(() => run`DELETE FROM oauth_records WHERE kind = ${kind} AND key = ${key}`);
    },
    async removeByGrant(kind: OAuthKind, grantId: string) {
      await change(() => run`DELETE FROM oauth_records WHERE grant_id = ${grantId} AND kind = ${kind}`);
    },
    /** Marks a record as used. True for exactly one caller. */
    async consume(kind: OAuthKind, key: Uint8Array) {
      const consumed = await change(
        ({ now }) => run`
          UPDATE oauth_records SET consumed_at = ${now} WHERE kind = ${kind} AND key = ${key} AND consumed_at IS NULL`,
      );
      return consumed > 0;
    },
    /** Called when a person has said yes. Keeps the assistant's registration for as long as the grant. */
    addGrant: (grant: NewGrant) => write((db) => addGrant(db, grant)),
    /** Those that still have a token, the last connected first. */
    async listGrants(accountId: string) {
      const rows = await read(
        ({ now }) => all<GrantRecord>`
          SELECT ${grantColumns} FROM oauth_grants g WHERE g.account_id = ${accountId} AND EXISTS (
            SELECT 1 FROM oauth_records r
            WHERE r.grant_id = g.id AND r.kind IN ('AccessToken', 'RefreshToken') AND r.expires_at > ${now})
          ORDER BY g.created_at DESC`,
      );
      return rows.map(toGrant);
    },
    /** Ends a grant with all its tokens and codes. False when the account has no such grant. */
    endGrant: (accountId: string, id: string) => write((db) => endGrant(db, accountId, id)),
    removeGrant: (id: string) => write(() => removeGrant(id)),
    /** The grant of a valid access token, and the token's scopes. Null for every other token. */
    findAccess: (key: Uint8Array) => read((db) => findAccess(db, key)),
    async touchGrant(id: string) {
      const [now, grant] = await read(function* (db) {
        const row = yield* first<{ lastUsedAt: number | null }>`SELECT last_used_at FROM oauth_grants WHERE id = ${id}`;
        return [db.now, row] as const;
      });
      if (grant !== undefined && isLastUseOld(grant.lastUsedAt, now))
        await change(() => run`UPDATE oauth_grants SET last_used_at = ${now} WHERE id = ${id}`);
    },
  };
}
