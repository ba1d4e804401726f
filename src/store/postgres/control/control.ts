import type { Clock } from '../../../domain/clock.ts';
import { isoTime } from '../../../domain/clock.ts';
import type { Account, Plan } from '../../../domain/records/account.ts';
import { noSuchAccount } from '../../../errors.ts';
import type { Control, Usage } from '../../control.ts';
import { type Pool, statement, transaction } from '../database.ts';
import { lockAccount, type PostgresAccounts } from './accounts.ts';
import { PostgresControlTransfer } from './control-transfer.ts';
import { PostgresOAuth } from './oauth.ts';
import { PostgresSignIn } from './sign-in.ts';
import { PostgresTokens } from './tokens.ts';

/** Accounts, tokens, sign-in, and which accounts have work waiting. */
export class PostgresControl implements Control {
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #accounts: PostgresAccounts;
  readonly #onWork: () => void;
  readonly signIn: PostgresSignIn;
  readonly oauth: PostgresOAuth;
  readonly tokens: PostgresTokens;
  readonly transfer: PostgresControlTransfer;

  /** @param onWork is called after work was announced */
  constructor(pool: Pool, clock: Clock, accounts: PostgresAccounts, onWork: () => void) {
    this.#pool = pool;
    this.#clock = clock;
    this.#accounts = accounts;
    this.#onWork = onWork;
    this.signIn = new PostgresSignIn(pool, clock);
    this.oauth = new PostgresOAuth(pool, clock);
    this.tokens = new PostgresTokens(pool, clock);
    this.transfer = new PostgresControlTransfer(pool);
  }

  listAccounts(): Promise<Account[]> {
    return statement(() => this.#accounts.list());
  }

  getAccount(id: string): Promise<Account | null> {
    return statement(() => this.#accounts.get(id));
  }

  createAccount(account: { name: string; plan: Plan }): Promise<Account> {
    return statement(() => this.#accounts.create(account));
  }

  async setPlan(id: string, plan: Plan): Promise<void> {
    await statement(() => this.#accounts.setPlan(id, plan));
  }

  async announceWork(accountId: string, above = 0): Promise<number> {
    return statement(async () => {
      // The row stays when the work is done: restarted numbers could be mistaken for older announcements.
      const [row] = await this.#pool<{ generation: number }[]>`
        INSERT INTO waiting_work AS w (account_id, generation, waiting)
        SELECT id, ${above}::bigint + 1, true FROM accounts WHERE id = ${accountId} AND removed_at IS NULL
        ON CONFLICT (account_id) DO UPDATE SET generation = greatest(w.generation, ${above}) + 1, waiting = true
        RETURNING generation`;
      if (row === undefined) throw noSuchAccount();
      this.#onWork();
      return row.generation;
    });
  }

  async accountsWithWork(): Promise<{ accountId: string; generation: number }[]> {
    return statement(async () => [
      ...(await this.#pool<{ accountId: string; generation: number }[]>`
        SELECT w.account_id, w.generation FROM waiting_work w JOIN accounts a ON a.id = w.account_id
        WHERE w.waiting AND a.removed_at IS NULL ORDER BY w.account_id COLLATE "C"`),
    ]);
  }

  async clearWork(accountId: string, generation: number): Promise<void> {
    await statement(
      async () => this.#pool`
        UPDATE waiting_work SET waiting = false WHERE account_id = ${accountId} AND generation = ${generation}`,
    );
  }

  async noteFailedItems(accountId: string, failed: Readonly<Record<string, number>>): Promise<void> {
    const noted = await statement(
      async () => this.#pool<{ code: string; items: number }[]>`
        SELECT code, items FROM failed_items WHERE account_id = ${accountId}`,
    );
    const counts = Object.entries(failed);
    // The counts rarely change.
    if (noted.length === counts.length && noted.every(({ code, items }) => failed[code] === items)) return;
    await transaction(this.#pool, '', async (tx) => {
      await lockAccount(tx, accountId);
      await tx`DELETE FROM failed_items WHERE account_id = ${accountId}`;
      for (const [code, items] of counts)
        await tx`INSERT INTO failed_items (account_id, code, items) VALUES (${accountId}, ${code}, ${items})`;
    });
  }

  async listFailedItems(): Promise<{ accountId: string; code: string; items: number }[]> {
    return statement(async () => [
      ...(await this.#pool<{ accountId: string; code: string; items: number }[]>`
        SELECT account_id, code, items FROM failed_items`),
    ]);
  }

  async addUsage({ inputTokens, outputTokens, costMicros }: Usage): Promise<void> {
    await statement(
      async () => this.#pool`
        INSERT INTO usage AS u (day, input_tokens, output_tokens, cost_micros)
        VALUES (${utcDay(this.#clock.now())}, ${inputTokens}, ${outputTokens}, ${costMicros})
        ON CONFLICT (day) DO UPDATE SET input_tokens = u.input_tokens + excluded.input_tokens,
          output_tokens = u.output_tokens + excluded.output_tokens, cost_micros = u.cost_micros + excluded.cost_micros`,
    );
  }

  async usageToday(): Promise<Usage> {
    const [row] = await statement(
      async () => this.#pool<Usage[]>`
        SELECT input_tokens, output_tokens, cost_micros FROM usage WHERE day = ${utcDay(this.#clock.now())}`,
    );
    return row ?? { inputTokens: 0, outputTokens: 0, costMicros: 0 };
  }
}

function utcDay(now: number): string {
  return isoTime(now).slice(0, 10);
}
