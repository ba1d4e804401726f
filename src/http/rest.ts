import type { Hono } from 'hono';
import { z } from 'zod';
import type { Caller } from '../domain/records/account.ts';
import { AppError } from '../errors.ts';
import { callOperation, inputSchema, requireScope } from '../operations/call.ts';
import type { Operation, Services } from '../operations/operation.ts';
import { refusedInput, unknownFields } from '../domain/refused-input.ts';
import { scopeChallenge, type Authenticate } from './auth.ts';
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
  /** Prefix for the path in a `Location` header: the `publicUrl` setting, or empty. */
  publicUrl: string;
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
  const caller = await parts.authenticate(context);
  checkScope(operation, caller);
  const output = await callOperation(operation, 'rest', await readInput(context, route, parts), caller, {
    ...parts.services,
    signal: context.req.raw.signal,
  });
  const body = JSON.stringify(output);
  if (operation.http.method === 'get') return answerRead(context, body);
  const status = operation.http.status?.(output as never) ?? 200;
  return respond(context, status, body, {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    ...(status === 201 && { Location: `${parts.publicUrl}${operation.http.path}/${(output as { id: string }).id}` }),
  });
}

/**
 * Called before the body is read.
 * @throws {HttpRefusal} `insufficient_scope`
 */
function checkScope(operation: Operation, caller: Caller): void {
  try {
    requireScope(operation, caller);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new HttpRefusal(error.code, error.message, { headers: scopeChallenge(operation.scope) });
  }
}

/** A response that a client may cache and revalidate with its ETag. */
function answerRead(context: HttpContext, body: string): Response {
  return respondTagged(context, body, entityTag(body), 'application/json', {
    'Cache-Control': 'private, no-cache',
    Vary: 'Authorization',
  });
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
