import { z } from 'zod';

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

/** The account that a fresh install has and that stdio and the CLI use without a token. */
export const localAccountId = 'local';

/** Who is calling: one account, and what the caller may do with it. */
export interface Caller {
  accountId: string;
  scopes: ReadonlySet<Scope>;
}

/** A caller that sits at the machine itself and may do everything with the account. */
export function localCaller(): Caller {
  return { accountId: localAccountId, scopes: new Set(scopes) };
}
