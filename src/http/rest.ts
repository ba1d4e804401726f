import type { Hono } from 'hono';
import { z } from 'zod';
import type { Caller } from '../domain/records/account.ts';
import type { TokenCaller } from '../services/access.ts';
import { AppError } from '../errors.ts';
import { callOperation, inputSchema } from '../operations/call.ts';
import type { Operation, OperationContext, Services } from '../operations/operation.ts';
import { type Guarded, nameOfMissing, requirePermission } from '../operations/permissions.ts';
import { refusedInput, unknownFields } from '../domain/refused-input.ts';
import type { Authenticate } from './auth.ts';
import { scopeChallenge } from './challenge.ts';
import { readJsonBody, type BodyParts } from './incoming/body.ts';
import { respond, type HttpContext, type HttpEnv } from './context.ts';
import { entityTag, respondTagged } from './incoming/entity-tag.ts';
import { standardBodyBytes } from './incoming/limits.ts';
import { HttpRefusal } from './problem.ts';
import { readQuery } from './incoming/query.ts';
import { inputPlaces, restOperations, type RestOperation } from './rest-operations.ts';

const noSuchId = 'There is nothing with this id. The lists and the search show the ids there are.';

export interface RestParts extends BodyParts {
  services: Services;
  authenticate: Authenticate;
  /** As `MountParts` has it. */
  requireRoom: (context: HttpContext) => void;
  /** Prefix for the path in a `Location` header: the `publicUrl` setting, or empty. */
  publicUrl: string;
  /** Runs the call, and may answer without it or change its answer. Absent: it is just run. */
  around?: (call: RestCall, run: RunCall) => Promise<Answered>;
  /** Sends the answer. Absent: as it is; an answer to GET with its ETag, or as 304. */
  send?: (context: HttpContext, answered: Answered) => Response | Promise<Response>;
}

/** A call that was authenticated, allowed and read. */
export interface RestCall {
  context: HttpContext;
  caller: TokenCaller;
  operation: RestOperation;
  input: Record<string, unknown>;
}

/** @param more what the operation's `run` gets beside the usual */
export type RunCall = (more?: Pick<OperationContext, 'unchangedSince'>) => Promise<Answered>;

/** A successful answer, before it is sent. */
export interface Answered {
  status: number;
  body: string;
  headers: Readonly<Record<string, string>>;
}

/** An operation and everything about its route that can be computed at startup. */
interface Route {
  operation: RestOperation;
  pathInputs: readonly [name: string, schema: z.ZodType][];
  /** The other inputs: fields of the body if the route has one, else query parameters. */
  otherInputs: z.ZodObject;
  hasBody: boolean;
}

function routeOf(operation: RestOperation): Route {
  const schema = inputSchema(operation, 'rest');
  const { inPath, hasBody } = inputPlaces(operation);
  return {
    operation,
    pathInputs: inPath.map((name) => [name, schema.shape[name] as z.ZodType]),
    otherInputs: z.strictObject(
      Object.fromEntries(Object.entries(schema.shape).filter(([name]) => !inPath.includes(name))),
    ),
    hasBody,
  };
}

export function addRestRoutes(app: Hono<HttpEnv>, operations: readonly Operation[], parts: RestParts): void {
  for (const operation of restOperations(operations)) {
    const route = routeOf(operation);
    app.on(operation.http.method.toUpperCase(), operation.http.path, (context) => answer(context, route, parts));
  }
}

async function answer(context: HttpContext, route: Route, parts: RestParts): Promise<Response> {
  const { operation } = route;
  const { around = (_call, run) => run(), send = sendAnswer } = parts;
  const caller = await parts.authenticate(context);
  checkPermission(operation, caller);
  const input = await readInput(context, route, parts);
  const run: RunCall = async (more) => {
    const { signal } = context.req.raw;
    const output = await callOperation(operation, 'rest', input, caller, { ...parts.services, ...more, signal });
    if (operation.effects.readOnly) parts.requireRoom(context);
    return answered(operation, output, parts.publicUrl);
  };
  return send(context, await around({ context, caller, operation, input }, run));
}

/** The answer with the headers that belong to the operation. */
function answered({ http }: RestOperation, output: unknown, publicUrl: string): Answered {
  const body = JSON.stringify(output);
  const status = http.method === 'get' ? 200 : (http.status?.(output as never) ?? 200);
  return {
    status,
    body,
    headers: {
      'Content-Type': 'application/json',
      ...(http.method === 'get' ? forReaders : { 'Cache-Control': 'no-store' }),
      ...(status === 201 && { Location: `${publicUrl}${http.path}/${(output as { id: string }).id}` }),
    },
  };
}

/** A client may cache the answer and revalidate it with its ETag. */
const forReaders = { 'Cache-Control': 'private, no-cache', Vary: 'Authorization' };

function sendAnswer(context: HttpContext, { status, body, headers }: Answered): Response {
  if (context.req.method !== 'GET' && context.req.method !== 'HEAD') return respond(context, status, body, headers);
  return respondTagged(context, body, entityTag(body), headers);
}

/**
 * Called before the body is read.
 * @throws {HttpRefusal} `insufficient_scope`
 */
export function checkPermission(operation: Guarded, caller: Caller): void {
  try {
    requirePermission(operation, caller);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new HttpRefusal(error.code, error.message, { headers: scopeChallenge(nameOfMissing(operation, caller)) });
  }
}

async function readInput(context: HttpContext, route: Route, parts: BodyParts): Promise<Record<string, unknown>> {
  const { operation, pathInputs, otherInputs, hasBody } = route;
  const input: Record<string, unknown> = {};
  for (const [name, schema] of pathInputs) {
    const text = context.req.param(name);
    // A malformed id is not found (404), like an unknown one.
    if (!schema.safeParse(text).success) throw new AppError('not_found', noSuchId);
    input[name] = text;
  }
  const { url } = context.req.raw;
  const question = url.indexOf('?');
  const query = question === -1 ? {} : readQuery(url.slice(question + 1), otherInputs);
  if (hasBody) refuseUnknown(Object.keys(query), 'No query parameters are known here.');
  const given: object = hasBody
    ? await readJsonBody(context, parts, {
        maxBytes: operation.http.maxBodyBytes ?? standardBodyBytes,
        largeInputs: operation.largeInputs ?? [],
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
