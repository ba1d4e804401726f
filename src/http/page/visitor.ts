import { permissions as allPermissions } from '../../domain/access/permission.ts';
import { AppError } from '../../errors.ts';
import type { TokenCaller } from '../../services/access.ts';
import type { Person } from '../../services/sign-in/sign-in.ts';
import type { HttpContext } from '../context.ts';
import type { MountParts } from '../mount.ts';
import { browserName } from '../sign-in/browser-name.ts';
import type { Browser, BrowserReader } from '../sign-in/browser.ts';
import { cookieName, readCookie } from '../sign-in/cookies.ts';

/** A person who is signed in, as a caller of operations: with their own library they may do everything, and make keys. */
export interface Visitor {
  browser: Browser;
  person: Person;
  caller: TokenCaller;
}

/** Finds out who asks, and counts the request. */
export type FindVisitor = (context: HttpContext) => Promise<Visitor | null>;

export function createFindVisitor({ admit }: Pick<MountParts, 'admit'>, browsers: BrowserReader) {
  const permissions = new Set(allPermissions);
  return async (context: HttpContext): Promise<Visitor | null> => {
    const browser = await browsers.read(context);
    const { person } = browser;
    if (person === null) return null;
    const name = browserName(context.req.raw.headers.get('user-agent') ?? '');
    const caller = { accountId: person.accountId, name, permissions, tokenId: person.sessionId };
    const session = readCookie(context, cookieName(browser.origin, 'session'));
    await admit(context, caller, browser.identity === null ? session : null);
    return { browser, person, caller };
  };
}

/** @throws {AppError} `insufficient_scope` for an account without access */
export function requirePro({ plan }: Person): void {
  if (plan === 'pro') return;
  throw new AppError(
    'insufficient_scope',
    'Access is for Pro accounts, and this account is not one. Whoever runs the server can change that.',
  );
}
