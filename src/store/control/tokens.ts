import { maxEndedKeys, maxKeys } from '../../domain/access/key.ts';
import { lastUseToNote } from '../../domain/access/token.ts';
import { newId } from '../../domain/records/ids.ts';
import { AppError, invalidInput } from '../../errors.ts';
import {
  all,
  first,
  fromJson,
  insertion,
  later,
  run,
  sql,
  type Steps,
  text,
  toJson,
  unlimited,
} from '../library/db.ts';
import type { NewToken, Rotation, TokenCredential, TokenRecord } from '../records/control-records.ts';
import { type ControlAccess, type ControlDb, holdAccount } from './control-db.ts';

const columns =
  text(`t.id, t.account_id, t.name, t.scopes, t.permissions, t.requests_per_minute, t.created_at, t.expires_at,
  t.last_used_at, t.last_network, t.rotated_at, t.old_until, t.revoked_at, t.made_by, t.held_to`);

const isValid = ({ now }: ControlDb) => sql`(t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > ${now}))`;

function toToken<T extends TokenRecord>(row: T): T {
  return { ...row, scopes: fromJson(row.scopes), permissions: fromJson(row.permissions), heldTo: fromJson(row.heldTo) };
}

function* createToken(db: ControlDb, token: NewToken): Steps<TokenRecord> {
  const { accountId, name, hash, scopes, permissions, requestsPerMinute, expiresAt, madeBy, heldTo } = token;
  const id = newId(permissions === null ? 't' : 'k');
  yield* holdAccount(db, accountId);
  yield* requireMaker(db, madeBy);
  yield* makeRoom(db, accountId, permissions === null ? 'tokens' : 'keys');
  yield* later`${insertion('tokens', {
    id,
    account_id: accountId,
    name,
    hash,
    scopes: toJson(scopes),
    permissions: toJson(permissions),
    requests_per_minute: requestsPerMinute,
    created_at: db.now,
    expires_at: expiresAt,
    made_by: madeBy,
    held_to: toJson(heldTo),
  })}`;
  const made = yield* getToken(id);
  if (made === null) throw new Error('a token that was just made is not there');
  return made;
}

/** Those that have ended are kept for a while to be listed. */
function* makeRoom(db: ControlDb, accountId: string, kind: 'keys' | 'tokens'): Steps<void> {
  const ofKind = sql`t.account_id = ${accountId} AND (t.permissions IS NULL) = ${kind === 'tokens'}`;
  const working = yield* first<{ count: number }>`
    SELECT count(*) AS count FROM tokens t WHERE ${ofKind} AND ${isValid(db)}`;
  if ((working?.count ?? 0) >= maxKeys)
    throw invalidInput(`An account has at most ${maxKeys} ${kind}. Revoke one that is not needed.`);
  yield* later`
    DELETE FROM tokens WHERE id IN (
      SELECT t.id FROM tokens t WHERE ${ofKind} AND NOT ${isValid(db)}
      ORDER BY t.created_at DESC, ${db.madeOrder('t')} DESC LIMIT ${unlimited} OFFSET ${maxEndedKeys})`;
}

/** The key that asks may have been revoked since it was looked up. */
function* requireMaker(db: ControlDb, id: string | null): Steps<void> {
  if (id === null) return;
  const found = yield* first`
    SELECT 1 AS found FROM tokens t WHERE t.id = ${id} AND ${isValid(db)} ${db.forShare}`;
  if (found === undefined) throw new AppError('unauthorized', 'This key was revoked or has expired.');
}

function* findCredential(hash: Uint8Array): Steps<TokenCredential | null> {
  const row = yield* first<TokenRecord & Omit<TokenCredential, 'token'>>`
    SELECT ${columns}, t.hash, t.old_hash, a.plan FROM tokens t JOIN accounts a ON a.id = t.account_id
    WHERE (t.hash = ${hash} OR t.old_hash = ${hash}) AND a.removed_at IS NULL`;
  if (row === undefined) return null;
  const { plan, hash: current, oldHash, ...token } = row;
  return { token: toToken(token), plan, hash: current, oldHash };
}

function* getToken(id: string): Steps<TokenRecord | null> {
  const row = yield* first<TokenRecord>`
    SELECT ${columns} FROM tokens t JOIN accounts a ON a.id = t.account_id
    WHERE t.id = ${id} AND a.removed_at IS NULL`;
  return row === undefined ? null : toToken(row);
}

function* listTokens(db: ControlDb, accountId?: string): Steps<TokenRecord[]> {
  const wanted =
    accountId === undefined
      ? sql`t.account_id IN (SELECT id FROM accounts WHERE removed_at IS NULL)`
      : sql`t.account_id = ${accountId}`;
  const rows = yield* all<TokenRecord>`
    SELECT ${columns} FROM tokens t WHERE ${wanted} ORDER BY t.created_at DESC, ${db.madeOrder('t')} DESC`;
  return rows.map(toToken);
}

function* revokeToken(db: ControlDb, id: string): Steps<boolean> {
  // A key that the account makes meanwhile is either seen by the next statement, or its maker is revoked first.
  yield* later`
    SELECT 1 FROM accounts WHERE id = (SELECT account_id FROM tokens WHERE id = ${id}) ${db.forUpdate}`;
  const revoked = yield* all<{ id: string }>`
    WITH RECURSIVE ended (id) AS (
      SELECT CAST(${id} AS text) UNION SELECT t.id FROM tokens t JOIN ended ON t.made_by = ended.id)
    UPDATE tokens SET revoked_at = ${db.now}
    WHERE id IN (SELECT ended.id FROM ended) AND revoked_at IS NULL RETURNING id`;
  return revoked.some((token) => token.id === id);
}

function* rotateToken(db: ControlDb, { id, hash, oldUntil, by }: Rotation): Steps<TokenRecord | null> {
  yield* requireMaker(db, by);
  const rotated = yield* run`
    UPDATE tokens AS t SET old_hash = hash, old_until = ${oldUntil}, hash = ${hash}, rotated_at = ${db.now}
    WHERE t.id = ${id} AND ${isValid(db)}`;
  return rotated === 0 ? null : yield* getToken(id);
}

export function tokenRecords({ read, change, write }: ControlAccess) {
  return {
    /** @throws {AppError} `invalid_input` when the account has too many keys; `unauthorized` when its maker has ended */
    createToken: (token: NewToken) => write((db) => createToken(db, token)),
    /** In one query, and null also when the account was removed. */
    findCredential: (hash: Uint8Array) => read(() => findCredential(hash)),
    getToken: (id: string) => read(() => getToken(id)),
    /** Newest first; of all accounts when none is given. */
    listTokens: (accountId?: string) => read((db) => listTokens(db, accountId)),
    /** Revokes it with all keys that it created, recursively. False when there is none, or it was already revoked. */
    revokeToken: (id: string) => write((db) => revokeToken(db, id)),
    /** Gives it another secret. Null when there is no such token that works. @throws {AppError} `unauthorized` when the key that asks has ended */
    rotateToken: (rotation: Rotation) => write((db) => rotateToken(db, rotation)),
    /** Notes a use, unless a recent one is noted already. */
    async touchToken(id: string, network: string | null) {
      const use = await read(function* ({ now }) {
        const token = yield* getToken(id);
        return token === null ? null : lastUseToNote(token, network, now);
      });
      if (use !== null)
        await change(
          () => run`UPDATE tokens SET last_used_at = ${use.at}, last_network = ${use.network} WHERE id = ${id}`,
        );
    },
  };
}
