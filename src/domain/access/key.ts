import { z } from 'zod';
import { instant } from '../records/instant.ts';
import { cleanLine } from '../text/clean-text.ts';
import { heldTo } from './held.ts';
import { permission } from './permission.ts';

/** Keys of an account that work at the same time, and tokens that do. */
export const maxKeys = 100;
/** Revoked and expired keys of an account that are kept to be listed, and as many tokens. */
export const maxEndedKeys = 200;
/** How long the secret before a rotation goes on working. */
export const oldSecretMs = 60 * 60_000;
const maxRequestsPerMinute = 100_000;
/** The longest life of a key that is given one, in days: ten years. */
const maxDays = 3_660;

export const keyName = z.string().overwrite(cleanLine).min(1).max(100);
export const keyPermissions = z.array(permission).min(1).max(100);
export const requestsPerMinute = z.int().min(1).max(maxRequestsPerMinute);
export const expiresInDays = z.int().min(1).max(maxDays);

/** A key as it is listed: without its secret, which cannot be shown again. Tokens are listed as keys, too. */
export const key = z.object({
  id: z.string(),
  name: z.string(),
  permissions: z.array(permission).describe('What it may do. Of a token: what its scopes give.'),
  requestsPerMinute: z.int().nullable().describe('Its own limit; null: that of the server.'),
  createdAt: instant,
  madeBy: z.string().nullable().describe('The key that made it; null: it was made on the server itself.'),
  expiresAt: instant.nullable(),
  rotatedAt: instant.nullable().describe('When it was given its present secret in place of another.'),
  oldSecretUntil: instant.nullable().describe('Until when the secret before works, too.'),
  lastUsedOn: z.string().nullable().meta({ format: 'date' }).describe('The day (UTC) of its last use.'),
  lastUsedFrom: z
    .string()
    .nullable()
    .describe('The network of its last use: the first 24 bits of an IPv4 address, 48 of an IPv6 one.'),
  revokedAt: instant.nullable(),
  heldTo: heldTo
    .nullable()
    .describe('The lists and tags that it is restricted to; null: it reads and changes everything.'),
});
export type Key = z.infer<typeof key>;

export const keyWithSecret = key.extend({
  secret: z
    .string()
    .optional()
    .describe('What a client sends as its token. Shown once: absent where a repeated request gets the first answer.'),
});
