import type { Hono } from 'hono';
import { permissions as allPermissions } from '../../domain/access/permission.ts';
import { AppError, notFound } from '../../errors.ts';
import type { TokenCaller } from '../../services/access.ts';
import type { Person, SignInService } from '../../services/sign-in/sign-in.ts';
import { type HttpContext, type HttpEnv, respond } from '../context.ts';
import type { MountParts } from '../mount.ts';
import {
  browserName,
  cookieName,
  readCookie,
  type Browser,
  type BrowserReader,
  withCookies,
} from '../sign-in/browser.ts';
import type { Config } from '../../settings/config.ts';
import { isLoopbackHost } from '../../domain/links/configured-addresses.ts';
import type { Log } from '../../workers/log.ts';
import { markup } from '../docs/markup.ts';
import { answerWithPage, posted, form, redirect, sendPage } from '../sign-in/sign-in-pages.ts';

/** A person who is signed in, as a caller of operations: with their own library they may do everything, and make keys. */
export interface Visitor {
  browser: Browser;
  person: Person;
  caller: TokenCaller;
}

/** The header in which the page shows the token that ties a request to its browser and session. */
export const tokenHeader = 'x-commonplace-form';

/** Finds out who asks, and counts the request. */
export interface Visitors {
  find(context: HttpContext): Promise<Visitor | null>;
  /** @throws {AppError} `unauthorized` for nobody, `insufficient_scope` for an account without access */
  require(context: HttpContext): Promise<Visitor>;
  /** As `require`, for a request that only the page itself may send. @param otherwise thrown when it is of another browser or session */
  requirePage(context: HttpContext, otherwise?: AppError): Promise<Visitor>;
}

export function createVisitors({ admit }: Pick<MountParts, 'admit'>, browsers: BrowserReader): Visitors {
  const permissions = new Set(allPermissions);
  const find = async (context: HttpContext): Promise<Visitor | null> => {
    const browser = await browsers.read(context);
    const { person } = browser;
    if (person === null) return null;
    const name = browserName(context.req.raw.headers.get('user-agent') ?? '');
    const caller = { accountId: person.accountId, name, permissions, tokenId: person.sessionId };
    const session = readCookie(context, cookieName(browser.origin, 'session'));
    await admit(context, caller, browser.identity === null ? session : null);
    return { browser, person, caller };
  };
  const findSignedIn = async (context: HttpContext): Promise<Visitor> => {
    const visitor = await find(context);
    if (visitor === null) throw signedOut();
    return visitor;
  };
  return {
    find,
    async require(context) {
      const visitor = await findSignedIn(context);
      requirePro(visitor.person);
      return visitor;
    },
    async requirePage(context, otherwise) {
      const visitor = await findSignedIn(context);
      browsers.checkToken(context, visitor.browser, context.req.raw.headers.get(tokenHeader) ?? '', otherwise);
      requirePro(visitor.person);
      return visitor;
    },
  };
}

export function signedOut(): AppError {
  return new AppError('unauthorized', 'You are not signed in any more. Load the page again.');
}

export function answerJson(context: HttpContext, status: number, answer: unknown, browser: Browser): Response {
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
  return withCookies(respond(context, status, JSON.stringify(answer), headers), browser);
}

/** @throws {AppError} `insufficient_scope` for an account without access */
export function requirePro({ plan }: Person): void {
  if (plan === 'pro') return;
  throw new AppError(
    'insufficient_scope',
    'Access is for Pro accounts, and this account is not one. Whoever runs the server can change that.',
  );
}

/** How people reach the page: by signing in; by the link of `commonplace open` on their own machine, without sign-in; or not at all. */
type PageAccess = 'sign-in' | 'link' | 'none';

export function pageAccess(config: Pick<Config, 'signIn' | 'publicUrl' | 'httpHost'>): PageAccess {
  if (config.signIn !== 'off') return 'sign-in';
  return config.publicUrl === '' && isLoopbackHost(config.httpHost) ? 'link' : 'none';
}

/**
 * Entry on one's own machine without sign-in: `commonplace open` creates and opens a link that works once, and a click on its page
 * begins a session. Without the click, another web page could use its own link.
 */
export function addEntrance(app: Hono<HttpEnv>, signIn: SignInService, log: Log, browsers: BrowserReader): void {
  app.get(
    '/app/enter',
    answerWithPage(browsers, log, async (context, browser) => {
      const code = new URL(context.req.url).searchParams.get('code') ?? '';
      const link = await requireOpenLink(signIn, code);
      const body = markup`<h1>Your library</h1><p>This opens the library “${link.accountName}” in this browser.</p>
${form(browser, '/app/enter', markup`<input type="hidden" name="code" value="${code}"><button autofocus>Open it</button>`)}`;
      return sendPage(context, browser, { title: 'Your library', body });
    }),
  );
  app.post(
    '/app/enter',
    posted(browsers, log, async (context, browser, fields) => {
      const code = fields.get('code') ?? '';
      await requireOpenLink(signIn, code);
      const { secret } = await signIn.useLink(code, null, browsers.visitOf(context));
      if (browser.person !== null) await signIn.endSession(browser.person.accountId, browser.person.sessionId);
      return redirect(context, { cookies: [browsers.sessionCookie(browser, secret)] }, '/');
    }),
  );
}

/** Links of other purposes set passwords, and are for servers on which people sign in. */
async function requireOpenLink(signIn: SignInService, code: string) {
  const link = await signIn.findLink(code);
  if (link.purpose !== 'open') throw notFound('This link is for a server on which people sign in.');
  return link;
}
