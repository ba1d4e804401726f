import type { Plan, Scope } from '../../domain/records/account.ts';
import type { OAuthKind } from '../../domain/access/oauth.ts';

/** A record of the authorization server. */
export interface OAuthRecord {
  /** JSON. It does not hold the record's id. */
  payload: string;
  /** When it was used, if it works only once. */
  consumedAt: number | null;
}

/** What a person allowed an assistant. */
export interface GrantRecord {
  id: string;
  accountId: string;
  /** What the assistant calls itself. */
  name: string;
  /** The host that its answers go to. */
  host: string;
  scopes: Scope[];
  createdAt: number;
  lastUsedAt: number | null;
}

/** What assistants may do, and the tokens by which they do it. Tokens are stored as hashes. */
export interface OAuthRecords {
  put(
    kind: OAuthKind,
    key: Uint8Array,
    record: { payload: string; uid: string | null; grantId: string | null; expiresAt: number },
  ): Promise<void>;
  find(kind: OAuthKind, key: Uint8Array): Promise<OAuthRecord | null>;
  findByUid(kind: OAuthKind, uid: string): Promise<OAuthRecord | null>;
  remove(kind: OAuthKind, key: Uint8Array): Promise<void>;
  removeByGrant(kind: OAuthKind, grantId: string): Promise<void>;
  /** Marks a record as used. True for exactly one caller. */
  consume(kind: OAuthKind, key: Uint8Array): Promise<boolean>;
  /** Called when a person has said yes. Keeps the assistant's registration for as long as the grant. */
  addGrant(
    grant: Omit<GrantRecord, 'createdAt' | 'lastUsedAt'> & { clientKey: Uint8Array; expiresAt: number },
  ): Promise<void>;
  /** Those that still have a token, the last connected first. */
  listGrants(accountId: string): Promise<GrantRecord[]>;
  /** Ends a grant with all its tokens and codes. False when the account has no such grant. */
  endGrant(accountId: string, id: string): Promise<boolean>;
  /** Ends a grant of any account. */
  removeGrant(id: string): Promise<void>;
  /** The grant of a valid access token, and what the token may do of it. Null for every other token. */
  findAccess(key: Uint8Array): Promise<{ grant: GrantRecord; scopes: Scope[]; plan: Plan } | null>;
  touchGrant(id: string): Promise<void>;
}
