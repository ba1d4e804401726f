import { PROTOCOL_VERSION_META_KEY, specTypeSchemas, type StandardSchemaV1Sync } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { fieldProblems } from '../domain/refused-input.ts';
import { isFields } from './lenient-input.ts';
import { parsedJson } from './lenient-values.ts';

/* What clients send around the calls of tools. Both transports read each message here before the SDK sees it. */

type Fields = Record<string, unknown>;

/** A message without what means nothing: `params: null`, `arguments: null`, `cursor: null`, numbers for a prompt. */
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
 * What is wrong with the parameters of a request, in words; null when nothing is. The SDK would answer with an internal
 * error that holds what its schema library says.
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
