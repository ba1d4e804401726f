import { accountIdOf } from '../domain/access/account-names.ts';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { TokenCaller } from '../services/access.ts';
import type { LimitState } from './incoming/limits.ts';
import type { ShownToken } from './incoming/open-calls.ts';
import { problemOf } from './problem.ts';

/** Data that Hono carries with each request. */
export interface HttpEnv {
  Bindings: Partial<HttpBindings>;
  Variables: {
    requestId: string;
    /** The authenticated caller; absent before authentication. */
    caller?: TokenCaller;
    /** The caller's credential. */
    shownToken?: ShownToken;
    /** The caller's rate limit, once this request was counted against it. */
    rateLimit?: LimitState;
    /** True when `respond` built the response, so it already has the standard headers. */
    sealed?: boolean;
  };
}
export type HttpContext = Context<HttpEnv>;

/**
 * The authenticated caller. Call it only after authentication.
 * @throws {Error} when the request was not authenticated
 */
export function requireCaller(context: HttpContext): TokenCaller {
  const caller = context.get('caller');
  if (caller === undefined) throw new Error('nobody has asked yet who calls');
  return caller;
}

/** The account of the caller, which all its tokens share. @throws {Error} like `requireCaller` */
export function accountOfCaller(context: HttpContext): string {
  return accountIdOf(requireCaller(context).accountId);
}

/**
 * The token of the caller. Call it only after authentication.
 * @throws {Error} when the request was not authenticated
 */
export function requireToken(context: HttpContext): ShownToken {
  const shown = context.get('shownToken');
  if (shown === undefined) throw new Error('nobody has asked yet who calls');
  return shown;
}

/** The remote address of the connection; undefined when a test calls the app without a socket. */
export function remoteAddress(context: HttpContext): string | undefined {
  const bindings: Partial<HttpBindings> | undefined = context.env;
  return bindings?.incoming?.socket.remoteAddress;
}

/** Sent with every response. HTML pages (the documentation) send their own content security policy. */
const securityHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** The headers of every response; the response's own headers override them. */
export function standardHeaders(context: HttpContext): Record<string, string> {
  const rateLimit = context.get('rateLimit');
  return {
    ...securityHeaders,
    'X-Request-Id': context.get('requestId'),
    ...(rateLimit !== undefined && { RateLimit: rateLimit.state, 'RateLimit-Policy': rateLimit.policy }),
  };
}

/**
 * Builds a response with all its headers at once: setting headers one by one afterwards costs more than the routing.
 */
export function respond(
  context: HttpContext,
  status: number,
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null,
  headers: Readonly<Record<string, string>>,
): Response {
  context.set('sealed', true);
  return new Response(body, { status, headers: { ...standardHeaders(context), ...headers } });
}

export function respondWithProblem(context: HttpContext, error: unknown): Response {
  const { status, headers, body } = problemOf(error, context.get('requestId'));
  return respond(context, status, JSON.stringify(body), {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
    ...headers,
  });
}

/** Whether a client wants a page to look at: browsers name HTML; programs name JSON, or accept anything. */
export function acceptsHtml(accept: string | null): boolean {
  return (accept ?? '').split(',').some((entry) => {
    const [type = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    return type === 'text/html' && !parameters.some((parameter) => /^q=0(?:\.0{0,3})?$/.test(parameter));
  });
}
