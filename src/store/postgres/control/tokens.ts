import { maxEndedKeys, maxKeys } from '../../../domain/access/key.ts';
import { lastUseToNote } from '../../../domain/access/token.ts';
import type { Clock } from '../../../domain/clock.ts';
import { newId } from '../../../domain/records/ids.ts';
import { AppError } from '../../../errors.ts';
import type { NewToken, Rotation, TokenCredential, TokenRecord, TokenRecords } from '../../records/token-records.ts';
import { json, type Pool, statement, transaction, type Tx } from '../database.ts';
import { lockAccount } from './accounts.ts';

const columns = (sql: Pool | Tx) => sql`t.id, t.account_id, t.name, t.scopes, t.permissions, t.requests_per_minute,
  t.created_at, t.expires_at, t.last_used_at, t.last_network, t.rotated_at, t.old_until, t.revoked_at, t.made_by`;

const isValid = (sql: Pool | Tx, now: number) =>
  sql`(t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > ${now}))`;

async function readToken(sql: Pool | Tx, id: string): Promise<TokenRecord | null> {
  const [token] = await sql<TokenRecord[]>`
    SELECT ${columns(sql)} FROM tokens t JOIN accounts a ON a.id = t.account_id
    WHERE t.id = ${id} AND a.removed_at IS NULL`;
  return token ?? null;
}

/** The key that asks may have been revoked since it was looked up. Whoever revokes it now waits, like for `lockAccount`. */
async function requireMaker(tx: Tx, id: string | null, now: number): Promise<void> {
  if (id === null) return;
  const found = await tx`SELECT 1 FROM tokens t WHERE t.id = ${id} AND ${isValid(tx, now)} FOR SHARE`;
  if (found.length === 0) throw new AppError('unauthorized', 'This key was revoked or has expired.');
}

/** Those that have ended are kept for a while to be listed. */
async function makeRoom(tx: Tx, accountId: string, now: number, kind: 'keys' | 'tokens'): Promise<void> {
  const ofKind = tx`t.account_id = ${accountId} AND (t.permissions IS NULL) = ${kind === 'tokens'}`;
  const [working] = await tx<{ count: number }[]>`
    SELECT count(*) FROM tokens t WHERE ${ofKind} AND ${isValid(tx, now)}`;
  if ((working?.count ?? 0) >= maxKeys)
    throw new AppError('invalid_input', `An account has at most ${maxKeys} ${kind}. Revoke one that is not needed.`);
  await tx`
    DELETE FROM tokens WHERE id IN (
      SELECT t.id FROM tokens t WHERE ${ofKind} AND NOT ${isValid(tx, now)}
      ORDER BY t.created_at DESC, t.seq DESC OFFSET ${maxEndedKeys})`;
}

/** The tokens and keys of all accounts. */
export class PostgresTokens implements TokenRecords {
  readonly #pool: Pool;
  readonly #clock: Clock;

  constructor(pool: Pool, clock: Clock) {
    this.#pool = pool;
    this.#clock = clock;
  }

  async createToken(token: NewToken): Promise<TokenRecord> {
    const { accountId, name, hash, scopes, permissions, requestsPerMinute, expiresAt, madeBy } = token;
    const now = this.#clock.now();
    const id = newId(permissions === null ? 't' : 'k');
    return transaction(this.#pool, '', async (tx) => {
      await lockAccount(tx, accountId);
      await requireMaker(tx, madeBy, now);
      await makeRoom(tx, accountId, now, permissions === null ? 'tokens' : 'keys');
      await tx`
        INSERT INTO tokens (id, account_id, name, hash, scopes, permissions, requests_per_minute, created_at, expires_at, made_by)
        VALUES (${id}, ${accountId}, ${name}, ${hash}, ${json(scopes)},
          ${permissions === null ? null : json(permissions)}, ${requestsPerMinute}, ${now}, ${expiresAt}, ${madeBy})`;
      const made = await readToken(tx, id);
      if (made === null) throw new Error('a token that was just made is not there');
      return made;
    });
  }

  async findCredential(hash: Uint8Array): Promise<TokenCredential | null> {
    const [row] = await statement(
      async () => this.#pool<(TokenRecord & Omit<TokenCredential, 'token'>)[]>`
        SELECT ${columns(this.#pool)}, t.hash, t.old_hash, a.plan FROM tokens t JOIN accounts a ON a.id = t.account_id
        WHERE (t.hash = ${hash} OR t.old_hash = ${hash}) AND a.removed_at IS NULL`,
    );
    if (row === undefined) return null;
    const { plan, hash: current, oldHash, ...token } = row;
    return { token, plan, hash: current, oldHash };
  }

  getToken(id: string): Promise<TokenRecord | null> {
    return statement(() => readToken(this.#pool, id));
  }

  async listTokens(accountId?: string): Promise<TokenRecord[]> {
    const sql = this.#pool;
    const wanted =
      accountId === undefined
        ? sql`t.account_id IN (SELECT id FROM accounts WHERE removed_at IS NULL)`
        : sql`t.account_id = ${accountId}`;
    return statement(async () => [
      ...(await sql<TokenRecord[]>`
        SELECT ${columns(sql)} FROM tokens t WHERE ${wanted} ORDER BY t.created_at DESC, t.seq DESC`),
    ]);
  }

  async revokeToken(id: string): Promise<boolean> {
    const now = this.#clock.now();
    return transaction(this.#pool, '', async (tx) => {
      // A key that the account makes meanwhile is either seen by the statement after this one, or its maker is revoked first.
      await tx`
        SELECT 1 FROM accounts WHERE id = (SELECT account_id FROM tokens WHERE id = ${id}) FOR NO KEY UPDATE`;
      const revoked = await tx<{ id: string }[]>`
        WITH RECURSIVE ended (id) AS (
          SELECT ${id}::text UNION SELECT t.id FROM tokens t JOIN ended ON t.made_by = ended.id)
        UPDATE tokens SET revoked_at = ${now} WHERE id IN (SELECT id FROM ended) AND revoked_at IS NULL RETURNING id`;
      return revoked.some((token) => token.id === id);
    });
  }

  async rotateToken({ id, hash, oldUntil, by }: Rotation): Promise<TokenRecord | null> {
    const now = this.#clock.now();
    return transaction(this.#pool, '', async (tx) => {
      await requireMaker(tx, by, now);
      const rotated = await tx`
        UPDATE tokens t SET old_hash = hash, old_until = ${oldUntil}, hash = ${hash}, rotated_at = ${now}
        WHERE t.id = ${id} AND ${isValid(tx, now)}`;
      return rotated.count === 0 ? null : readToken(tx, id);
    });
  }

  async touchToken(id: string, network: string | null): Promise<void> {
    await statement(async () => {
      const token = await readToken(this.#pool, id);
      const use = token === null ? null : lastUseToNote(token, network, this.#clock.now());
      if (use === null) return;
      await this.#pool`UPDATE tokens SET last_used_at = ${use.at}, last_network = ${use.network} WHERE id = ${id}`;
    });
  }
}
