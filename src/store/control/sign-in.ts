import { type LinkPurpose, maxSessions, newSecret, oldSecretMs } from '../../domain/access/sign-in.ts';
import { newId } from '../../domain/records/ids.ts';
import { noSuchAccount } from '../../errors.ts';
import { all, first, insertion, later, run, sql, type Steps, text, unlimited } from '../library/db.ts';
import type { LinkRecord, LoginRecord, SessionRecord } from '../records/control-records.ts';
import { type ControlAccess, type ControlDb, holdAccount } from './control-db.ts';

interface NewLogin {
  name: string;
  folded: string;
  passwordHash: string | null;
}

const logins = text(`
  SELECT l.account_id, a.name AS account_name, a.plan, l.name, l.password_hash
  FROM logins l JOIN accounts a ON a.id = l.account_id WHERE a.removed_at IS NULL`);

const sessions = ({ now }: ControlDb) => sql`
  SELECT s.id, s.account_id, a.name AS account_name, a.plan, s.browser, s.created_at, s.last_used_at, s.expires_at,
    s.secret_since
  FROM sessions s JOIN accounts a ON a.id = s.account_id WHERE a.removed_at IS NULL AND s.expires_at > ${now}`;

/** Sets the login. All sessions and links of the account end. False when another account has the name. */
function* writeLogin(db: ControlDb, accountId: string, { name, folded, passwordHash }: NewLogin): Steps<boolean> {
  // Logins are written one after the other, so that only one of two accounts gets a name.
  yield* later`SELECT 1 FROM control_state ${db.forUpdate}`;
  const taken = yield* first`
    SELECT 1 AS taken FROM logins WHERE folded = ${folded} AND account_id <> ${accountId}`;
  if (taken !== undefined) return false;
  yield* later`${insertion('logins', {
    account_id: accountId,
    name,
    folded,
    password_hash: passwordHash,
    changed_at: db.now,
  })} ON CONFLICT (account_id) DO UPDATE SET name = excluded.name, folded = excluded.folded,
    password_hash = excluded.password_hash, changed_at = excluded.changed_at`;
  yield* later`DELETE FROM sessions WHERE account_id = ${accountId}`;
  yield* later`DELETE FROM sign_in_links WHERE account_id = ${accountId}`;
  return true;
}

interface NewLink {
  accountId: string;
  purpose: LinkPurpose;
  hash: Uint8Array;
  expiresAt: number;
}

function* createLink(db: ControlDb, { accountId, purpose, hash, expiresAt }: NewLink): Steps<void> {
  yield* holdAccount(db, accountId);
  yield* later`
    DELETE FROM sign_in_links WHERE account_id = ${accountId} AND (purpose = ${purpose} OR expires_at <= ${db.now})`;
  yield* later`${insertion('sign_in_links', { hash, account_id: accountId, purpose, expires_at: expiresAt })}`;
}

function* setLoginByLink(db: ControlDb, hash: Uint8Array, login: NewLogin): Steps<'set' | 'used' | 'taken'> {
  // Locked until the end, so that only one of two concurrent users of the link succeeds.
  const link = yield* first<{ accountId: string }>`
    SELECT k.account_id FROM sign_in_links k
    WHERE k.hash = ${hash} AND k.expires_at > ${db.now} AND k.purpose <> 'open'
      AND k.account_id IN (SELECT a.id FROM accounts a WHERE a.removed_at IS NULL) ${db.forUpdate}`;
  if (link === undefined) return 'used';
  return (yield* writeLogin(db, link.accountId, login)) ? 'set' : 'taken';
}

function* setPassword(db: ControlDb, accountId: string, passwordHash: string, keptSession: string): Steps<void> {
  yield* later`
    UPDATE logins SET password_hash = ${passwordHash}, changed_at = ${db.now} WHERE account_id = ${accountId}`;
  yield* later`DELETE FROM sessions WHERE account_id = ${accountId} AND id <> ${keptSession}`;
  yield* later`DELETE FROM sign_in_links WHERE account_id = ${accountId}`;
}

interface NewSession {
  accountId: string;
  hash: Uint8Array;
  browser: string;
  expiresAt: number;
}

function* createSession(db: ControlDb, { accountId, hash, browser, expiresAt }: NewSession): Steps<SessionRecord> {
  const { now } = db;
  const id = newId('s');
  yield* holdAccount(db, accountId);
  yield* later`DELETE FROM sessions WHERE expires_at <= ${now}`;
  yield* later`${insertion('sessions', {
    id,
    account_id: accountId,
    hash,
    secret_since: now,
    browser,
    created_at: now,
    last_used_at: now,
    expires_at: expiresAt,
  })}`;
  yield* later`
    DELETE FROM sessions WHERE id IN (SELECT s.id FROM sessions s WHERE s.account_id = ${accountId} AND s.id <> ${id}
      ORDER BY s.last_used_at DESC, s.created_at DESC LIMIT ${unlimited} OFFSET ${maxSessions - 1})`;
  const made = yield* first<SessionRecord>`${sessions(db)} AND s.id = ${id}`;
  if (made === undefined) throw noSuchAccount();
  return made;
}

