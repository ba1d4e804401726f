import { newId } from '../../../domain/records/ids.ts';
import { maxSessions, newSecret, oldSecretMs } from '../../../domain/access/sign-in.ts';
import { noSuchAccount } from '../../../errors.ts';
import type { LinkRecord, LoginRecord, SessionRecord, SignInRecords } from '../../records/sign-in-records.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

/** Runs work on `control.db` at the present time, as one read or one write transaction. */
export type UseControl = <T>(work: (file: SqliteFile, now: number) => T) => Promise<T>;

const loginQuery = `SELECT l.account_id AS accountId, a.name AS accountName, a.plan, l.name, l.password_hash AS passwordHash
  FROM logins l JOIN accounts a ON a.id = l.account_id WHERE a.removed_at IS NULL`;

const sessionQuery = `SELECT s.id, s.account_id AS accountId, a.name AS accountName, a.plan, s.browser, s.created_at AS createdAt,
    s.last_used_at AS lastUsedAt, s.expires_at AS expiresAt, s.secret_since AS secretSince
  FROM sessions s JOIN accounts a ON a.id = s.account_id WHERE a.removed_at IS NULL AND s.expires_at > @now`;

/** Removes all that lets the person of an account in. */
export function forgetSignIn(file: SqliteFile, accountId: string): void {
  for (const table of ['logins', 'sign_in_links', 'sessions'])
    file.run(`DELETE FROM ${table} WHERE account_id = ?`, accountId);
}

interface NewLogin {
  name: string;
  folded: string;
  passwordHash: string | null;
}

/** False when another account has the name. */
function writeLogin(file: SqliteFile, accountId: string, login: NewLogin, now: number): boolean {
  const taken = file.get('SELECT 1 FROM logins WHERE folded = ? AND account_id <> ?', login.folded, accountId);
  if (taken !== undefined) return false;
  file.run(
    `INSERT INTO logins (account_id, name, folded, password_hash, changed_at) VALUES (@accountId, @name, @folded, @passwordHash, @now)
     ON CONFLICT (account_id) DO UPDATE SET name = @name, folded = @folded, password_hash = @passwordHash, changed_at = @now`,
    { accountId, ...login, now },
  );
  file.run('DELETE FROM sessions WHERE account_id = ?', accountId);
  file.run('DELETE FROM sign_in_links WHERE account_id = ?', accountId);
  return true;
}

/** People's logins, links and sessions in `control.db`. */
export class SqliteSignIn implements SignInRecords {
  readonly #use: UseControl;
  readonly #write: UseControl;

  constructor(use: UseControl, write: UseControl) {
    this.#use = use;
    this.#write = write;
  }

  async hasLogins(): Promise<boolean> {
    return this.#use((file) => file.get(`${loginQuery} LIMIT 1`) !== undefined);
  }

  async findLogin(folded: string): Promise<LoginRecord | null> {
    return this.#use((file) => file.get<LoginRecord>(`${loginQuery} AND l.folded = ?`, folded) ?? null);
  }

  async findLoginOf(accountId: string): Promise<LoginRecord | null> {
    return this.#use((file) => file.get<LoginRecord>(`${loginQuery} AND l.account_id = ?`, accountId) ?? null);
  }

