import { localAccountId } from '../access/account-names.ts';
import { permissions, type Permission } from '../access/permission.ts';

export { localAccountId } from '../access/account-names.ts';
export { scope, scopes, type Scope } from '../access/permission.ts';

export type Plan = 'free' | 'pro';

export interface Account {
  id: string;
  name: string;
  plan: Plan;
  createdAt: string;
}

/** The token or the key with which a caller came in. */
export interface Credential {
  id: string;
  /** A key has its own permissions; a token has those of its scopes. */
  isKey: boolean;
  /** When it stops working by itself (milliseconds since the epoch); null: never. */
  endsAt: number | null;
  /** Its own limit; null: that of the settings. */
  requestsPerMinute: number | null;
}

/** The caller of an operation: one account, and what the caller may do with it. */
export interface Caller {
  accountId: string;
  /** Name of the token, or of the assistant that a person let in; absent on this machine itself. */
  name?: string;
  permissions: ReadonlySet<Permission>;
  /** Absent on this machine itself, and for assistants that signed in. */
  credential?: Credential;
}

/** The caller on this machine itself, who may do everything with the local account. */
export function localCaller(): Caller {
  return { accountId: localAccountId, permissions: new Set(permissions) };
}
