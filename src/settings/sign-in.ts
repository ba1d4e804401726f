import { z } from 'zod';
import { holdsUser } from './values.ts';

/** How people, and assistants on their behalf, sign in to a server. */
export const signInSettings = {
  signIn: z
    .enum(['off', 'password', 'proxy'])
    .default('off')
    .describe(
      'How people sign in to the pages of `serve`: not at all (off), with a name and a password (password), or at a proxy in front of it (proxy). Needs an address with https, or this machine.',
    ),
  trustedIdentityHeader: z
    .string()
    .regex(/^([A-Za-z0-9-]{1,60})?$/, 'must be the name of a header, such as Remote-User')
    .default('')
    .describe(
      'For `signIn` proxy: the header in which `trustedProxies` name the person whom they have signed in, such as Remote-User.',
    ),
  authorizationServer: z
    .union([z.literal(''), z.url({ protocol: /^https?$/ })])
    .refine((text) => !holdsUser(text), 'must hold no user name or password: every client is told this address')
    .default('')
    .describe(
      'Issuer of an authorization server of your own, such as https://auth.example.org, as its metadata writes it. Assistants sign in there, and its access tokens (JWT) are accepted. Not with `signIn` password.',
    ),
  authorizationAudience: z
    .string()
    .max(1_000)
    .default('')
    .describe('Audience that its tokens name. Empty: `publicUrl`, with or without /mcp.'),
  authorizationClaim: z
    .string()
    .min(1)
    .max(100)
    .default('sub')
    .describe(
      'Claim of its tokens that names the person, by the name that `commonplace account identity` gave an account.',
    ),
};
