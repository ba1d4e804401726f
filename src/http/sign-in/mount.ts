import type { Hono } from 'hono';
import { scopes, type Scope } from '../../domain/records/account.ts';
import { idPattern } from '../../domain/records/ids.ts';
import { cleanLine } from '../../domain/text/clean-text.ts';
import { AppError, httpStatus, invalidInput } from '../../errors.ts';
import { endOwnToken, readOwnAccess } from '../../services/sign-in/sign-in.ts';
import type { HttpContext, HttpEnv } from '../context.ts';
import { accountPage } from './account-page.ts';
import { type Browser, type BrowserReader, createBrowserReader } from './browser.ts';
import { checkSignInSettings } from './check-settings.ts';
import {
  redirect,
  sendPage,
  answerWithPage,
  linkPage,
  linkTitle,
  posted,
  signInPage,
  strangerPage,
} from './sign-in-pages.ts';
import type { Mount, MountParts } from '../mount.ts';

const dayMs = 86_400_000;
/** People come to this path after they signed in: the page, which sends those without access on to `/account`. */
const library = '/';
/** Longer addresses of the page are not come back to. */
const maxAddress = 4_000;
const keyId = idPattern('k');
/** More than an account has of keys and tokens, ended ones among them. */
const maxListed = 1_000;

/**
 * The pages for signing in and for managing access to a library. They exist only with the setting `signIn`. Every page is rendered
 * here without scripts.
 */
export const mountSignIn: Mount = (app, parts) => {
  if (parts.config.signIn === 'off') return;
  const { config, signIn, addressOf } = parts;
  checkSignInSettings(config);
  const browsers = createBrowserReader({ config, signIn, addressOf });
  if (config.signIn === 'password') addPasswordRoutes(app, parts, browsers);
  addLinkRoutes(app, parts, browsers);
  addAccountRoutes(app, parts, browsers);
};

function addPasswordRoutes(app: Hono<HttpEnv>, { signIn, log }: MountParts, browsers: BrowserReader): void {
  app.get(
    '/sign-in',
    answerWithPage(browsers, log, async (context, browser) => {
      const to = wantedAddress(new URL(context.req.url).searchParams);
      return browser.person === null
        ? sendPage(context, browser, { title: 'Sign in', body: signInPage(browser, { to }) })
        : redirect(context, browser, to ?? library);
    }),
  );
  app.post(
    '/sign-in',
    posted(browsers, log, async (context, browser, form) => {
      const name = form.get('name') ?? '';
      const [waiting, to] = [waitingRequest(form), wantedAddress(form)];
      try {
        const { secret } = await signIn.signIn(name, form.get('password') ?? '', browsers.visitOf(context));
        await endOldSession(browser);
        const cookies = [browsers.sessionCookie(browser, secret)];
        return redirect(context, { cookies }, waiting === undefined ? (to ?? library) : `/oauth/consent/${waiting}`);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const body = signInPage(browser, { name, waiting, to, why: error.message });
        return sendPage(context, browser, { title: 'Sign in', status: httpStatus[error.code], body });
      }
    }),
  );
  app.post(
    '/sign-out',
    posted(browsers, log, async (context, browser) => {
      await endOldSession(browser);
      const left = redirect(context, { cookies: browsers.endingCookies(browser) }, '/sign-in');
      // Drafts that the page kept in the browser. https://www.w3.org/TR/clear-site-data/
      left.headers.set('Clear-Site-Data', '"storage"');
      return left;
    }),
  );

  /** The session that the browser had is not left behind. */
  async function endOldSession({ person }: Browser): Promise<void> {
    if (person !== null) await signIn.endSession(person.accountId, person.sessionId);
  }
}

/** The request of an assistant that goes on after signing in. An id is not an address: it leads to no other server. */
function waitingRequest(form: URLSearchParams): string | undefined {
  const id = form.get('waiting') ?? '';
  return /^[\w-]{10,64}$/.test(id) ? id : undefined;
}

/** The address that somebody wanted before they had to sign in: a path of the page alone, so that it leads to no other server. */
function wantedAddress(fields: URLSearchParams): string | undefined {
  const wanted = URL.parse(fields.get('to') ?? 'about:blank', 'http://page.invalid');
  if (wanted === null || wanted.origin !== 'http://page.invalid' || wanted.href.length > maxAddress) return undefined;
  const isOfPage = wanted.pathname === '/' || /^\/app(?:\/|$)/.test(wanted.pathname);
  return isOfPage ? wanted.pathname + wanted.search : undefined;
}

