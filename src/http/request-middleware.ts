import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Clock } from '../domain/clock.ts';
import type { Log } from '../log.ts';
import { respondWithProblem, standardHeaders, type HttpEnv } from './context.ts';

export interface GateParts {
  clock: Clock;
  log: Log;
  checkHost: (hostHeader: string | undefined) => void;
  /** Told about every answer. */
  onAnswer: (answer: { method: string; route: string; status: number; ms: number }) => void;
}

/** What is taken over from a client as the id of its request: nothing that could forge a line of a log. */
const saneId = /^[\w.:-]{1,64}$/;

/**
 * Around every request: its id, the Host header, the headers of every answer, and one line in the log, which holds
 * the pattern of the route and never what was asked.
 */
export function createGate(parts: GateParts): MiddlewareHandler<HttpEnv> {
  const { clock, log, checkHost, onAnswer } = parts;
  return async (context, next) => {
    const started = clock.elapsed();
    const { raw } = context.req;
    const given = raw.headers.get('x-request-id');
    const requestId = given !== null && saneId.test(given) ? given : randomUUID();
    context.set('requestId', requestId);
    try {
      checkHost(raw.headers.get('host') ?? undefined);
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
