import type { Account, Plan } from '../domain/records/account.ts';
import type { ControlTransfer } from './control-transfer.ts';
import type { OAuthRecords } from './records/oauth-records.ts';
import type { SignInRecords } from './records/sign-in-records.ts';
import type { TokenRecords } from './records/token-records.ts';

/** What was paid for language models on one day; the cost is in millionths of a dollar. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  costMicros: number;
}

/** Accounts, tokens, and which accounts have work waiting: everything that does not belong to one account. */
export interface Control {
  readonly signIn: SignInRecords;
  readonly oauth: OAuthRecords;
  readonly tokens: TokenRecords;
  readonly transfer: ControlTransfer;
  listAccounts(): Promise<Account[]>;
  getAccount(id: string): Promise<Account | null>;
  createAccount(account: { name: string; plan: Plan }): Promise<Account>;
  /** Does nothing when there is no such account. */
  setPlan(id: string, plan: Plan): Promise<void>;
  /**
   * Call before a job is queued: an announcement may be left over, but must never be missing.
   * @returns the number of this announcement, greater than all earlier ones and than `above`
   */
  announceWork(accountId: string, above?: number): Promise<number>;
  /** Each with the number of its last announcement. */
  accountsWithWork(): Promise<{ accountId: string; generation: number }[]>;
  /** Withdraws the announcement unless work was announced after `generation`. Call after `Store.settleWork`. */
  clearWork(accountId: string, generation: number): Promise<void>;
  /** Records counts from an account's file, so that they can be read for all accounts without opening their files. */
  noteFailedItems(accountId: string, failed: Readonly<Record<string, number>>): Promise<void>;
  /** The last recorded counts of all accounts. */
  listFailedItems(): Promise<{ accountId: string; code: string; items: number }[]>;
  /** Adds to what was paid for models today (UTC), summed over all accounts and processes. */
  addUsage(usage: Usage): Promise<void>;
  usageToday(): Promise<Usage>;
}
