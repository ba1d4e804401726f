import { PROTOCOL_VERSION_META_KEY, specTypeSchemas, type StandardSchemaV1Sync } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { hasVisibleText } from '../domain/text/clean-text.ts';
import type { Operation } from '../operations/operation.ts';
import { inputJson, type InputJson, listInText, parsedJson, readScalar } from './lenient-values.ts';
import { maxUrlLength } from '../domain/links/url.ts';
import { fieldProblems } from '../domain/refused-input.ts';

/*
 * Deviations from a tool's schema that hosts and models send (docs/decisions/mcp-protocol.md). REST, the page and the command line
 * accept none of them.
 */

type Fields = Record<string, unknown>;

/**
 * The input of a call, adapted to the operation's schema where its meaning is clear. Everything else is unchanged, and the schema
 * refuses it.
 */
export function lenientInput(operation: Operation, given: unknown): unknown {
  const { readOnly } = operation.effects;
  const schema = inputJson(operation);
  const fields = isFields(given) ? given : objectIn(given);
  return fields === undefined ? given : readFields(withKnownNames(fields, schema, readOnly), schema, readOnly);
}

/** `LargeValue` is no such object. */
export function isFields(value: unknown): value is Fields {
  return (
    typeof value === 'object' &&
    value !== null &&
    [Object.prototype, null].includes(Object.getPrototypeOf(value) as null)
  );
}

function objectIn(value: unknown): Fields | undefined {
  const parsed = typeof value === 'string' ? parsedJson(value) : undefined;
  return isFields(parsed) ? parsed : undefined;
}

/** Inputs that hosts add to every tool, to show or record why a model calls it. */
const hostInputs = new Set(
  (
    '_meta task_progress explanation reason reasoning rationale justification thought thoughts thinking intent ' +
    'random_string dummy toolCallId tool_call_id toolAction toolSummary security_risk requires_approval ' +
    'waitForPreviousTools sessionId session_id run_manager'
  ).split(' '),
);
/** The same under names that could hold a person's text: a tool that changes something refuses them. */
const ambiguousHostInputs = new Set(['summary', 'context', 'metadata']);
/** Names under which hosts and models nest the whole input, or the filters of a tool that takes them flat. */
const wrappers = new Set('arguments args kwargs input params parameters filters filter'.split(' '));

/** Leaves out what hosts add, and puts each input where the schema has it. */
function withKnownNames(given: Fields, { properties = {} }: InputJson, readOnly: boolean): Fields {
  const fields: Fields = {};
  const strays: [string, unknown][] = [];
  for (const [name, value] of Object.entries(given)) {
    const asMany = `${name}s`;
    // Several ids or addresses where one belongs, of a tool that takes several.
    if (Array.isArray(value) && value.length > 1 && Object.hasOwn(properties, asMany) && !(asMany in given))
      fields[asMany] = value;
    else if (Object.hasOwn(properties, name)) fields[name] = value;
    else if (!hostInputs.has(name) && !(readOnly && ambiguousHostInputs.has(name))) strays.push([name, value]);
  }
  for (const [name, value] of strays) {
    const inside = wrappers.has(name) ? (isFields(value) ? value : objectIn(value)) : undefined;
    const owner = Object.keys(properties).filter((of) => Object.hasOwn(properties[of]?.properties ?? {}, name));
    if (inside !== undefined && Object.keys(inside).every((of) => Object.hasOwn(properties, of) && !(of in fields)))
      Object.assign(fields, inside);
    else if (owner.length === 1 && owner[0] !== undefined && addTo(fields, owner[0], name, value)) continue;
    // Not by assignment: the name may be `__proto__`.
    else Object.defineProperty(fields, name, { value, enumerable: true });
  }
  return fields;
}

/** Puts a flat field into the object that it belongs to; false where that has another value for it. */
function addTo(fields: Fields, owner: string, name: string, value: unknown): boolean {
  const held = fields[owner] ?? {};
  const object = isFields(held) ? held : (objectIn(held) ?? (isFiller(held) ? {} : undefined));
  if (object === undefined || (name in object && !isFiller(object[name]))) return false;
  fields[owner] = { ...object, [name]: value };
  return true;
}

function readFields(given: Fields, { properties = {}, required = [] }: InputJson, readOnly: boolean): Fields {
  const read = Object.entries(given).flatMap(([name, value]): [string, unknown][] => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (schema === undefined) return [[name, value]];
    const field = readValue(value, name, schema, readOnly);
    if (!isFiller(field)) return [[name, field]];
    return required.includes(name) ? [[name, field === undefined ? value : field]] : [];
  });
  return Object.fromEntries(read);
}

