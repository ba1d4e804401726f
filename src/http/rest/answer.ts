import type { Hono } from 'hono';
import { z } from 'zod';
import type { Caller } from '../../domain/records/account.ts';
import { refusedInput, unknownFields } from '../../domain/refused-input.ts';
import { AppError } from '../../errors.ts';
import { callOperation } from '../../operations/call.ts';
import { type Guarded, nameOfMissing, requirePermission } from '../../operations/permissions.ts';
import type { HttpContext, HttpEnv } from '../context.ts';
import { readJsonBody } from '../incoming/body.ts';
import { standardBodyBytes } from '../incoming/limits.ts';
import { readQuery } from '../incoming/query.ts';
import type { MountParts } from '../mount.ts';
import { configuredAddress } from '../own-address.ts';
import { HttpRefusal, scopeChallenge } from '../problem.ts';
import type { RestCall, Route } from './routes.ts';
import { sendCompressed, sendPlain, type Answered } from './send.ts';
import { onceForEachKey, unlessChanged, type RunCall } from './writes.ts';

const noSuchId = 'There is nothing with this id. The lists and the search show the ids there are.';

export function addRoutes(app: Hono<HttpEnv>, routes: readonly Route[], parts: MountParts): void {
  // `/content/changes` is a path of its own, and no `/content/:id`: its routes come first, and other methods end there.
  const plain = routes.filter(({ inPath }) => inPath.length === 0);
  const others = routes.filter((route) => !plain.includes(route));
  for (const route of plain) addRoute(app, route, parts);
  for (const path of new Set(plain.map(({ http }) => http.path))) app.all(path, (context) => context.notFound());
  for (const route of others) addRoute(app, route, parts);
}

function addRoute(app: Hono<HttpEnv>, route: Route, parts: MountParts): void {
  const { shape } = route.input;
  const inPath = route.inPath.map((name): [string, z.ZodType] => [name, shape[name] as z.ZodType]);
  const others = z.strictObject(
    Object.fromEntries(Object.entries(shape).filter(([name]) => !route.inPath.includes(name))),
  );
  app.on(route.http.method.toUpperCase(), route.http.path, async (context) => {
    const caller = await parts.authenticate(context);
    checkPermission(route, caller);
    const input = await readInput(context, { route, inPath, others }, parts);
    const call = { context, caller, route, input };
    if (route.serve !== undefined) return route.serve(call, parts);
    return sendAnswer(call, await runCall(call, parts));
  });
}

/** A repeated request gets the answer of the first one, whatever has changed since; so its key is looked up first. */
async function runCall(call: RestCall, parts: MountParts): Promise<Answered> {
  const { context, caller, route, input } = call;
  const run: RunCall = async (more) => {
    const { signal } = context.req.raw;
    const output = await callOperation(route, 'rest', input, caller, { ...parts.services, ...more, signal });
    if (route.effects.readOnly) parts.requireRoom(context);
    return answered(route, output, parts);
  };
  if (route.takesKey) return onceForEachKey(call, parts.repeatedRequests, run);
  return route.takesIfMatch ? unlessChanged(call, parts.services, run) : run();
}

/** The answer with the headers that belong to the operation. */
export function answered({ http }: Route, output: unknown, { config }: Pick<MountParts, 'config'>): Answered {
  const status = http.method === 'get' ? 200 : (http.status?.(output as never) ?? 200);
  return {
    status,
    body: JSON.stringify(output),
    headers: {
      'Content-Type': 'application/json',
      ...(http.method === 'get' ? forReaders : { 'Cache-Control': 'no-store' }),
      ...(status === 201 && { Location: `${configuredAddress(config)}${http.path}/${(output as { id: string }).id}` }),
    },
  };
}

/** A client may cache the answer and revalidate it with its ETag. */
const forReaders = { 'Cache-Control': 'private, no-cache', Vary: 'Authorization' };

export function sendAnswer({ context, route }: RestCall, answer: Answered): Response | Promise<Response> {
  return route.isApiV1 ? sendCompressed(context, answer) : sendPlain(context, answer);
}

/**
 * Called before the body is read.
 * @throws {HttpRefusal} `insufficient_scope`
 */
function checkPermission(operation: Guarded, caller: Caller): void {
  try {
    requirePermission(operation, caller);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new HttpRefusal(error.code, error.message, { headers: scopeChallenge(nameOfMissing(operation, caller)) });
  }
}

/** A route with its inputs by place. */
interface Places {
  route: Route;
  inPath: readonly [name: string, schema: z.ZodType][];
  /** Fields of the body if the route has one, else query parameters. */
  others: z.ZodObject;
}

async function readInput(
  context: HttpContext,
  { route, inPath, others }: Places,
  parts: MountParts,
): Promise<Record<string, unknown>> {
  const input: Record<string, unknown> = {};
  for (const [name, schema] of inPath) {
    const text = context.req.param(name);
    // A malformed id is not found (404), like an unknown one.
    if (!schema.safeParse(text).success) throw new AppError('not_found', noSuchId);
    input[name] = text;
  }
  const { url } = context.req.raw;
  const question = url.indexOf('?');
  const query = question === -1 ? {} : readQuery(url.slice(question + 1), others);
  if (route.hasBody) refuseUnknown(Object.keys(query), 'No query parameters are known here.');
  const given: object = route.hasBody
    ? await readJsonBody(context, parts, {
        maxBytes: route.http.maxBodyBytes ?? standardBodyBytes,
        largeInputs: route.largeInputs ?? [],
      })
    : query;
  // The path's inputs may not also be in the query or the body, where they could contradict the path.
  const repeated = Object.keys(given).filter((name) => Object.hasOwn(input, name));
  refuseUnknown(repeated, 'This is given in the path.');
  return { ...given, ...input };
}

function refuseUnknown(names: readonly string[], why: string): void {
  if (names.length === 0) return;
  throw refusedInput(why, unknownFields(names));
}
