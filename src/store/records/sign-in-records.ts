import type { Plan } from '../../domain/records/account.ts';
import type { LinkPurpose } from '../../domain/access/sign-in.ts';

/** Who an account belongs to, as far as signing in goes. */
export interface LoginRecord {
  accountId: string;
  accountName: string;
  plan: Plan;
  /** The name that the person signs in with. */
  name: string;
  /** Null when the person signs in elsewhere, at a proxy. */
  passwordHash: string | null;
}

export interface LinkRecord {
  accountId: string;
  accountName: string;
  purpose: LinkPurpose;
  expiresAt: number;
  /** The name of the account's login, if it has one. */
  name: string | null;
}

export interface SessionRecord {
  id: string;
  accountId: string;
  accountName: string;
  plan: Plan;
  /** What the browser calls itself. */
  browser: string;
  createdAt: number;
  lastUsedAt: number;
  expiresAt: number;
  /** When it got its present secret. */
  secretSince: number;
}

/** How people sign in: their names and passwords, links that work once, and sessions. Secrets are stored as hashes. */
export interface SignInRecords {
  /** Whether anybody can sign in yet. */
  hasLogins(): Promise<boolean>;
  /** @param folded the name, as `foldedLoginName` makes it */
  findLogin(folded: string): Promise<LoginRecord | null>;
  findLoginOf(accountId: string): Promise<LoginRecord | null>;
  /** Ends the account's earlier links of the same purpose. */
  createLink(link: { accountId: string; purpose: LinkPurpose; hash: Uint8Array; expiresAt: number }): Promise<void>;
  /** Null when there is no such link, or it has expired. */
  findLink(hash: Uint8Array): Promise<LinkRecord | null>;
  /** Those of all accounts that work now. */
  listLinks(): Promise<Pick<LinkRecord, 'accountId' | 'purpose' | 'expiresAt'>[]>;
  /** Uses a link up. True for exactly one caller. */
  takeLink(hash: Uint8Array): Promise<boolean>;
  /**
   * Uses a link up and sets the login of its account, in one write. All sessions and other links of the account end.
   * `used`: there is no such link any more. `taken`: another account has the name, and the link goes on working.
   */
  setLoginByLink(
    hash: Uint8Array,
    login: { name: string; folded: string; passwordHash: string | null },
  ): Promise<'set' | 'used' | 'taken'>;
  /**
   * Sets the login of an account. All its sessions and links end. False when another account has the name.
   * @throws {AppError} `not_found` when there is no such account
   */
  setLogin(accountId: string, login: { name: string; folded: string; passwordHash: string | null }): Promise<boolean>;
  /** Ends the account's other sessions and its links. */
  setPassword(accountId: string, passwordHash: string, keptSession: string): Promise<void>;
  createSession(session: {
    accountId: string;
    hash: Uint8Array;
    browser: string;
    expiresAt: number;
  }): Promise<SessionRecord>;
  /** By its present secret, or by the one before it for a short time. Null when it has ended. */
  findSession(hash: Uint8Array): Promise<SessionRecord | null>;
  /** Replaces the secret. False when another request has just done so. */
  renewSession(id: string, oldHash: Uint8Array, newHash: Uint8Array): Promise<boolean>;
  touchSession(id: string, expiresAt: number): Promise<void>;
  /** The last used first. */
  listSessions(accountId: string): Promise<SessionRecord[]>;
  /** False when the account has no such session. */
  endSession(accountId: string, id: string): Promise<boolean>;
  /** A random secret of this data folder, made at the first call with its name. */
  serverSecret(name: string): Promise<string>;
}
