import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Clock } from '../domain/clock.ts';
import type { Log } from '../log.ts';
import { type HttpContext, respondWithProblem, standardHeaders, type HttpEnv } from './context.ts';

export interface RequestMiddlewareParts {
  clock: Clock;
  log: Log;
  checkHost: (hostHeader: string | undefined) => void;
  /** Waits until the request may begin. */
  takeTurn: (context: HttpContext) => Promise<void>;
  /** Called after every response. */
  onAnswer: (answer: { method: string; route: string; status: number; ms: number }) => void;
}

/** Request ids accepted from clients: no characters that could forge a log line. */
const acceptedId = /^[\w.:-]{1,64}$/;

/**
 * Middleware around every request. It sets the request id, checks the Host header, waits for a turn, adds the standard headers and writes
 * one log line. The log line holds the route's pattern, and never the requested path or query.
 */
export function createRequestMiddleware(parts: RequestMiddlewareParts): MiddlewareHandler<HttpEnv> {
  const { clock, log, checkHost, takeTurn, onAnswer } = parts;
  return async (context, next) => {
    const started = clock.elapsed();
    const { raw } = context.req;
    const given = raw.headers.get('x-request-id');
    const requestId = given !== null && acceptedId.test(given) ? given : randomUUID();
    context.set('requestId', requestId);
    try {
      checkHost(raw.headers.get('host') ?? undefined);
      await takeTurn(context);
      await next();
    } catch (error) {
      context.res = respondWithProblem(context, error);
    }
    if (context.get('sealed') !== true) {
      const { headers } = context.res;
      for (const [name, value] of Object.entries(standardHeaders(context)))
        if (!headers.has(name)) headers.set(name, value);
    }
    const { status } = context.res;
    const route = routePath(context, -1);
    const ms = clock.elapsed() - started;
    log.info(
      { requestId, method: raw.method, route, status, ms, account: context.get('caller')?.accountId },
      'request',
    );
    onAnswer({ method: raw.method, route, status, ms });
  };
}
