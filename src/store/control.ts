import type { Account, Plan, Scope } from '../domain/records/account.ts';

export interface TokenRecord {
  id: string;
  accountId: string;
  name: string;
  scopes: Scope[];
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
  revokedAt: number | null;
}

/** What language models were paid for on one day; cost in millionths of a dollar. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  costMicros: number;
}

/** Accounts, tokens, and which accounts have work waiting: everything that is not one account's own. */
export interface Control {
  listAccounts(): Promise<Account[]>;
  getAccount(id: string): Promise<Account | null>;
  createAccount(account: { name: string; plan: Plan }): Promise<Account>;
  /** Nothing when there is no such account. */
  setPlan(id: string, plan: Plan): Promise<void>;
  /**
   * Written before a job is queued; the hint may be too many, never too few.
   * @returns the number of this announcement, which is greater than those before it and than `above`
   */
  announceWork(accountId: string, above?: number): Promise<number>;
  accountsWithWork(): Promise<{ accountId: string; generation: number }[]>;
  /** Takes the hint away unless work was announced since `generation`. To be called after `Store.settleWork`. */
  clearWork(accountId: string, generation: number): Promise<void>;
  /** What was counted in the account's file, for those who want to know it of all accounts without opening their files. */
  noteFailedItems(accountId: string, failed: Readonly<Record<string, number>>): Promise<void>;
  /** As noted last, of all accounts. */
  listFailedItems(): Promise<{ accountId: string; code: string; items: number }[]>;
  /** Only the hash of a token is ever stored. */
  createToken(token: {
    accountId: string;
    name: string;
    hash: Uint8Array;
    scopes: readonly Scope[];
    expiresAt: number | null;
  }): Promise<TokenRecord>;
  /** The token with the plan of its account, in one look; null also when that account was removed. */
  findCredential(hash: Uint8Array): Promise<{ token: TokenRecord; plan: Plan } | null>;
  /** Newest first; of all accounts when none is named. */
  listTokens(accountId?: string): Promise<TokenRecord[]>;
  /** Whichever account's it is. False when there is no such token, or it was revoked before. */
  revokeToken(id: string): Promise<boolean>;
  touchToken(id: string): Promise<void>;
  /** Adds to what the models were paid for today (UTC), by all accounts and processes together. */
  addUsage(usage: Usage): Promise<void>;
  usageToday(): Promise<Usage>;
}
