import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { TokenCaller } from '../services/access.ts';
import type { LimitState } from './incoming/limits.ts';
import { problemOf } from './problem.ts';

/** What travels with a request through Hono. */
export interface HttpEnv {
  Bindings: Partial<HttpBindings>;
  Variables: {
    requestId: string;
    /** Who asks, once that is known. */
    caller?: TokenCaller;
    /** The caller's rate limit, once a request was counted against it. */
    rateLimit?: LimitState;
    /** True when the answer was made by `respond`, which has put every header on it. */
    sealed?: boolean;
  };
}
export type HttpContext = Context<HttpEnv>;

/** Who asks. Only for what comes behind authentication. */
export function requireCaller(context: HttpContext): TokenCaller {
  const caller = context.get('caller');
  if (caller === undefined) throw new Error('nobody has asked yet who calls');
  return caller;
}

/** The address at the other end of the connection; there is none when a test asks the app itself. */
export function remoteAddress(context: HttpContext): string | undefined {
  const bindings: Partial<HttpBindings> | undefined = context.env;
  return bindings?.incoming?.socket.remoteAddress;
}

/** On every answer. Pages (the documentation) replace the policy by their own. */
const securityHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** What every answer carries, unless it says otherwise. */
export function standardHeaders(context: HttpContext): Record<string, string> {
  const rateLimit = context.get('rateLimit');
  return {
    ...securityHeaders,
    'X-Request-Id': context.get('requestId'),
    ...(rateLimit !== undefined && { RateLimit: rateLimit.state, 'RateLimit-Policy': rateLimit.policy }),
  };
}

/**
 * An answer with every header it needs, given at once: headers set one by one afterwards cost more than the routing.
 */
export function respond(
  context: HttpContext,
  status: number,
  body: string | null,
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
