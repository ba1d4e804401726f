import { z } from 'zod';

/** What a token may do. Each scope gives one or several permissions (`permission.ts`). */
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
