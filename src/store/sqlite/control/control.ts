import type { Account, Plan } from '../../../domain/records/account.ts';
import { type Clock, isoTime } from '../../../domain/clock.ts';
import type { Control, Usage } from '../../control.ts';
import type { FileRecord } from '../files/account-files.ts';
import { isNoteDue, noteControlTime } from '../files/account-time.ts';
import { whenFree, whileBusy } from '../files/busy.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import * as accountRows from './accounts.ts';
import { SqliteControlTransfer } from './control-transfer.ts';
import { forgetGrants, SqliteOAuth } from './oauth.ts';
import { forgetSignIn, SqliteSignIn, type UseControl } from './sign-in.ts';
import { SqliteTokens } from './tokens.ts';
import type { FileWrites } from '../files/write-queue.ts';

export class SqliteControl implements Control {
  readonly #useFile: () => SqliteFile;
  readonly #writes: FileWrites;
  readonly #clock: Clock;
  readonly #onAccounts: (ids: ReadonlySet<string>) => void;
  readonly signIn: SqliteSignIn;
  readonly oauth: SqliteOAuth;
  readonly tokens: SqliteTokens;
  readonly transfer: SqliteControlTransfer;

  /** @param onAccounts called with the ids of all accounts whenever they are listed */
  constructor(
    useFile: () => SqliteFile,
    writes: FileWrites,
    clock: Clock,
    onAccounts: (ids: ReadonlySet<string>) => void,
  ) {
    this.#useFile = useFile;
    this.#writes = writes;
    this.#clock = clock;
    this.#onAccounts = onAccounts;
    const use: UseControl = (work) => this.#use(work);
    const write: UseControl = (work) => this.#write(work);
    this.signIn = new SqliteSignIn(use, write);
    this.oauth = new SqliteOAuth(use, write);
    this.tokens = new SqliteTokens(use, write);
    this.transfer = new SqliteControlTransfer(use, write);
  }

  #use<T>(work: (file: SqliteFile, now: number) => T): Promise<T> {
    return whenFree(() => work(this.#useFile(), this.#clock.now()));
  }

  #write<T>(work: (file: SqliteFile, now: number) => T): Promise<T> {
    return this.#writes.write((file) => {
      noteControlTime(file, this.#clock);
      return work(file, this.#clock.now());
    });
  }

