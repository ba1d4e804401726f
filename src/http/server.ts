import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Hono, type MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { routePath } from 'hono/route';
import { accountIdOf } from '../domain/access/account-names.ts';
import { AppError, httpStatus, notFound } from '../errors.ts';
import type { Log } from '../workers/log.ts';
import { operations as allOperations } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';
import { ByteBudget } from '../requests/byte-budget.ts';
import { Uploads } from '../requests/uploads.ts';
import { accountShown, type AuthParts, createAdmit, createAuthenticate, type KnownTokens } from './auth.ts';
import { createAddressReader, createHostCheck } from './addresses.ts';
import {
  type HttpContext,
  type HttpEnv,
  remoteAddress,
  respond,
  respondWithProblem,
  standardHeaders,
} from './context.ts';
import { addHealthRoutes, addMetrics, type CountAnswer } from './monitoring.ts';
import { bodyBytes, createLimits, limitersInMemory } from './incoming/limits.ts';
import type { HttpParts, MountParts } from './mount.ts';
import { HttpRefusal } from './problem.ts';
import { createBodyReader } from './incoming/body.ts';
import { addRoutes } from './rest/answer.ts';
import { answerForm, captureRoute } from './rest/capture.ts';
import { fileRoutes } from './rest/file-routes.ts';
import { apiV1Prefix, apiV1Routes, fixedRoutes, type Route } from './rest/routes.ts';
import { createSendFile } from './rest/send-file.ts';
import { RequestsUnderWay, RequestTurns } from './incoming/requests-under-way.ts';
import type { Clock } from '../domain/clock.ts';

export interface HttpServer {
  app: Hono<HttpEnv>;
  /** Makes `/ready` fail from now on. */
  stop(): void;
  /** Aborts the waiting calls; each client is told why. */
  endCalls(): void;
  /** Closes the mounts. */
  close(): Promise<void>;
}

/** The rows of the table of REST that this server has. */
function routesOf(operations: readonly Operation[], hasApiV1: boolean): Route[] {
  return [...(hasApiV1 ? [...fileRoutes, ...apiV1Routes(operations)] : []), captureRoute, ...fixedRoutes(operations)];
}

/** Builds the routes without listening: `listen.ts` listens, and tests call `app` directly. */
export async function createHttpServer(parts: HttpParts): Promise<HttpServer> {
  const { config, log, clock } = parts;
  const operations = parts.operations ?? allOperations;
  const makeLimiter = parts.makeLimiter ?? limitersInMemory;
  const stopping = new AbortController();
  const ending = new AbortController();
  const readAddress = createAddressReader(config.trustedProxies);
  const clientOf = (context: HttpContext) =>
    readAddress(remoteAddress(context), context.req.raw.headers.get('x-forwarded-for') ?? undefined);
  const turns = new RequestTurns();
  const known: KnownTokens = new Map();
  const underWay = new RequestsUnderWay();
  const auth: AuthParts = {
    access: parts.access,
    limits: createLimits(config, makeLimiter, parts.failedAuthPerMinute),
    underWay,
    known,
    clientOf,
  };
  const authenticate = createAuthenticate(auth);
  const uploads = new Uploads(join(config.data, 'uploads-'), parts.requests);
  const bodies = createBodyReader(new ByteBudget(bodyBytes), turns);

  const app = new Hono<HttpEnv>();
  let countAnswer: CountAnswer = () => undefined;
  app.use(
    createRequestMiddleware({
      clock,
      log,
      checkHost: createHostCheck(config),
      takeTurn: (context) => turns.next(accountShown(context, known) ?? clientOf(context).counted),
      onAnswer: (answer) => countAnswer(answer),
    }),
  );
  if (config.corsOrigins.length > 0) app.use(cors(corsOptions(config.corsOrigins)));
  app.onError((error, context) => {
    logFailure(log, error, context);
    return respondWithProblem(context, error);
  });

  addHealthRoutes(app, { checkReadiness: parts.checkReadiness, stopping: stopping.signal, log });
  if (config.metrics) countAnswer = await addMetrics(app, authenticate, { clock, countQueues: parts.countQueues });
  // Without the setting `apiV1` these paths are 404 for everybody, with or without a token.
  for (const path of config.apiV1 ? [] : [apiV1Prefix, `${apiV1Prefix}/*`])
    app.all(path, () => Promise.reject(noSuchPath()));
  const mountParts: MountParts = {
    ...parts,
    operations,
    makeLimiter,
    authenticate,
    admit: createAdmit(auth),
    beginLarge: (context) => underWay.beginLarge(context),
    requireRoom: (context) => underWay.requireRoom(context),
    addressOf: (context) => clientOf(context).counted,
    bodies,
    uploads,
    sendFile: createSendFile(),
    stopping: stopping.signal,
    ending: ending.signal,
  };
  const closers = (parts.mounts ?? []).map((mount) => mount(app, mountParts));
  addRoutes(app, routesOf(operations, config.apiV1), { ...mountParts, answerForm });
  const methodsOf = createMethodFinder(app);
  app.notFound(async (context) => {
    try {
      await authenticate(context);
      return answerUnrouted(context, methodsOf(context.req.path));
    } catch (error) {
      logFailure(log, error, context);
      return respondWithProblem(context, error);
    }
  });

  return {
    app,
    stop: () => stopping.abort(),
    endCalls: () => ending.abort(),
    async close() {
      await Promise.all([uploads.close(), ...closers.map((close) => close?.())]);
    },
  };
}

