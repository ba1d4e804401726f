import { z } from 'zod';
import type { TokenCaller } from '../../services/access.ts';
import type { HttpContext } from '../context.ts';
import type { MountParts } from '../mount.ts';
import type { JsonSchema } from './openapi/document.ts';
import { startOfDate } from '../../domain/search/dates.ts';
import { decodeCursor, encodeCursor } from '../../domain/cursor.ts';
import { cursor, undo } from '../../operations/fields.ts';
import type { ContentItem } from '../../domain/records/content.ts';
import { listActions } from '../../operations/actions.ts';
import { getContent, listContent } from '../../operations/content/read-content.ts';
import { saveContent } from '../../operations/content/save-content.ts';
import { updateContent } from '../../operations/content/change-content.ts';
import type { Operation, OperationContext } from '../../operations/operation.ts';

export const apiV1Prefix = '/api/v1';

/** A row of the REST table: an operation, its path, and its options. The server, the OpenAPI document and the docs use this table. */
export interface Route extends Operation {
  http: NonNullable<Operation['http']>;
  /** The inputs in the path: `/content/:id` → `id`. */
  inPath: readonly string[];
  /** Whether the other inputs are fields of a JSON body; if not, they are query parameters. */
  hasBody: boolean;
  /** Headers and compression of /api/v1, and the statuses that belong to them. */
  isApiV1: boolean;
  /** `Idempotency-Key`: a repeated request is answered like the first one. */
  takesKey: boolean;
  /** `If-Match`: the item must not have changed since it was read. */
  takesIfMatch: boolean;
  /** Whether a form (`multipart/form-data`) may be sent in place of the JSON body. */
  takesForm: boolean;
  /** Of a route that takes or gives a file, and is not an operation of the other interfaces. */
  file?: FileTraffic;
  serve?: (call: RestCall, parts: MountParts) => Promise<Response>;
}

/** The document's description of a file. */
export interface FileTraffic {
  /** The media types of the body or of the answer, and their JSON Schema. */
  takes?: Readonly<Record<string, JsonSchema>>;
  gives?: Readonly<Record<string, JsonSchema>>;
  /** A download that broke off may go on. */
  hasRanges?: boolean;
  /** A refusal that only this route has. */
  refusal?: number;
}

/** A call that was authenticated, allowed and read. */
export interface RestCall {
  context: HttpContext;
  caller: TokenCaller;
  route: Route;
  input: Record<string, unknown>;
}

/** The fixed paths. */
export function fixedRoutes(operations: readonly Operation[]): Route[] {
  return operations.flatMap((operation) =>
    operation.http === undefined ? [] : [routeOf({ ...operation, ...lawOf(operation), http: operation.http }, false)],
  );
}

/** A snoozed action is not completed, so the fixed path lists it by default. */
function lawOf({ name, run }: Operation): Partial<Pick<Operation, 'run'>> {
  if (name !== listActions.name) return {};
  return {
    run: (input, context) => {
      const { snoozed = 'either', ...others } = input as Record<string, unknown>;
      return run({ ...others, snoozed } as never, context);
    },
  };
}

/** The same operations under /api/v1, with the paths, further inputs and cursors of that interface. */
export function apiV1Routes(operations: readonly Operation[]): Route[] {
  return operations.flatMap((operation) => {
    const http = operation.apiV1 ?? operation.http;
    if (http === undefined) return [];
    const bound = {
      ...operation,
      ...withMore(operation),
      http: { ...http, path: apiV1Prefix + http.path },
    };
    if (operation.name === updateContent.name) return [routeOf(answeringItem(bound), true)];
    return [routeOf(isList(bound) ? withCursor(bound) : bound, true)];
  });
}

/** Schemas of an operation that has further fields under /api/v1. The others stay the same objects, which have names in the document. */
function withMore({ input, output, apiV1 }: Operation): Partial<Pick<Operation, 'input' | 'output'>> {
  const more = apiV1?.more;
  if (more === undefined) return {};
  return { input: input.extend(more.input), output: (output as z.ZodObject).extend(more.output) };
}

/** The inputs, of which the route requires some that are optional elsewhere. */
function requiring({ input, http: { requires = [] } }: Bound): Operation['input'] {
  const required = requires.map((name) => [name, (input.shape[name] as z.ZodOptional<z.ZodType>).unwrap()] as const);
  return required.length === 0 ? input : input.extend(Object.fromEntries(required));
}

type Bound = Operation & Pick<Route, 'http'>;