  async createLink(link: Parameters<SignInRecords['createLink']>[0]): Promise<void> {
    await this.#write((file, now) => {
      const { accountId, purpose, hash, expiresAt } = link;
      if (file.get('SELECT 1 FROM accounts WHERE id = ? AND removed_at IS NULL', accountId) === undefined)
        throw noSuchAccount();
      file.run(
        'DELETE FROM sign_in_links WHERE expires_at <= ? OR (account_id = ? AND purpose = ?)',
        now,
        accountId,
        purpose,
      );
      file.run(
        'INSERT INTO sign_in_links (hash, account_id, purpose, expires_at) VALUES (?, ?, ?, ?)',
        hash,
        accountId,
        purpose,
        expiresAt,
      );
    });
  }

  async findLink(hash: Uint8Array): Promise<LinkRecord | null> {
    return this.#use(
      (file, now) =>
        file.get<LinkRecord>(
          `SELECT k.account_id AS accountId, a.name AS accountName, k.purpose, k.expires_at AS expiresAt, l.name
           FROM sign_in_links k JOIN accounts a ON a.id = k.account_id LEFT JOIN logins l ON l.account_id = k.account_id
           WHERE k.hash = ? AND k.expires_at > ? AND a.removed_at IS NULL`,
          hash,
          now,
        ) ?? null,
    );
  }

  async listLinks(): ReturnType<SignInRecords['listLinks']> {
    return this.#use((file, now) =>
      file.all(
        'SELECT account_id AS accountId, purpose, expires_at AS expiresAt FROM sign_in_links WHERE expires_at > ? ORDER BY expires_at',
        now,
      ),
    );
  }

  async takeLink(hash: Uint8Array): Promise<boolean> {
    return this.#write(
      (file, now) => file.run('DELETE FROM sign_in_links WHERE hash = ? AND expires_at > ?', hash, now).changes > 0,
    );
  }

  async setLoginByLink(hash: Uint8Array, login: NewLogin): Promise<'set' | 'used' | 'taken'> {
    return this.#write((file, now) => {
      const link = file.get<{ accountId: string }>(
        `SELECT k.account_id AS accountId FROM sign_in_links k JOIN accounts a ON a.id = k.account_id
         WHERE k.hash = ? AND k.expires_at > ? AND a.removed_at IS NULL AND k.purpose <> 'open'`,
        hash,
        now,
      );
      if (link === undefined) return 'used';
      return writeLogin(file, link.accountId, login, now) ? 'set' : 'taken';
    });
  }

  async setLogin(accountId: string, login: NewLogin): Promise<boolean> {
    return this.#write((file, now) => {
      if (file.get('SELECT 1 FROM accounts WHERE id = ? AND removed_at IS NULL', accountId) === undefined)
        throw noSuchAccount();
      return writeLogin(file, accountId, login, now);
    });
  }

  async setPassword(accountId: string, passwordHash: string, keptSession: string): Promise<void> {
    await this.#write((file, now) => {
      file.run(
        'UPDATE logins SET password_hash = ?, changed_at = ? WHERE account_id = ?',
        passwordHash,
        now,
        accountId,
      );
      file.run('DELETE FROM sessions WHERE account_id = ? AND id <> ?', accountId, keptSession);
      file.run('DELETE FROM sign_in_links WHERE account_id = ?', accountId);
    });
  }

  async createSession(session: Parameters<SignInRecords['createSession']>[0]): Promise<SessionRecord> {
    const id = newId('s');
    return this.#write((file, now) => {
      file.run('DELETE FROM sessions WHERE expires_at <= ?', now);
      file.run(
        `INSERT INTO sessions (id, account_id, hash, secret_since, browser, created_at, last_used_at, expires_at)
         VALUES (@id, @accountId, @hash, @now, @browser, @now, @now, @expiresAt)`,
        { id, ...session, now },
      );
      file.run(
        `DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE account_id = ? AND id <> ?
           ORDER BY last_used_at DESC, rowid DESC LIMIT -1 OFFSET ${maxSessions - 1})`,
        session.accountId,
        id,
      );
      const made = file.get<SessionRecord>(`${sessionQuery} AND s.id = @id`, { id, now });
      if (made === undefined) throw noSuchAccount();
      return made;
    });
  }

  async findSession(hash: Uint8Array): Promise<SessionRecord | null> {
    return this.#use(
      (file, now) =>
        file.get<SessionRecord>(
          `${sessionQuery} AND (s.hash = @hash OR (s.old_hash = @hash AND s.secret_since > @since))`,
          { hash, now, since: now - oldSecretMs },
        ) ?? null,
    );
  }

  async renewSession(id: string, oldHash: Uint8Array, newHash: Uint8Array): Promise<boolean> {
    return this.#write(
      (file, now) =>
        file.run(
          'UPDATE sessions SET hash = ?, old_hash = hash, secret_since = ? WHERE id = ? AND hash = ?',
          newHash,
          now,
          id,
          oldHash,
        ).changes > 0,
    );
  }

  async touchSession(id: string, expiresAt: number): Promise<void> {
    await this.#write((file, now) =>
      file.run('UPDATE sessions SET last_used_at = ?, expires_at = ? WHERE id = ?', now, expiresAt, id),
    );
  }

  async listSessions(accountId: string): Promise<SessionRecord[]> {
    return this.#use((file, now) =>
      file.all<SessionRecord>(`${sessionQuery} AND s.account_id = @accountId ORDER BY s.last_used_at DESC LIMIT 200`, {
        accountId,
        now,
      }),
    );
  }

  async endSession(accountId: string, id: string): Promise<boolean> {
    return this.#write(
      (file) => file.run('DELETE FROM sessions WHERE account_id = ? AND id = ?', accountId, id).changes > 0,
    );
  }

  async serverSecret(name: string): Promise<string> {
    return this.#write((file) => {
      file.run('INSERT INTO server_secrets (name, secret) VALUES (?, ?) ON CONFLICT DO NOTHING', name, newSecret());
      const row = file.get<{ secret: string }>('SELECT secret FROM server_secrets WHERE name = ?', name);
      return row?.secret ?? '';
    });
  }
}
