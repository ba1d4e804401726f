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