export function routeOf(operation: Bound, isApiV1: boolean): Route {
  const { method, path } = operation.http;
  const isItem = path.endsWith('/content/:id');
  return {
    ...operation,
    input: requiring(operation),
    inPath: [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name),
    hasBody: method !== 'get' && method !== 'delete',
    isApiV1,
    takesKey: isApiV1 && method === 'post' && !operation.effects.readOnly,
    takesForm: isApiV1 && operation.name === saveContent.name,
    takesIfMatch: isApiV1 && isItem && (method === 'put' || method === 'delete'),
  };
}

/** PUT answers what GET answers then, so that a client has the ETag for its next change. */
function answeringItem(operation: Bound): Bound {
  const { title, tags } = operation.example.input as Pick<ContentItem, 'title' | 'tags'>;
  const run = async (input: { id: string }, context: OperationContext) => {
    await operation.run(input as never, context);
    return getContent.run(input as never, context);
  };
  return {
    ...operation,
    output: (getContent.output as z.ZodObject).extend(undo),
    example: { ...operation.example, output: { ...(getContent.example.output as ContentItem), title, tags } },
    run: run as unknown as Operation['run'],
  };
}

function isList({ input, output }: Operation): boolean {
  return 'offset' in input.shape && output instanceof z.ZodObject && 'total' in output.shape;
}

interface ListInput extends Record<string, unknown> {
  offset: number;
  cursor?: string;
}

interface ListAnswer {
  items: { createdAt?: string }[];
  total: number;
  limit: number;
  offset: number;
}

/** A list with a cursor: the answer has `nextCursor` as long as there is more. */
function withCursor(operation: Bound): Bound {
  const page = operation.name === listContent.name ? contentPage : offsetPage;
  const run = async (input: ListInput, context: OperationContext) =>
    page(
      input,
      [operation.name, withoutPlace(input)],
      (part) => operation.run(part as never, context) as Promise<ListAnswer>,
    );
  return {
    ...operation,
    input: operation.input.extend({
      cursor: cursor.unwrap().describe('The nextCursor of the page before, with the same other inputs.').optional(),
    }),
    output: (operation.output as z.ZodObject).extend({ nextCursor: z.string().optional() }),
    run: run as unknown as Operation['run'],
  };
}

/** Inputs that must not change from page to page. */
function withoutPlace({ cursor: _cursor, offset: _offset, ...others }: ListInput): object {
  return others;
}

type Paginate = (
  input: ListInput,
  question: unknown,
  read: (input: ListInput) => Promise<ListAnswer>,
) => Promise<ListAnswer & { nextCursor?: string }>;

/** The cursor counts the records before it. */
const offsetPage: Paginate = async ({ cursor: given, ...input }, question, read) => {
  const [position = 0] = decodeCursor(given, question, 1);
  const answer = await read({ ...input, offset: input.offset + position });
  const next = answer.offset - input.offset + answer.items.length;
  const isEnd = answer.items.length === 0 || answer.offset + answer.items.length >= answer.total;
  return isEnd ? answer : { ...answer, nextCursor: encodeCursor(question, [next]) };
};

/**
 * The list of saved items is walked by time, so that what is saved or deleted meanwhile moves no item to another page. The cursor
 * holds the time of the last item shown (milliseconds) and how many items of that very time were shown.
 */
const contentPage: Paginate = async ({ cursor: given, ...input }, question, read) => {
  const [time = 0, shown = 0] = decodeCursor(given, question, 2);
  if (given === undefined) return withNext(await read(input), { time: 0, shown: 0 }, question);
  const { savedBefore } = input as { savedBefore?: string };
  const before = new Date(time + 1).toISOString();
  const isEarlier = savedBefore !== undefined && (startOfDate(savedBefore) ?? time + 1) <= time;
  const [rest, whole] = [
    await read({ ...input, offset: shown, ...(!isEarlier && { savedBefore: before }) }),
    await read({ ...input, offset: 0, limit: 1 }),
  ];
  const answer = withNext(rest, { time, shown }, question);
  // The number of matches, and the position of this page.
  const passed = whole.total - rest.total + shown;
  return { ...answer, total: whole.total, offset: Math.max(0, passed) };
};

function withNext(
  answer: ListAnswer,
  before: { time: number; shown: number },
  question: unknown,
): ListAnswer & { nextCursor?: string } {
  const { items, total, offset } = answer;
  if (items.length === 0 || offset + items.length >= total) return answer;
  const time = Date.parse(items.at(-1)?.createdAt ?? '');
  const same = items.filter(({ createdAt = '' }) => Date.parse(createdAt) === time).length;
  const shown = same + (same === items.length && time === before.time ? before.shown : 0);
  return { ...answer, nextCursor: encodeCursor(question, [time, shown]) };
}
