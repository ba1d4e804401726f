import type { HeldTo } from '../../domain/access/held.ts';
import type { Permission } from '../../domain/access/permission.ts';
import type { LinkPurpose } from '../../domain/access/sign-in.ts';
import type { Plan, Scope } from '../../domain/records/account.ts';

/* Records of who may come in, and as whom. Times are milliseconds since the epoch; secrets are stored as hashes. */

/** A token or a key, without what its owner shows. */
export interface TokenRecord {
  id: string;
  accountId: string;
  name: string;
  /** Of a token; empty for a key. */
  scopes: Scope[];
  /** For a key; null for a token, which has its scopes' permissions. */
  permissions: Permission[] | null;
  /** Its own limit; null: that of the settings. */
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
  /** The lists and tags that it is restricted to; null: it reads and changes everything. */
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
  browser: string;
  createdAt: number;
  lastUsedAt: number;
  expiresAt: number;
  /** When it got its present secret. */
  secretSince: number;
}

export interface OAuthRecord {
  /** JSON. It does not hold the record's id. */
  payload: string;
  /** When it was used, if it works only once. */
  consumedAt: number | null;
}

/** A person's grant to an assistant. */
export interface GrantRecord {
  id: string;
  accountId: string;
  /** The assistant's own name. */
  name: string;
  /** The host that its answers go to. */
  host: string;
  scopes: Scope[];
  createdAt: number;
  lastUsedAt: number | null;
}

/** The cost of language models on one day, in millionths of a dollar. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  costMicros: number;
}