function corsOptions(origins: readonly string[]): Parameters<typeof cors>[0] {
  return {
    origin: [...origins],
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    allowHeaders: (
      'Authorization Content-Type If-None-Match If-Match If-Range Idempotency-Key Range X-Request-Id ' +
      'Last-Event-ID Mcp-Session-Id MCP-Protocol-Version Mcp-Method Mcp-Name'
    ).split(' '),
    exposeHeaders: (
      'Accept-Ranges Content-Disposition Content-Range ETag Idempotency-Replayed Location Mcp-Session-Id ' +
      'RateLimit RateLimit-Policy Retry-After WWW-Authenticate X-Request-Id'
    ).split(' '),
    maxAge: 600,
  };
}

function noSuchPath(): AppError {
  return notFound('There is nothing at this path. /docs lists the paths.');
}

/** Logs unexpected errors only. The response already tells the client everything about a refusal. */
function logFailure(log: Log, error: unknown, context: HttpContext): void {
  if (error instanceof AppError && httpStatus[error.code] < 500) return;
  if (context.req.raw.signal.aborted) return;
  log.error({ err: error, requestId: context.get('requestId') }, 'a request failed');
}

/** Builds a function that lists the methods of a path, from the registered routes. */
function createMethodFinder(app: Hono<HttpEnv>): (path: string) => string[] {
  const routes = app.routes
    .filter(({ method, path }) => method !== 'ALL' && !path.includes('*'))
    .map(({ method, path }) => ({ method, segments: path.split('/') }));
  return (path) => {
    const asked = path.split('/');
    const matching = routes.filter(({ segments }) => areOfRoute(asked, segments));
    // An exactly registered path is not an id of another route.
    const exact = matching.filter(({ segments }) => segments.every((segment) => !segment.startsWith(':')));
    const methods = (exact.length > 0 ? exact : matching).map(({ method }) => method);
    return methods.includes('GET') ? ['GET', 'HEAD', ...methods.filter((method) => method !== 'GET')] : methods;
  };
}

/**
 * Whether these path segments match a route's; a route segment that begins with a colon matches any segment that is not
 * empty.
 */
function areOfRoute(asked: readonly string[], segments: readonly string[]): boolean {
  return (
    asked.length === segments.length &&
    segments.every((segment, index) => (segment.startsWith(':') ? asked[index] !== '' : asked[index] === segment))
  );
}

/**
 * Responds to a request that matches no route: OPTIONS and 405 for a known path, else 404.
 * @throws {AppError} `not_found`; {@link HttpRefusal} `method_not_allowed`
 */
function answerUnrouted(context: HttpContext, methods: readonly string[]): Response {
  if (methods.length === 0) throw noSuchPath();
  const allow = [...methods, 'OPTIONS'].join(', ');
  if (context.req.method === 'OPTIONS') return respond(context, 204, null, { Allow: allow });
  throw new HttpRefusal('method_not_allowed', `This path answers ${allow}.`, { headers: { Allow: allow } });
}

interface RequestMiddlewareParts {
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
function createRequestMiddleware(parts: RequestMiddlewareParts): MiddlewareHandler<HttpEnv> {
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
      {
        requestId,
        method: raw.method,
        route,
        status,
        ms,
        account: accountIdOf(context.get('caller')?.accountId ?? '') || undefined,
      },
      'request',
    );
    onAnswer({ method: raw.method, route, status, ms });
  };
}