function addLinkRoutes(app: Hono<HttpEnv>, { signIn, log, config }: MountParts, browsers: BrowserReader): void {
  app.get(
    '/sign-in/link',
    answerWithPage(browsers, log, async (context, browser) => {
      if (config.signIn === 'proxy' && browser.identity === null) return sendStranger(context, browser);
      const code = new URL(context.req.url).searchParams.get('code') ?? '';
      const link = await signIn.findLink(code);
      return sendPage(context, browser, { title: linkTitle(link), body: linkPage(browser, code, link, {}) });
    }),
  );
  app.post(
    '/sign-in/link',
    posted(browsers, log, async (context, browser, form) => {
      const code = form.get('code') ?? '';
      if (config.signIn === 'proxy') {
        if (browser.identity === null) return sendStranger(context, browser);
        await signIn.useLinkAs(code, browser.identity);
        return redirect(context, browser, library);
      }
      const link = await signIn.findLink(code);
      const name = form.get('name') ?? '';
      const chosen = { name, password: form.get('password') ?? '' };
      try {
        const { secret } = await signIn.useLink(code, chosen, browsers.visitOf(context));
        if (browser.person !== null) await signIn.endSession(browser.person.accountId, browser.person.sessionId);
        return redirect(context, { cookies: [browsers.sessionCookie(browser, secret)] }, library);
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'invalid_input') throw error;
        const body = linkPage(browser, code, link, { name, why: error.message });
        return sendPage(context, browser, { title: linkTitle(link), status: 400, body });
      }
    }),
  );
}

function sendStranger(context: HttpContext, browser: Browser): Response {
  return sendPage(context, browser, { title: 'Not signed in', status: 403, body: strangerPage(browser) });
}

function addAccountRoutes(app: Hono<HttpEnv>, parts: MountParts, browsers: BrowserReader): void {
  const { signIn, access, services, assistants: connected, config, log } = parts;

  const send = async (
    context: HttpContext,
    browser: Browser,
    shown: { status?: number; why?: string; newToken?: string } = {},
  ): Promise<Response> => {
    const { person } = browser;
    if (person === null) {
      return config.signIn === 'proxy' ? sendStranger(context, browser) : redirect(context, browser, '/sign-in');
    }
    const { status = 200, ...rest } = shown;
    const [own, keys] = await Promise.all([
      readOwnAccess(parts, person.accountId),
      services.keys.list(person.accountId, { limit: maxListed, offset: 0 }),
    ]);
    const body = accountPage(browser, {
      person,
      ...own,
      hasPassword: config.signIn === 'password',
      // The list has tokens as well.
      keys: keys.items.filter(({ id, revokedAt }) => keyId.test(id) && revokedAt === null),
      elsewhere: config.authorizationServer,
      mcpUrl: `${browser.origin}/mcp`,
      ...rest,
    });
    return sendPage(context, browser, { title: 'Your account', status, body });
  };
  app.get('/account', answerWithPage(browsers, log, send));

  /** A form on the page of the account. Refusals are shown on that page. */
  const change = (
    path: string,
    work: (accountId: string, form: URLSearchParams, context: HttpContext, browser: Browser) => Promise<string | void>,
  ): void => {
    app.post(
      path,
      posted(browsers, log, async (context, browser, form) => {
        if (browser.person === null) return send(context, browser);
        try {
          const newToken = await work(browser.person.accountId, form, context, browser);
          return newToken === undefined
            ? redirect(context, browser, '/account')
            : await send(context, browser, { newToken });
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          return send(context, browser, { status: httpStatus[error.code], why: error.message });
        }
      }),
    );
  };

  change('/account/tokens', async (account, form) => {
    const name = cleanLine(form.get('name') ?? '');
    if (name === '' || name.length > 100) throw invalidInput('Say in 1 to 100 characters what it is for.');
    const chosen = chosenScopes(form);
    const expires = form.get('expires');
    const lifetimeMs = expires === '0' ? undefined : (expires === '365' ? 365 : 90) * dayMs;
    return (await access.createToken({ account, name, scopes: chosen, lifetimeMs })).token;
  });
  change('/account/tokens/end', (account, form) => endOwnToken(access, account, form.get('id') ?? ''));
  change('/account/keys/end', async (account, form) => {
    await services.keys.revoke(account, form.get('id') ?? '');
  });
  change('/account/assistants/end', (account, form) => connected.cutOff(account, form.get('id') ?? ''));
  if (config.signIn !== 'password') return;
  change('/account/sessions/end', (account, form) => signIn.endSession(account, form.get('id') ?? ''));
  change('/account/password', async (_account, form, context, browser) => {
    if (browser.person === null) return;
    const [present, next] = [form.get('present') ?? '', form.get('next') ?? ''];
    await signIn.changePassword(browser.person, present, next, browsers.visitOf(context));
  });
}

/** @throws {AppError} `invalid_input` when nothing is ticked */
function chosenScopes(form: URLSearchParams): Scope[] {
  const chosen = scopes.filter((scope) => form.getAll('scope').includes(scope));
  if (chosen.length === 0) throw invalidInput('Tick at least one thing that is allowed.');
  return chosen;
}
