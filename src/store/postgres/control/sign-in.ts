import { maxSessions, newSecret, oldSecretMs } from '../../../domain/access/sign-in.ts';
import type { Clock } from '../../../domain/clock.ts';
import { newId } from '../../../domain/records/ids.ts';
import { noSuchAccount } from '../../../errors.ts';
import type { LinkRecord, LoginRecord, SessionRecord, SignInRecords } from '../../records/sign-in-records.ts';
import { type Pool, statement, transaction, type Tx } from '../database.ts';
import { isDuplicate } from '../errors.ts';
import { lockAccount } from './accounts.ts';

interface NewLogin {
  name: string;
  folded: string;
  passwordHash: string | null;
}

const logins = (sql: Pool) => sql`
  SELECT l.account_id, a.name AS account_name, a.plan, l.name, l.password_hash
  FROM logins l JOIN accounts a ON a.id = l.account_id WHERE a.removed_at IS NULL`;

const sessions = (sql: Pool | Tx, now: number) => sql`
  SELECT s.id, s.account_id, a.name AS account_name, a.plan, s.browser, s.created_at, s.last_used_at, s.expires_at,
    s.secret_since
  FROM sessions s JOIN accounts a ON a.id = s.account_id WHERE a.removed_at IS NULL AND s.expires_at > ${now}`;

/** Sets the login. All sessions and links of the account end. */
async function writeLogin(tx: Tx, accountId: string, { name, folded, passwordHash }: NewLogin, now: number) {
  await tx`
    INSERT INTO logins (account_id, name, folded, password_hash, changed_at)
    VALUES (${accountId}, ${name}, ${folded}, ${passwordHash}, ${now})
    ON CONFLICT (account_id) DO UPDATE SET name = excluded.name, folded = excluded.folded,
      password_hash = excluded.password_hash, changed_at = excluded.changed_at`;
  await tx`DELETE FROM sessions WHERE account_id = ${accountId}`;
  await tx`DELETE FROM sign_in_links WHERE account_id = ${accountId}`;
}

/** The result of a write of a login, or `taken` when another account has the name: then nothing is written. */
async function unlessTaken<T, U>(write: () => Promise<T>, taken: U): Promise<T | U> {
  try {
    return await write();
  } catch (error) {
    if (isDuplicate(error, 'logins_by_name')) return taken;
    throw error;
  }
}

/** People's logins, links and sessions. */
export class PostgresSignIn implements SignInRecords {
  readonly #pool: Pool;
  readonly #clock: Clock;

  constructor(pool: Pool, clock: Clock) {
    this.#pool = pool;
    this.#clock = clock;
  }