  async listAccounts(): Promise<Account[]> {
    return this.#use((file) => {
      const accounts = accountRows.listAccounts(file);
      this.#onAccounts(new Set(accounts.map(({ id }) => id)));
      return accounts;
    });
  }

  async getAccount(id: string): Promise<Account | null> {
    return this.#use((file) => accountRows.findAccount(file, id));
  }

  async createAccount(account: { name: string; plan: Plan }): Promise<Account> {
    return this.#write((file, now) => accountRows.createAccount(file, account, now));
  }

  /** Synchronous, for callers that are about to open the account's file. */
  fileRecord(id: string): FileRecord {
    const row = this.#useFile().get<{ made: number }>(
      'SELECT file_made AS made FROM accounts WHERE id = ? AND removed_at IS NULL',
      id,
    );
    if (row === undefined) return null;
    return row.made === 1 ? 'made' : 'unmade';
  }

  /** Synchronous, for callers that have just created the account's file and have not written to it yet. */
  noteFileMade(id: string): void {
    whileBusy(() => {
      const file = this.#useFile();
      file.write(() => file.run('UPDATE accounts SET file_made = 1 WHERE id = ?', id));
    });
  }

  /** Allows the account's file to be created again. */
  async forgetFile(id: string): Promise<void> {
    await this.#write((file) => file.run('UPDATE accounts SET file_made = 0 WHERE id = ?', id));
  }

  /** Accounts whose file is not recorded as created. */
  async listUnmade(): Promise<string[]> {
    return this.#use((file) =>
      file
        .all<{ id: string }>('SELECT id FROM accounts WHERE file_made = 0 AND removed_at IS NULL')
        .map(({ id }) => id),
    );
  }

  /** Creates an account for an existing file. An account that exists already keeps its name and plan. */
  async adoptAccount(account: { id: string; name: string; plan: Plan }): Promise<Account> {
    return this.#write((file, now) => accountRows.adoptAccount(file, account, now));
  }

  async setPlan(id: string, plan: Plan): Promise<void> {
    await this.#write((file) => file.run('UPDATE accounts SET plan = ? WHERE id = ?', plan, id));
  }

  /**
   * Hides an account and keeps it for `restorableForMs`. Nobody comes in with its tokens meanwhile. Does nothing when it
   * is hidden already.
   */
  async setAside(id: string): Promise<void> {
    await this.#write((file) => accountRows.hideAccount(file, id, this.#clock));
  }

  /** Shows a hidden account again. Null when there is none that could be shown. */
  async bringBack(id: string): Promise<Account | null> {
    return this.#write((file) => accountRows.showHidden(file, id, this.#clock));
  }

  /** Hidden accounts that can still be brought back, with the time at which they were hidden. */
  async listSetAside(): Promise<(Account & { removedAt: string })[]> {
    return this.#use(accountRows.listHidden);
  }

  /** Hidden accounts that were kept long enough. Notes the time, so that they are not kept forever. */
  async listExpired(): Promise<string[]> {
    const isHidden = await this.#use(
      (file) =>
        file.get('SELECT 1 FROM accounts WHERE removed_passed IS NOT NULL LIMIT 1') !== undefined &&
        isNoteDue(file, this.#clock, 'control_state'),
    );
    if (isHidden) await this.#write(() => undefined);
    return this.#use((file) => accountRows.listExpired(file, this.#clock));
  }

  /** Whether an account is hidden, and can be brought back. */
  async isSetAside(id: string): Promise<boolean> {
    return this.#use(
      (file) => file.get('SELECT 1 FROM accounts WHERE id = ? AND removed_passed IS NOT NULL', id) !== undefined,
    );
  }

  /** Takes what was removed out of the file's free pages and its log, too. */
  async compactIfDue(): Promise<void> {
    const isDue = await this.#use(
      (file) => file.get('SELECT 1 FROM control_state WHERE compact_due = 1') !== undefined,
    );
    if (!isDue) return;
    await whenFree(() => this.#useFile().compact());
    await this.#write((file) => file.run('UPDATE control_state SET compact_due = 0'));
    await whenFree(() => this.#useFile().emptyLog());
  }

  /** The row stays, without a name, so that its id is never reused and its file can be recognised as a leftover. */
  async markRemoved(id: string): Promise<void> {
    await this.#write((file, now) => {
      file.run('DELETE FROM tokens WHERE account_id = ?', id);
      forgetSignIn(file, id);
      forgetGrants(file, id);
      file.run('DELETE FROM waiting_work WHERE account_id = ?', id);
      file.run('DELETE FROM failed_items WHERE account_id = ?', id);
      file.run(
        "UPDATE accounts SET removed_at = coalesce(removed_at, ?), removed_passed = NULL, name = '' WHERE id = ?",
        now,
        id,
      );
      file.run('UPDATE control_state SET compact_due = 1');
    });
  }

  async listRemoved(): Promise<string[]> {
    return this.#use((file) =>
      file
        .all<{ id: string }>('SELECT id FROM accounts WHERE removed_at IS NOT NULL AND removed_passed IS NULL')
        .map(({ id }) => id),
    );
  }

  async announceWork(accountId: string, above = 0): Promise<number> {
    return this.#write((file) => {
      accountRows.requireAccount(file, accountId);
      // The row stays when the work is done: restarted numbers could be mistaken for older announcements.
      const row = file.get<{ generation: number }>(
        `INSERT INTO waiting_work (account_id, generation, waiting) VALUES (@accountId, @above + 1, 1)
         ON CONFLICT (account_id) DO UPDATE SET generation = max(generation, @above) + 1, waiting = 1
         RETURNING generation`,
        { accountId, above },
      );
      if (row === undefined) throw new Error('an announcement has no number');
      return row.generation;
    });
  }

  async accountsWithWork(): Promise<{ accountId: string; generation: number }[]> {
    return this.#use((file) =>
      file.all(
        `SELECT w.account_id AS accountId, w.generation FROM waiting_work w JOIN accounts a ON a.id = w.account_id
         WHERE w.waiting = 1 AND a.removed_at IS NULL ORDER BY w.account_id`,
      ),
    );
  }

  async clearWork(accountId: string, generation: number): Promise<void> {
    await this.#write((file) =>
      file.run('UPDATE waiting_work SET waiting = 0 WHERE account_id = ? AND generation = ?', accountId, generation),
    );
  }

  async noteFailedItems(accountId: string, failed: Readonly<Record<string, number>>): Promise<void> {
    const noted = await this.#use((file) =>
      file.all<{ code: string; items: number }>('SELECT code, items FROM failed_items WHERE account_id = ?', accountId),
    );
    const counts = Object.entries(failed);
    // The counts rarely change, and a write would make other writers wait.
    if (noted.length === counts.length && noted.every(({ code, items }) => failed[code] === items)) return;
    await this.#write((file) => {
      accountRows.requireAccount(file, accountId);
      file.run('DELETE FROM failed_items WHERE account_id = ?', accountId);
      for (const [code, items] of counts)
        file.run('INSERT INTO failed_items (account_id, code, items) VALUES (?, ?, ?)', accountId, code, items);
    });
  }

  async listFailedItems(): Promise<{ accountId: string; code: string; items: number }[]> {
    return this.#use((file) => file.all('SELECT account_id AS accountId, code, items FROM failed_items'));
  }

  async addUsage(usage: Usage): Promise<void> {
    await this.#write((file, now) =>
      file.run(
        `INSERT INTO usage (day, input_tokens, output_tokens, cost_micros) VALUES (@day, @inputTokens, @outputTokens, @costMicros)
         ON CONFLICT (day) DO UPDATE SET input_tokens = input_tokens + @inputTokens,
           output_tokens = output_tokens + @outputTokens, cost_micros = cost_micros + @costMicros`,
        { day: utcDay(now), ...usage },
      ),
    );
  }

  async usageToday(): Promise<Usage> {
    return this.#use(
      (file, now) =>
        file.get<Usage>(
          `SELECT input_tokens AS inputTokens, output_tokens AS outputTokens, cost_micros AS costMicros
           FROM usage WHERE day = ?`,
          utcDay(now),
        ) ?? { inputTokens: 0, outputTokens: 0, costMicros: 0 },
    );
  }
}

function utcDay(now: number): string {
  return isoTime(now).slice(0, 10);
}
