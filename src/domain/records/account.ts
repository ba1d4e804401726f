import { z } from 'zod';
import { localAccountId } from './local-account.ts';

export { localAccountId } from './local-account.ts';

export const scopes = [
  'content:read',
  'content:write',
  'search:read',
  'actions:read',
  'actions:write',
  'goals:read',
  'goals:write',
] as const;
export const scope = z.enum(scopes);
export type Scope = z.infer<typeof scope>;

export type Plan = 'free' | 'pro';

export interface Account {
  id: string;
  name: string;
  plan: Plan;
  createdAt: string;
}

/** Who is calling: one account, and what the caller may do with it. */
export interface Caller {
  accountId: string;
  scopes: ReadonlySet<Scope>;
}

/** A caller that sits at the machine itself and may do everything with the account. */
export function localCaller(): Caller {
  return { accountId: localAccountId, scopes: new Set(scopes) };
}
