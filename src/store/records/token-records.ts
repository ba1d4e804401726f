import type { Plan, Scope } from '../../domain/records/account.ts';
import type { HeldTo } from '../../domain/access/held.ts';
import type { Permission } from '../../domain/access/permission.ts';

/** A token or a key, without what its owner shows. Times are milliseconds since the epoch. */
export interface TokenRecord {
  id: string;
  accountId: string;
  name: string;
  /** Of a token; empty for a key. */
  scopes: Scope[];
  /** Of a key; null for a token, which has those that its scopes give. */
  permissions: Permission[] | null;
  /** A limit of its own; null: that of the settings. */
  requestsPerMinute: number | null;
  createdAt: number;
  expiresAt: number | null;
  /** Of a key the beginning of the day (UTC). */
  lastUsedAt: number | null;
  /** A part of the address from which it was used last. */
  lastNetwork: string | null;
  rotatedAt: number | null;
  /** Until when the secret before the last rotation works. */
  oldUntil: number | null;
  revokedAt: number | null;
  /** The key that made it; null: it was made on the machine itself, or on the page of the account. */
  madeBy: string | null;
  /** The lists and tags that it is held to; null: it reads and changes everything. */
  heldTo: HeldTo | null;
}

export interface TokenCredential {
  token: TokenRecord;
  plan: Plan;
  hash: Uint8Array;
  /** Of the secret before the last rotation. */
  oldHash: Uint8Array | null;
}

/** Only the hash is ever stored. */
export interface NewToken extends Pick<
  TokenRecord,
  'accountId' | 'name' | 'scopes' | 'permissions' | 'requestsPerMinute' | 'expiresAt' | 'madeBy' | 'heldTo'
> {
  hash: Uint8Array;
}

export interface Rotation {
  id: string;
  hash: Uint8Array;
  oldUntil: number;
  /** The key that asks; null on the machine itself. */
  by: string | null;
}

/** The tokens and keys of all accounts. */
export interface TokenRecords {
  /** @throws {AppError} `invalid_input` when the account has too many keys; `unauthorized` when its maker has ended */
  createToken(token: NewToken): Promise<TokenRecord>;
  /** In one query, and null also when the account was removed. */
  findCredential(hash: Uint8Array): Promise<TokenCredential | null>;
  getToken(id: string): Promise<TokenRecord | null>;
  /** Newest first; of all accounts when none is given. */
  listTokens(accountId?: string): Promise<TokenRecord[]>;
  /**
   * For a token of any account, with all keys that it made, and that those made. False when there is no such token, or it
   * was already revoked.
   */
  revokeToken(id: string): Promise<boolean>;
  /** Gives it another secret. Null when there is no such token that works. @throws {AppError} `unauthorized` when the key that asks has ended */
  rotateToken(rotation: Rotation): Promise<TokenRecord | null>;
  /** Notes a use, unless a recent one is noted already. */
  touchToken(id: string, network: string | null): Promise<void>;
}
