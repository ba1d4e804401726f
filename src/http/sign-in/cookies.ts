import type { HttpContext } from '../context.ts';

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