function* serverSecret(name: string): Steps<string> {
  yield* later`${insertion('server_secrets', { name, secret: newSecret() })} ON CONFLICT DO NOTHING`;
  const row = yield* first<{ secret: string }>`SELECT secret FROM server_secrets WHERE name = ${name}`;
  return row?.secret ?? '';
}

function* orNull<T>(found: Steps<T | undefined>): Steps<T | null> {
  return (yield* found) ?? null;
}

function* any(changed: Steps<number>): Steps<boolean> {
  return (yield* changed) > 0;
}

export function signInRecords({ read, change, write }: ControlAccess) {
  return {
    hasLogins: async () => (await read(() => first`${logins} LIMIT 1`)) !== undefined,
    /** @param folded the name, as `foldedLoginName` makes it */
    findLogin: (folded: string) => read(() => orNull(first<LoginRecord>`${logins} AND l.folded = ${folded}`)),
    findLoginOf: (accountId: string) =>
      read(() => orNull(first<LoginRecord>`${logins} AND l.account_id = ${accountId}`)),
    /** Ends the account's earlier links of the same purpose. */
    createLink: (link: NewLink) => write((db) => createLink(db, link)),
    /** Null when there is no such link, or it has expired. */
    findLink: (hash: Uint8Array) =>
      read(({ now }) =>
        orNull(first<LinkRecord>`
          SELECT k.account_id, a.name AS account_name, k.purpose, k.expires_at, l.name
          FROM sign_in_links k JOIN accounts a ON a.id = k.account_id LEFT JOIN logins l ON l.account_id = k.account_id
          WHERE k.hash = ${hash} AND k.expires_at > ${now} AND a.removed_at IS NULL`),
      ),
    /** Those of all accounts that work now. */
    listLinks: () =>
      read(
        ({ now }) =>
          all<Pick<LinkRecord, 'accountId' | 'purpose' | 'expiresAt'>>`
          SELECT account_id, purpose, expires_at FROM sign_in_links WHERE expires_at > ${now} ORDER BY expires_at`,
      ),
    /** Uses a link up. True for exactly one caller. */
    takeLink: (hash: Uint8Array) =>
      change(({ now }) => any(run`DELETE FROM sign_in_links WHERE hash = ${hash} AND expires_at > ${now}`)),
    /**
     * Uses up a link and sets the login of its account, in one write. All sessions and other links of the account end.
     * `used`: the link no longer exists. `taken`: another account has the name, and the link stays valid.
     */
    setLoginByLink: (hash: Uint8Array, login: NewLogin) => write((db) => setLoginByLink(db, hash, login)),
    /**
     * Sets the login of an account. All its sessions and links end. False when another account has the name.
     * @throws {AppError} `not_found` when there is no such account
     */
    setLogin: (accountId: string, login: NewLogin) =>
      write(function* (db) {
        yield* holdAccount(db, accountId);
        return yield* writeLogin(db, accountId, login);
      }),
    /** Ends the account's other sessions and its links. */
    setPassword: (accountId: string, passwordHash: string, kept: string) =>
      write((db) => setPassword(db, accountId, passwordHash, kept)),
    createSession: (session: NewSession) => write((db) => createSession(db, session)),
    /** By its present secret, or by the one before it for a short time. Null when it has ended. */
    findSession: (hash: Uint8Array) =>
      read((db) =>
        orNull(first<SessionRecord>`
          ${sessions(db)} AND (s.hash = ${hash} OR (s.old_hash = ${hash} AND s.secret_since > ${db.now - oldSecretMs}))`),
      ),
    /** Replaces the secret. False when another request has just done so. */
    renewSession: (id: string, oldHash: Uint8Array, newHash: Uint8Array) =>
      change(({ now }) =>
        any(run`
          UPDATE sessions SET hash = ${newHash}, old_hash = hash, secret_since = ${now}
          WHERE id = ${id} AND hash = ${oldHash}`),
      ),
    async touchSession(id: string, expiresAt: number) {
      await change(
        ({ now }) => run`UPDATE sessions SET last_used_at = ${now}, expires_at = ${expiresAt} WHERE id = ${id}`,
      );
    },
    /** The last used first. */
    listSessions: (accountId: string) =>
      read(
        (db) =>
          all<SessionRecord>`${sessions(db)} AND s.account_id = ${accountId} ORDER BY s.last_used_at DESC LIMIT 200`,
      ),
    /** False when the account has no such session. */
    endSession: (accountId: string, id: string) =>
      change(() => any(run`DELETE FROM sessions WHERE account_id = ${accountId} AND id = ${id}`)),
    /** A random secret of this data folder, made at the first call with its name. */
    serverSecret: (name: string) => write(() => serverSecret(name)),
  };
}
