import { timingSafeEqual } from 'node:crypto';
import type { Config } from '../../settings/config.ts';
import { isLoopbackHost } from '../../domain/links/configured-addresses.ts';
import { formToken, isSecret, newSecret, sessionMaxMs } from '../../domain/access/sign-in.ts';
import { invalidInput } from '../../errors.ts';
import type { Person, SignInService, Visit } from '../../services/sign-in/sign-in.ts';
import { remoteAddress, type HttpContext } from '../context.ts';
import { createOwnAddress, createProxyCheck } from '../addresses.ts';

/** The facts that a page needs of the browser that asks for it. */
export interface Browser {
  /** The address of this server, as the browser reaches it: `https://library.example.org`. */
  origin: string;
  person: Person | null;
  /** The name that a trusted proxy gave; null without one, or when it says nothing. */
  identity: string | null;
  /** Hidden field of every form on the page. */
  formToken: string;
  /** The values of `Set-Cookie` for the response. */
  cookies: string[];
}

export type BrowserReader = ReturnType<typeof createBrowserReader>;

interface BrowserParts {
  config: Pick<
    Config,
    'publicUrl' | 'trustedProxies' | 'httpHost' | 'allowedHosts' | 'signIn' | 'trustedIdentityHeader'
  >;
  signIn: SignInService;
  addressOf: (context: HttpContext) => string;
}

const foreignForm =
  'This form is too old, or it was not sent by this page. Nothing was done. Go back, load the page again, and repeat it.';

function isSame(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

export function createBrowserReader({ config, signIn, addressOf }: BrowserParts) {
  const baseOf = createOwnAddress(config);
  const isTrustedProxy = createProxyCheck(config.trustedProxies);

  const originOf = (context: HttpContext): string => {
    const { origin, protocol, hostname } = new URL(baseOf(context));
    if (protocol === 'https:' || isLoopbackHost(hostname)) return origin;
    throw invalidInput(
      'Signing in needs an encrypted connection. Whoever runs this server puts a proxy with TLS in front of it and sets publicUrl to its https address.',
    );
  };

  const identityOf = (context: HttpContext): string | null => {
    if (config.signIn !== 'proxy' || config.trustedIdentityHeader === '') return null;
    if (!isTrustedProxy(remoteAddress(context))) return null;
    const name = context.req.raw.headers.get(config.trustedIdentityHeader)?.trim() ?? '';
    return name === '' ? null : name;
  };

  const checkToken = (
    context: HttpContext,
    browser: Browser,
    token: string,
    otherwise = invalidInput(foreignForm),
  ): void => {
    const { headers } = context.req.raw;
    const from = headers.get('origin');
    const isOwn = from === null ? headers.get('sec-fetch-site') === 'same-origin' : from === browser.origin;
    if (!isOwn) throw invalidInput(foreignForm);
    if (!isSame(token, browser.formToken)) throw otherwise;
  };

  return {
    /** The address of this server, as `Browser.origin` has it. @throws {AppError} `invalid_input`, like `read` */
    originOf,
    /**
     * Like `checkForm`, for a request of a script of the page, which shows the token in a header.
     * @param otherwise thrown when the token is one of another browser or session
     */
    checkToken,

    /** @throws {AppError} `invalid_input` when the connection is not encrypted, because signing in over it would be unsafe */
    async read(context: HttpContext): Promise<Browser> {
      const origin = originOf(context);
      const cookies: string[] = [];
      let browserSecret = readCookie(context, cookieName(origin, 'form'));
      if (!isSecret(browserSecret)) {
        browserSecret = newSecret();
        cookies.push(cookie(origin, 'form', browserSecret, sessionMaxMs / 1_000));
      }
      const identity = identityOf(context);
      let person: Person | null = null;
      if (config.signIn === 'proxy') person = identity === null ? null : await signIn.findByIdentity(identity);
      else {
        const found = await signIn.findSession(readCookie(context, cookieName(origin, 'session')));
        person = found?.person ?? null;
        if (found !== null && found.newSecret !== null)
          cookies.push(cookie(origin, 'session', found.newSecret, sessionMaxMs / 1_000));
      }
      return { origin, person, identity, cookies, formToken: formToken(browserSecret, person?.sessionId ?? '') };
    },

    /**
     * Refuses a form that another site sent, or that was made for another browser or session.
     * @throws {AppError} `invalid_input`
     */
    checkForm: (context: HttpContext, browser: Browser, form: URLSearchParams): void =>
      checkToken(context, browser, form.get('form') ?? ''),

    /** The cookie of a new session. */
    sessionCookie: ({ origin }: Browser, secret: string): string =>
      cookie(origin, 'session', secret, sessionMaxMs / 1_000),

    /** The cookies after signing out. */
    endingCookies: ({ origin }: Browser): string[] => [cookie(origin, 'session', '', 0), cookie(origin, 'form', '', 0)],

    visitOf: (context: HttpContext): Visit => ({
      address: addressOf(context),
      browser: context.req.raw.headers.get('user-agent') ?? '',
    }),
  };
}

/**
 * Names of cookies. With the prefix `__Host-` browsers accept them only over TLS, from this host, for all its paths:
 * no other host of the domain can set one. Without TLS, on this machine alone, they have other names.
 */
export function cookieName(origin: string, name: 'session' | 'form'): string {
  return origin.startsWith('https:') ? `__Host-commonplace-${name}` : `commonplace-local-${name}`;
}

export function cookie(origin: string, name: 'session' | 'form', value: string, maxAgeSeconds: number): string {
  const secure = origin.startsWith('https:') ? '; Secure' : '';
  return `${cookieName(origin, name)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}${secure}`;
}

export function readCookie(context: HttpContext, name: string): string {
  const header = context.req.raw.headers.get('cookie') ?? '';
  for (const part of header.split(';')) {
    const at = part.indexOf('=');
    if (at !== -1 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return '';
}

/** The session that a browser shows, without a look at whether there is one; empty without any. */
export function shownSession(context: HttpContext): string {
  return (
    readCookie(context, cookieName('https://', 'session')) || readCookie(context, cookieName('http://', 'session'))
  );
}

/** The names of browsers in a `User-Agent`. The first that is found counts, because most name others beside themselves. */
const browsers = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;

const systems = [
  ['iPhone', 'an iPhone'],
  ['iPad', 'an iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['CrOS', 'ChromeOS'],
  ['Macintosh', 'a Mac'],
  ['Linux', 'Linux'],
] as const;

const maxLength = 60;

/** Names the browser that sent this `User-Agent` as a person would: “Firefox on Windows”. */
export function browserName(userAgent: string): string {
  if (userAgent === '') return 'A browser that does not say what it is';
  const find = (known: readonly (readonly [string, string])[]) => known.find(([sign]) => userAgent.includes(sign))?.[1];
  const [browser, system] = [find(browsers), find(systems)];
  if (browser === undefined) return userAgent.slice(0, maxLength);
  return system === undefined ? browser : `${browser} on ${system}`;
}

export function withCookies(response: Response, { cookies }: Pick<Browser, 'cookies'>): Response {
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie);
  return response;
}
