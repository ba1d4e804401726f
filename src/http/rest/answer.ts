import type { Hono } from 'hono';
import { z } from 'zod';
import type { Caller } from '../../domain/records/account.ts';
import { refusedInput, unknownFields } from '../../domain/refused-input.ts';
import { AppError, type FieldProblem, notFound } from '../../errors.ts';
import { callOperation, type Guarded, nameOfMissing, requirePermission } from '../../operations/call.ts';
import type { HttpContext, HttpEnv } from '../context.ts';
import { readJsonBody } from '../incoming/body.ts';
import { standardBodyBytes } from '../incoming/limits.ts';
import type { MountParts } from '../mount.ts';
import { configuredAddress } from '../addresses.ts';
import { HttpRefusal, scopeChallenge } from '../problem.ts';
import type { RestCall, Route } from './routes.ts';
import { type Answered, sendCompressed, sendPlain } from './send.ts';
import { onceForEachKey, type RunCall, unlessChanged } from './writes.ts';
import { bareSchema } from '../../operations/fields.ts';

const noSuchId = 'There is nothing with this id. The lists and the search show the ids there are.';

interface RestParts extends MountParts {
  /** Answers a call of a route that takes a form. */
  answerForm(call: RestCall, parts: MountParts): Promise<Response>;
}

export function addRoutes(app: Hono<HttpEnv>, routes: readonly Route[], parts: RestParts): void {
  // `/content/changes` is not a `/content/:id`: its routes come first, and other methods end there.
  const plain = routes.filter(({ inPath }) => inPath.length === 0);
  const others = routes.filter((route) => !plain.includes(route));
  for (const route of plain) addRoute(app, route, parts);
  for (const path of new Set(plain.map(({ http }) => http.path))) app.all(path, (context) => context.notFound());
  for (const route of others) addRoute(app, route, parts);
}

export function isForm({ req: { raw } }: HttpContext): boolean {
  return /^multipart\/form-data\b/i.test(raw.headers.get('content-type') ?? '');
}

function addRoute(app: Hono<HttpEnv>, route: Route, parts: RestParts): void {
  const { shape } = route.input;
  const inPath = route.inPath.map((name): [string, z.ZodType] => [name, shape[name] as z.ZodType]);
  const others = z.strictObject(
    Object.fromEntries(Object.entries(shape).filter(([name]) => !route.inPath.includes(name))),
  );
  app.on(route.http.method.toUpperCase(), route.http.path, async (context) => {
    const caller = await parts.authenticate(context);
    checkPermission(route, caller);
    if (route.takesForm && (!route.hasBody || isForm(context)))
      return parts.answerForm({ context, caller, route, input: {} }, parts);
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
    if (!schema.safeParse(text).success) throw notFound(noSuchId);
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

/** Decodes one part of a query string; null when it is not valid percent-encoded UTF-8. */
function decode(text: string): string | null {
  const spaced = text.replaceAll('+', ' ');
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

/**
 * Converts text to a number or a boolean if it is written as one. Other text is kept: the schema then refuses the field
 * by name.
 */
function valueOf(schema: z.ZodType, text: string): unknown {
  if (schema instanceof z.ZodBoolean && (text === 'true' || text === 'false')) return text === 'true';
  if (schema instanceof z.ZodNumber && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  return text;
}

/**
 * Reads a query string as the fields of `schema`. A list is separated by commas, repeated, or both. Parameters that the
 * schema does not know are kept in the result, so that the schema refuses them.
 * @param search the text after the `?`
 * @throws {AppError} `invalid_input` for text that cannot be decoded, and for a single value that is given twice
 */
function readQuery(search: string, schema: z.ZodObject): Record<string, unknown> {
  const fields = new Map<string, unknown>();
  const problems: FieldProblem[] = [];
  for (const pair of search.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    const text = decode(equals === -1 ? '' : pair.slice(equals + 1));
    if (name === null || text === null) {
      const message = 'is not valid percent-encoded UTF-8';
      problems.push(name === null ? { path: '', message: `A parameter ${message}` } : { path: name, message });
      continue;
    }
    const field = Object.hasOwn(schema.shape, name) ? bareSchema(schema.shape[name] as z.ZodType) : undefined;
    const before = fields.get(name);
    if (field instanceof z.ZodArray) {
      fields.set(name, [...((before as string[] | undefined) ?? []), ...text.split(',').map((part) => part.trim())]);
    } else if (field !== undefined && before !== undefined) {
      problems.push({ path: name, message: 'was given more than once' });
    } else {
      fields.set(name, field === undefined ? text : valueOf(field, text));
    }
  }
  if (problems.length > 0) throw refusedInput('The query string is not valid.', problems);
  return Object.fromEntries(fields);
}