/** Undefined for values that mean "not given". */
function readValue(given: unknown, name: string, schema: InputJson, readOnly: boolean): unknown {
  // Beside null there is one type.
  const { type, items, ...rest } = schema.anyOf?.find(({ type: of }) => of !== 'null') ?? schema;
  if (type === 'object') {
    const fields = isFields(given) ? given : objectIn(given);
    return fields === undefined ? given : readFields(fields, rest, readOnly);
  }
  if (type === 'array' && items !== undefined) {
    const list = typeof given === 'string' ? listInText(given, items.type === 'string') : given;
    if (list === undefined || isFiller(list)) return undefined;
    if (typeof list === 'boolean') return list;
    const entries = Array.isArray(list) ? list : [list];
    return entries
      .flatMap((entry: unknown) => {
        const inEntry = typeof entry === 'string' && entry.includes(',') && items.type === 'string';
        return inEntry ? (listInText(entry, true) ?? []) : [entry];
      })
      .map((entry) => readValue(entry, name, items, readOnly))
      .filter((entry) => !isFiller(entry));
  }
  // Some hosts send a single value as a list.
  const [only, second] = Array.isArray(given) ? given : [given];
  if (second !== undefined || isFiller(only)) return isFiller(given) ? undefined : given;
  return readScalar(only, name, { type, ...rest }, readOnly);
}

/** Values that hosts send for an omitted input. */
function isFiller(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === 'string') return !hasVisibleText(value);
  if (Array.isArray(value)) return value.every(isFiller);
  return isFields(value) && Object.values(value).every(isFiller);
}

/** As many ids as a tool takes. */
const maxIds = 100;

/**
 * The input with the ids of saved pages in place of their addresses, which models know better than ids. An address from
 * which nothing was saved stays.
 */
export async function withIdsOfPages(
  { example }: Operation,
  input: unknown,
  idOf: (address: string) => Promise<string | null>,
): Promise<unknown> {
  if (typeof input !== 'object' || input === null) return input;
  const names = Object.keys(input).filter(
    (name) => name === 'contentId' || name === 'ids' || isOfItem(example.input[name]),
  );
  const found = await Promise.all(
    names.map(async (name) => {
      const value: unknown = (input as Record<string, unknown>)[name];
      const read = async (given: unknown) => (isAddress(given) ? ((await idOf(given)) ?? given) : given);
      const isList = Array.isArray(value) && value.length <= maxIds;
      return [name, isList ? await Promise.all(value.map(read)) : await read(value)];
    }),
  );
  return { ...input, ...Object.fromEntries(found) };
}

function isAddress(given: unknown): given is string {
  return typeof given === 'string' && given.length <= maxUrlLength && /^https?:\/\//i.test(given);
}

/** Whether an input takes ids of saved items, judged by its example. */
function isOfItem(sample: unknown): boolean {
  return (Array.isArray(sample) ? sample : [sample]).some((one) => typeof one === 'string' && one.startsWith('c_'));
}

/**
 * Preprocessing of both transports before the SDK: removes parameters without meaning: `params: null`, `arguments: null`, `cursor:
 * null`, numbers for a prompt.
 */
export function lenientMessage(said: unknown): unknown {
  if (!isFields(said) || typeof said['method'] !== 'string') return said;
  const { params, ...message } = said;
  if (params === undefined || params === null) return message;
  return isFields(params) ? { ...message, params: lenientParams(said['method'], params) } : said;
}

function lenientParams(method: string, { ...params }: Fields): Fields {
  for (const name of ['_meta', 'arguments', 'cursor'])
    if (params[name] === null || (name !== '_meta' && params[name] === '')) delete params[name];
  const { arguments: given } = params;
  const inText = typeof given === 'string' ? parsedJson(given) : given;
  if (isFields(inText)) params['arguments'] = method === 'prompts/get' ? texts(inText) : inText;
  if (method === 'initialize') params['capabilities'] ??= {};
  return params;
}

/** A prompt takes texts alone. */
function texts(given: Fields): Fields {
  const entries = Object.entries(given).filter(([, value]) => value !== null);
  const isPlain = (value: unknown) => typeof value === 'number' || typeof value === 'boolean';
  return Object.fromEntries(entries.map(([name, value]) => [name, isPlain(value) ? String(value) : value]));
}

const requests = {
  initialize: 'InitializeRequest',
  'tools/list': 'ListToolsRequest',
  'tools/call': 'CallToolRequest',
  'prompts/list': 'ListPromptsRequest',
  'prompts/get': 'GetPromptRequest',
  'resources/list': 'ListResourcesRequest',
  'resources/templates/list': 'ListResourceTemplatesRequest',
  'resources/read': 'ReadResourceRequest',
  'completion/complete': 'CompleteRequest',
} as const satisfies Record<string, keyof typeof specTypeSchemas>;

/**
 * The problem with a request's parameters, in words; null when there is none. The SDK would answer with an internal error that
 * repeats its schema library's message.
 */
export function wrongParams(message: unknown): string | null {
  if (!isFields(message) || typeof message['method'] !== 'string' || !Object.hasOwn(requests, message['method']))
    return null;
  const method = message['method'] as keyof typeof requests;
  // Protocol 2026-07-28 has no `initialize`, and its requests name their version: the SDK checks them in its own order.
  const { params } = message;
  if (isFields(params) && isFields(params['_meta']) && PROTOCOL_VERSION_META_KEY in params['_meta']) return null;
  const schema: { '~standard': Pick<StandardSchemaV1Sync['~standard'], 'validate'> } =
    specTypeSchemas[requests[method]];
  const { issues = [] } = schema['~standard'].validate(message);
  if (issues.length === 0) return null;
  const problems = issues.slice(0, 5).flatMap((issue) => fieldProblems(issue as z.core.$ZodIssue));
  return `The parameters of ${method} are not valid. ${problems.map(({ path, message: problem }) => `${path}: ${problem}`).join('; ')}.`;
}
