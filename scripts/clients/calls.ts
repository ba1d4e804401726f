import type { ApiOperation, JsonSchema } from '../../src/http/rest/openapi/document.ts';
import { createOpenApiDocument } from '../../src/http/rest/openapi/openapi.ts';
import { apiV1Prefix } from '../../src/http/rest/routes.ts';
import { operations } from '../../src/operations/index.ts';

/* What both clients are generated from: the OpenAPI document of /api/v1, and a name for each of its operations. */

export const document = createOpenApiDocument(operations, { version: '', baseUrl: '/', isApiV1: true });

export interface Input {
  name: string;
  schema: JsonSchema;
  required: boolean;
}

/** A method of the clients. */
export interface Call {
  operationId: string;
  /** `content` of `client.content.save`; null for a method of the client itself. */
  group: string | null;
  name: string;
  about: string;
  method: string;
  /** Behind /api/v1; `{id}` is the only input that stands in a path. */
  path: string;
  isBodySent: boolean;
  inputs: readonly Input[];
  takesKey: boolean;
  takesIfMatch: boolean;
  takesFile: boolean;
  /** The name of the answer's schema; null for a file. */
  answer: string | null;
  isList: boolean;
  /** The answer is given with its ETag, which `If-Match` takes. */
  isTagged: boolean;
}

/** Names that do not follow from the operation's: `saveContent` is `content.save`. */
const named: Readonly<Record<string, string>> = {
  updateContents: 'content.changeMany',
  saveContents: 'content.saveMany',
  updateReading: 'content.noteReading',
  refreshContent: 'content.refresh',
  listVersions: 'content.versions',
  getVersion: 'content.version',
  restoreVersion: 'content.restoreVersion',

  countItems: 'counts',
  related: 'content.related',
  search: 'search',
  suggest: 'suggest',
  forgetQueries: 'forgetQueries',
  history: 'history',
  undo: 'undo',
  listPendingActions: 'actions.pending',
  listSourceEntries: 'sources.entries',
  openSourceEntry: 'sources.openEntry',
  listGoalActions: 'goals.actions',
  getImportReport: 'imports.report',
  getExportFile: 'exports.download',
};

/** Groups to which the clients add methods by hand. */
export const extendedGroups: ReadonlySet<string> = new Set(['content', 'imports', 'exports']);

function callOf(path: string, method: string, operation: ApiOperation): Call {
  const { operationId, parameters = [], requestBody, tags } = operation;
  const verb = /^[a-z]+/.exec(operationId)?.[0] ?? '';
  const [first = '', second] = (named[operationId] ?? `${tags[0]?.toLowerCase()}.${verb}`).split('.');
  const body = requestBody?.content['application/json']?.schema;
  const required = (body?.['required'] ?? []) as string[];
  const fields = Object.entries((body?.['properties'] ?? {}) as Record<string, JsonSchema>);
  const answer = successOf(operation);
  const hasHeader = (name: string) => parameters.some((parameter) => parameter.name === name);
  return {
    operationId,
    group: second === undefined ? null : first,
    name: second ?? first,
    about: operation.description,
    method: method.toUpperCase(),
    path: path.slice(apiV1Prefix.length),
    isBodySent: body !== undefined,
    inputs: [
      ...fields.map(([name, schema]) => ({ name, schema, required: required.includes(name) })),
      ...parameters
        .filter((parameter) => parameter.in === 'query')
        .map(({ name, schema, description, required: isRequired }) => ({
          name,
          schema: { ...schema, description },
          required: isRequired,
        })),
    ],
    takesKey: hasHeader('Idempotency-Key'),
    takesIfMatch: hasHeader('If-Match'),
    takesFile: requestBody?.content['application/octet-stream'] !== undefined,
    answer,
    isList:
      document.components.schemas[answer ?? '']?.['properties']?.['nextCursor' as never] !== undefined &&
      method === 'get',
    isTagged:
      method !== 'delete' &&
      Object.values(document.paths[path] ?? {}).some((one) =>
        one.parameters?.some((parameter) => parameter.name === 'If-Match'),
      ),
  };
}

/** The schema of a successful answer. Another choice is what a token gets that may not read; the clients are not for it. */
function successOf({ responses }: ApiOperation): string | null {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  const schema =
    success !== undefined && 'content' in success ? success.content?.['application/json']?.schema : undefined;
  const whole = ((schema?.['anyOf'] as JsonSchema[] | undefined)?.[0] ?? schema)?.['$ref'];
  return typeof whole === 'string' ? (whole.split('/').at(-1) ?? null) : null;
}

export const calls: readonly Call[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => callOf(path, method, operation)),
);

export const groups: readonly string[] = [...new Set(calls.flatMap(({ group }) => group ?? []))];

/** What the API says of a group. */
export function aboutGroup(group: string): string {
  return document.tags.find(({ name }) => name.toLowerCase() === group)?.description ?? group;
}