  async hasLogins(): Promise<boolean> {
    return statement(async () => (await this.#pool`${logins(this.#pool)} LIMIT 1`).length > 0);
  }

  async findLogin(folded: string): Promise<LoginRecord | null> {
    const sql = this.#pool;
    const [login] = await statement(async () => sql<LoginRecord[]>`${logins(sql)} AND l.folded = ${folded}`);
    return login ?? null;
  }

  async findLoginOf(accountId: string): Promise<LoginRecord | null> {
    const sql = this.#pool;
    const [login] = await statement(async () => sql<LoginRecord[]>`${logins(sql)} AND l.account_id = ${accountId}`);
    return login ?? null;
  }

  async createLink({ accountId, purpose, hash, expiresAt }: Parameters<SignInRecords['createLink']>[0]): Promise<void> {
    const now = this.#clock.now();
    await transaction(this.#pool, '', async (tx) => {
      await lockAccount(tx, accountId);
      await tx`
        DELETE FROM sign_in_links WHERE account_id = ${accountId} AND (purpose = ${purpose} OR expires_at <= ${now})`;
      await tx`
        INSERT INTO sign_in_links (hash, account_id, purpose, expires_at)
        VALUES (${hash}, ${accountId}, ${purpose}, ${expiresAt})`;
    });
  }

  async findLink(hash: Uint8Array): Promise<LinkRecord | null> {
    const [link] = await statement(
      async () => this.#pool<LinkRecord[]>`
        SELECT k.account_id, a.name AS account_name, k.purpose, k.expires_at, l.name
        FROM sign_in_links k JOIN accounts a ON a.id = k.account_id LEFT JOIN logins l ON l.account_id = k.account_id
        WHERE k.hash = ${hash} AND k.expires_at > ${this.#clock.now()} AND a.removed_at IS NULL`,
    );
    return link ?? null;
  }

  async listLinks(): ReturnType<SignInRecords['listLinks']> {
    return statement(async () => [
      ...(await this.#pool<Awaited<ReturnType<SignInRecords['listLinks']>>>`
        SELECT account_id, purpose, expires_at FROM sign_in_links
        WHERE expires_at > ${this.#clock.now()} ORDER BY expires_at`),
    ]);
  }

  async takeLink(hash: Uint8Array): Promise<boolean> {
    return statement(async () => {
      const now = this.#clock.now();
      return (await this.#pool`DELETE FROM sign_in_links WHERE hash = ${hash} AND expires_at > ${now}`).count > 0;
    });
  }

  async setLoginByLink(hash: Uint8Array, login: NewLogin): Promise<'set' | 'used' | 'taken'> {
    const now = this.#clock.now();
    const write = () =>
      transaction(this.#pool, '', async (tx) => {
        // Held until the end, so that of two who use the link at once one finds it gone.
        const [link] = await tx<{ accountId: string }[]>`
          SELECT k.account_id FROM sign_in_links k JOIN accounts a ON a.id = k.account_id
          WHERE k.hash = ${hash} AND k.expires_at > ${now} AND a.removed_at IS NULL AND k.purpose <> 'open'
          FOR UPDATE OF k`;
        if (link === undefined) return 'used' as const;
        await writeLogin(tx, link.accountId, login, now);
        return 'set' as const;
      });
    return unlessTaken(write, 'taken' as const);
  }

  async setLogin(accountId: string, login: NewLogin): Promise<boolean> {
    const write = () =>
      transaction(this.#pool, '', async (tx) => {
        await lockAccount(tx, accountId);
        await writeLogin(tx, accountId, login, this.#clock.now());
        return true;
      });
    return unlessTaken(write, false);
  }

  async setPassword(accountId: string, passwordHash: string, keptSession: string): Promise<void> {
    const now = this.#clock.now();
    await transaction(this.#pool, '', async (tx) => {
      await tx`
        UPDATE logins SET password_hash = ${passwordHash}, changed_at = ${now} WHERE account_id = ${accountId}`;
      await tx`DELETE FROM sessions WHERE account_id = ${accountId} AND id <> ${keptSession}`;
      await tx`DELETE FROM sign_in_links WHERE account_id = ${accountId}`;
    });
  }

  async createSession(session: Parameters<SignInRecords['createSession']>[0]): Promise<SessionRecord> {
    const { accountId, hash, browser, expiresAt } = session;
    const id = newId('s');
    const now = this.#clock.now();
    return transaction(this.#pool, '', async (tx) => {
      await lockAccount(tx, accountId);
      await tx`DELETE FROM sessions WHERE expires_at <= ${now}`;
      await tx`
        INSERT INTO sessions (id, account_id, hash, secret_since, browser, created_at, last_used_at, expires_at)
        VALUES (${id}, ${accountId}, ${hash}, ${now}, ${browser}, ${now}, ${now}, ${expiresAt})`;
      await tx`
        DELETE FROM sessions WHERE id IN (SELECT s.id FROM sessions s WHERE s.account_id = ${accountId} AND s.id <> ${id}
          ORDER BY s.last_used_at DESC, s.created_at DESC OFFSET ${maxSessions - 1})`;
      const [made] = await tx<SessionRecord[]>`${sessions(tx, now)} AND s.id = ${id}`;
      if (made === undefined) throw noSuchAccount();
      return made;
    });
  }

  async findSession(hash: Uint8Array): Promise<SessionRecord | null> {
    const sql = this.#pool;
    const now = this.#clock.now();
    const [session] = await statement(
      async () => sql<SessionRecord[]>`
        ${sessions(sql, now)}
        AND (s.hash = ${hash} OR (s.old_hash = ${hash} AND s.secret_since > ${now - oldSecretMs}))`,
    );
    return session ?? null;
  }

  async renewSession(id: string, oldHash: Uint8Array, newHash: Uint8Array): Promise<boolean> {
    return statement(async () => {
      const renewed = await this.#pool`
        UPDATE sessions SET hash = ${newHash}, old_hash = hash, secret_since = ${this.#clock.now()}
        WHERE id = ${id} AND hash = ${oldHash}`;
      return renewed.count > 0;
    });
  }

  async touchSession(id: string, expiresAt: number): Promise<void> {
    await statement(
      async () => this.#pool`
        UPDATE sessions SET last_used_at = ${this.#clock.now()}, expires_at = ${expiresAt} WHERE id = ${id}`,
    );
  }

  async listSessions(accountId: string): Promise<SessionRecord[]> {
    const sql = this.#pool;
    return statement(async () => [
      ...(await sql<SessionRecord[]>`
        ${sessions(sql, this.#clock.now())} AND s.account_id = ${accountId} ORDER BY s.last_used_at DESC LIMIT 200`),
    ]);
  }

  async endSession(accountId: string, id: string): Promise<boolean> {
    return statement(
      async () => (await this.#pool`DELETE FROM sessions WHERE account_id = ${accountId} AND id = ${id}`).count > 0,
    );
  }

  async serverSecret(name: string): Promise<string> {
    return statement(async () => {
      await this.#pool`
        INSERT INTO server_secrets (name, secret) VALUES (${name}, ${newSecret()}) ON CONFLICT DO NOTHING`;
      const [row] = await this.#pool<{ secret: string }[]>`SELECT secret FROM server_secrets WHERE name = ${name}`;
      return row?.secret ?? '';
    });
  }
}
