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

/** The caller of an operation: one account, and what the caller may do with it. */
export interface Caller {
  accountId: string;
  /** Name of the token, or of the assistant that a person let in; absent on this machine itself. */
  name?: string;
  scopes: ReadonlySet<Scope>;
}

/** The caller on this machine itself, who may do everything with the local account. */
export function localCaller(): Caller {
  return { accountId: localAccountId, scopes: new Set(scopes) };
}
