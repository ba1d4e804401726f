import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { TokenCaller } from '../services/access.ts';
import { problemOf } from './problem.ts';

/** What travels with a request through Hono. */
export interface HttpEnv {
  Bindings: Partial<HttpBindings>;
  Variables: {
    requestId: string;
    /** Who asks, once that is known. */
    caller?: TokenCaller;
    /** The state of the caller's rate limit, as a header. */
    rateLimit?: string;
    rateLimitPolicy?: string;
    /** True when the answer was made by `respond`, which has put every header on it. */
    sealed?: boolean;
  };
}
export type HttpContext = Context<HttpEnv>;

/** The address at the other end of the connection; there is none when a test asks the app itself. */
export function remoteAddress(context: HttpContext): string | undefined {
  const bindings: Partial<HttpBindings> | undefined = context.env;
  return bindings?.incoming?.socket.remoteAddress;
}

/** On every answer. Pages (the documentation) replace the policy by their own. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/**
 * An answer with every header it needs, given at once: headers set one by one afterwards cost more than the routing.
 */
export function respond(
  context: HttpContext,
  status: number,
  body: string | null,
  headers: Readonly<Record<string, string>>,
): Response {
  const all: Record<string, string> = { ...securityHeaders, 'X-Request-Id': context.get('requestId'), ...headers };
  const rateLimit = context.get('rateLimit');
  if (rateLimit !== undefined) {
    all['RateLimit'] = rateLimit;
    all['RateLimit-Policy'] = context.get('rateLimitPolicy') ?? '';
  }
  context.set('sealed', true);
  return new Response(body, { status, headers: all });
}

export function respondWithProblem(context: HttpContext, error: unknown): Response {
  const { status, headers, body } = problemOf(error, context.get('requestId'));
  return respond(context, status, JSON.stringify(body), {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
    ...headers,
  });
}
