import { z } from 'zod';
import { heldTo } from '../domain/access/held.ts';
import { key } from '../domain/access/key.ts';
import { isoTime } from '../domain/clock.ts';
import { scope } from '../domain/records/account.ts';
import { idPattern } from '../domain/records/ids.ts';
import { cleanLine } from '../domain/text/clean-text.ts';
import { type AccessParts, endOwnToken, readOwnAccess } from '../services/sign-in/sign-in.ts';
import { someId } from './fields.ts';
import { defineOperation, type Operation } from './operation.ts';

/*
 * Access to a person's library, which they can list, give and revoke. Assistants and programs cannot: a token that creates tokens
 * could outlive its own revocation.
 */

interface AccountPageParts extends AccessParts {
  /** A readable name of a browser, from its user agent. */
  browserName: (userAgent: string) => string;
}

const dayMs = 86_400_000;
/** Tokens that a person may make here; the command line makes any. */
const lifetimes = [30, 90, 365] as const;
const keyId = idPattern('k');
/** More than an account has of keys and tokens, ended ones among them. */
const maxListed = 1_000;
const ended = z.object({ id: z.string() });
const timeOrNull = z.string().nullable();
const token = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(scope),
  createdAt: z.string(),
  expiresAt: timeOrNull,
  lastUsedAt: timeOrNull,
  heldTo: heldTo.nullable(),
});
const ending = { readOnly: false, destructive: true, idempotent: true, openWorld: false } as const;
const time = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));

export const ownAccess = z.object({
  /** With which the person signs in. */
  name: z.string().nullable(),
  sessions: z.array(z.object({ id: z.string(), browser: z.string(), createdAt: z.string(), lastUsedAt: z.string() })),
  tokens: z.array(token),
  keys: z.array(key),
  assistants: z.array(token.omit({ expiresAt: true, heldTo: true }).extend({ host: z.string() })),
});

export function accountOperations(parts: AccountPageParts): readonly Operation[] {
  const showAccess = defineOperation({
    name: 'show_access',
    title: 'Who may use this library',
    description: 'Tokens, assistants and browsers that may use the library.',
    input: z.strictObject({}),
    output: ownAccess,
    permission: 'content:read',
    effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    example: { input: {}, output: { name: 'Ann', sessions: [], tokens: [], keys: [], assistants: [] } },
    async run(_, { account, keys }) {
      const [{ name, sessions, tokens, assistants }, all] = await Promise.all([
        readOwnAccess(parts, account),
        keys.list(account, { limit: maxListed, offset: 0 }),
      ]);
      return {
        name,
        sessions: sessions.map(({ id, browser, createdAt, lastUsedAt }) => ({
          id,
          browser: parts.browserName(browser),
          createdAt: isoTime(createdAt),
          lastUsedAt: isoTime(lastUsedAt),
        })),
        tokens,
        // The list has tokens as well.
        keys: all.items.filter(({ id, revokedAt }) => keyId.test(id) && revokedAt === null),
        assistants: assistants.map((grant) => ({
          ...grant,
          createdAt: isoTime(grant.createdAt),
          lastUsedAt: time(grant.lastUsedAt),
        })),
      };
    },
  });

  const makeToken = defineOperation({
    name: 'make_token',
    title: 'Make a token',
    description: 'Makes a token for a program or an assistant.',
    input: z.strictObject({
      name: z
        .string()
        .transform(cleanLine)
        .pipe(z.string().min(1, 'Say what it is for.').max(100, 'Say it in at most 100 characters.')),
      scopes: z.array(scope).min(1, 'Choose at least one thing that is allowed.'),
      days: z.literal(lifetimes).optional(),
    }),
    output: token.extend({ token: z.string() }),
    permission: 'content:write',
    alsoPermissions: ['content:read'],
    effects: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    example: {
      input: { name: 'the laptop', scopes: ['content:read'], days: 90 },
      output: {
        id: 't_0123456789abcdef',
        name: 'the laptop',
        scopes: ['content:read'],
        createdAt: '2026-03-02T06:30:42.017Z',
        expiresAt: '2026-05-31T06:30:42.017Z',
        lastUsedAt: null,
        heldTo: null,
        token: 'cpl_…',
      },
    },
    run: ({ name, scopes, days }, { account }) =>
      parts.access.createToken({
        account,
        name,
        scopes,
        lifetimeMs: days === undefined ? undefined : days * dayMs,
      }),
  });

  const end = (name: string, title: string, work: (account: string, id: string) => Promise<void>): Operation =>
    defineOperation({
      name,
      title,
      description: `${title}, from the next request on.`,
      input: z.strictObject({ id: someId }),
      output: ended,
      permission: 'content:write',
      acknowledges: ['id'],
      effects: ending,
      example: { input: { id: 't_0123456789abcdef' }, output: { id: 't_0123456789abcdef' } },
      async run({ id }, { account }) {
        await work(account, id);
        return { id };
      },
    });

  return [
    showAccess,
    makeToken,
    end('end_token', 'End a token', (account, id) => endOwnToken(parts.access, account, id)),
    end('end_assistant', 'Cut off an assistant', (account, id) => parts.assistants.cutOff(account, id)),
    end('end_session', 'End the session of a browser', (account, id) => parts.signIn.endSession(account, id)),
  ];
}
