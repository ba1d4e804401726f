import { scopeOf } from '../../../domain/access/permission.ts';
import { acknowledgementSchema, answerPermission, neededPermissions } from '../../../operations/call.ts';
import type { Operation } from '../../../operations/operation.ts';
import { aboutFields, captureRoute } from '../capture.ts';
import { fileRoutes } from '../file-routes.ts';
import { apiV1Prefix, apiV1Routes, fixedRoutes, type Route } from '../routes.ts';
import type { ApiOperation, ApiParameter, ApiResponse, JsonSchema, OpenApiDocument } from './document.ts';
import {
  linksFrom,
  operationIdOf,
  acknowledgementName,
  answerName,
  answerSchemas,
  inputFields,
  pascalCase,
} from './schemas.ts';
import {
  headerComponents,
  headerRefs,
  limitHeaders,
  problemSchema,
  refusalComponents,
  refusalRefs,
} from './responses.ts';

export type { ApiOperation, ApiResponse, JsonSchema, OpenApiDocument } from './document.ts';

const apiDescription = [
  'Everything you saved, over HTTP: list it, read it, save more, search it, and keep its to-dos.',
  'Every request carries `Authorization: Bearer <token>`; `commonplace token create laptop` makes one. Bodies are JSON in UTF-8, field names are camelCase, times are ISO 8601 in UTC. Ids are opaque: `c_…` a saved item, `a_…` an action item, `g_…` a goal.',
  'Lists answer `items`, `total`, `limit` and `offset`. Answers to GET carry an `ETag`; sent back as `If-None-Match` it saves the transfer (304).',
  'Refusals are `application/problem+json` (RFC 9457): `code` is for programs, `detail` says to a person what to do next. Unknown parameters and fields are refused, not ignored. Answers may gain fields.',
].join('\n\n');

const apiV1Description = [
  apiDescription,
  'This is a preview: routes may still change. When one is going to, its answers carry `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) for three months before, and the changelog says what takes its place.',
  'Lists also answer `nextCursor` as long as there is more; sent back as `cursor`, with the same other inputs, it continues after the last record, whatever was saved meanwhile. A POST that changes something takes an `Idempotency-Key`. `If-Match` refuses a change of an item that somebody else has changed. Answers are compressed for clients that send `Accept-Encoding: gzip`.',
].join('\n\n');

const tagDescriptions: Readonly<Record<string, string>> = {
  Content: 'The pages, videos and documents that were saved.',
  Capture: 'Saving what a browser or a phone shows.',
  Search: 'Finding passages in everything that was saved.',
  Actions: 'Things to do that saved items ask for.',
  Goals: 'What the user wants to reach.',
  Lists: 'Lists of items, by hand or by a query.',
  Tags: 'The tags of saved items.',
  Counts: 'How many saved items there are, and where.',
  Highlights: 'Words of saved items that were marked.',
  History: 'What was changed, and how to take it back.',
  Imports: 'Taking over what another program has exported.',
  Exports: 'Everything as files.',
  Sources: 'Feeds, folders, mailboxes, and pages that are fetched again: what brings items by itself.',
  Keys: 'Keys with permissions, for programs.',
  Related: 'Items that are close to one another.',
  Service: 'Whether the server is there. These need no token.',
};

/**
 * Builds the OpenAPI document of the fixed paths, or of /api/v1, from the table of routes.
 * @param about `baseUrl`: where clients reach the server, e.g. `https://library.example.com`; `/` when it is not
 *   configured
 */
export function createOpenApiDocument(
  operations: readonly Operation[],
  about: { version: string; baseUrl: string; isApiV1?: boolean },
): OpenApiDocument {
  const { isApiV1 = false } = about;
  const called = inTagOrder(isApiV1 ? apiV1Routes(operations) : fixedRoutes(operations));
  const published = [...called, ...(isApiV1 ? fileRoutes : [captureRoute])];
  const paths: OpenApiDocument['paths'] = isApiV1 ? {} : { ...probes };
  for (const route of published) {
    const path = route.http.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.http.method]: describeRoute(route, published) };
  }
  const tags = new Set([...called.map(tagOf), ...(isApiV1 ? [] : [tagOf(captureRoute), 'Service'])]);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Commonplace',
      version: about.version,
      summary: 'Your saved pages, searchable and cited.',
      description: isApiV1 ? apiV1Description : apiDescription,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: about.baseUrl }],
    security: [{ token: [] }],
    tags: [...tags].map((name) => ({ name, description: tagDescriptions[name] ?? name })),
    paths,
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'cpl_…',
          description: 'A token made with `commonplace token create laptop`.',
        },
      },
      schemas: { Problem: problemSchema(isApiV1), ...answerSchemas(published, isApiV1) },
      headers: headerComponents(isApiV1),
      responses: refusalComponents(isApiV1),
    },
  };
}

/** The tag of a route: the first segment of its path behind `/api/v1`, in Pascal case. */
function tagOf({ http }: Route): string {
  return pascalCase(http.path.replace(`${apiV1Prefix}/`, '/').split('/')[1] ?? '');
}

function inTagOrder(published: readonly Route[]): Route[] {
  // A tag without a description comes last. A test asks for one.
  const places = [...Object.keys(tagDescriptions), ...published.map(tagOf)];
  return published.toSorted((one, other) => places.indexOf(tagOf(one)) - places.indexOf(tagOf(other)));
}

function describeRoute(route: Route, published: readonly Route[]): ApiOperation {
  const { inPath, hasBody, isApiV1, file, http } = route;
  const fields = inputFields(route);
  const bodyFields = hasBody ? fields.filter(({ name }) => !inPath.includes(name)) : [];
  const parameters = [
    ...fields
      .filter((field) => !bodyFields.includes(field))
      .map((field) => describeParameter(route, field, inPath.includes(field.name))),
    ...(route.takesKey ? [idempotencyKey] : []),
    ...(route.takesIfMatch ? [ifMatch] : []),
    ...(file?.hasRanges === true ? ranges : []),
  ];
  let requestBody = file?.takes === undefined ? describeBody(route, bodyFields) : describeFile(file.takes);
  if (route.takesForm) Object.assign((requestBody ??= { required: true, content: {} }).content, contentOf(form()));
  return {
    operationId: operationIdOf(route.name),
    summary: route.title,
    description: http.about,
    tags: [tagOf(route)],
    security: [{ token: isApiV1 ? neededPermissions(route) : scopesFor(route) }],
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody !== undefined && { requestBody }),
    responses: {
      ...(file?.gives === undefined
        ? successes(route, isApiV1 ? linksFrom(route, published) : undefined)
        : files(route, file.gives)),
      ...refusalRefs([
        400,
        401,
        403,
        ...(inPath.length > 0 || http.mayMissRecord === true ? [404] : []),
        405,
        ...(route.takesKey ? [409] : []),
        ...(route.takesIfMatch ? [412] : []),
        ...(hasBody || requestBody !== undefined ? [413, 415] : []),
        ...(file?.refusal === undefined ? [] : [file.refusal]),
        429,
        500,
      ]),
    },
  };
}

/** The requirements of a call for a token. The fixed paths name only scopes. */
function scopesFor({ permission }: Route): string[] {
  return [scopeOf(permission) ?? permission];
}

function header(name: string, description: string, example?: string, pattern?: string): ApiParameter {
  const schema = { type: 'string', ...(pattern !== undefined && { pattern }) };
  return { name, in: 'header', required: false, description, schema, ...(example !== undefined && { example }) };
}

const idempotencyKey = header(
  'Idempotency-Key',
  'A key of your own for this request, such as a UUID. The same request with the same key is done once, and answered alike for a day.',
  '8e03978e-40d5-43e8-bc93-6894a57f9324',
  String.raw`^[\x21-\x7e]{1,255}$`,
);
const ifMatch = header(
  'If-Match',
  'The `ETag` of the item as you read it: the request is refused when the item has changed since.',
  '"k3v0Zq1mW9uTf7xYb2LrDa8sHcE"',
);
const ranges = [
  header(
    'Range',
    'One range of bytes, to go on with a download that broke off. Other ranges are ignored.',
    'bytes=0-1023',
  ),
  header('If-Range', 'The `ETag` of the file: when it is another one, the whole file is sent.'),
];

type Field = ReturnType<typeof inputFields>[number];

function describeParameter(route: Route, { name, required, schema }: Field, inPath: boolean): ApiParameter {
  const { description, ...bare } = schema;
  const example = route.example.input[name];
  return {
    name,
    in: inPath ? 'path' : 'query',
    required: inPath || required,
    description: String(description ?? name),
    // Lists are comma-separated, as in `tags=health,sleep`; an empty list is left out of the query.
    ...(schema['type'] === 'array'
      ? { schema: { minItems: 1, ...bare }, style: 'form' as const, explode: false as const }
      : { schema: bare }),
    ...(example !== undefined && { example }),
  };
}

function describeBody(route: Route, fields: Field[]): ApiOperation['requestBody'] {
  if (fields.length === 0) return undefined;
  const properties = Object.fromEntries(fields.map(({ name, schema }) => [name, schema]));
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  return {
    required: required.length > 0 || route.http.bodyRules !== undefined,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties,
          ...(required.length > 0 && { required }),
          ...route.http.bodyRules,
          additionalProperties: false,
        },
        example: route.example.input,
      },
    },
  };
}

/** The first example output that is answered with this status. */
export function exampleAnswer({ http, example }: Route, status: number): unknown {
  return [example.output, ...(example.otherOutputs ?? [])].find(
    (output) => (http.status?.(output as never) ?? 200) === status,
  );
}

/** The whole answer, or that for a write-only token. */
function answerSchema(route: Route): JsonSchema {
  const whole = { $ref: `#/components/schemas/${answerName(route)}` };
  if (acknowledgementSchema(route) === undefined) return whole;
  return { anyOf: [whole, { $ref: `#/components/schemas/${acknowledgementName(route)}` }] };
}

function aboutAcknowledgement(route: Route): string {
  const needed = answerPermission(route);
  if (needed === undefined) return '';
  const names = (route.acknowledges ?? []).map((name) => `\`${name}\``);
  const fields = new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(names);
  return ` A token without the scope \`${needed}\` gets only ${fields}.`;
}

function successes(route: Route, links: ApiResponse['links']): ApiOperation['responses'] {
  const reading = route.http.method === 'get';
  const answers = Object.entries(route.http.answers).map(([status, meaning]) => {
    const example = exampleAnswer(route, Number(status));
    const answer: ApiResponse = {
      description: meaning + aboutAcknowledgement(route),
      headers: headerRefs(...(reading ? ['ETag'] : []), ...(status === '201' ? ['Location'] : []), ...limitHeaders),
      content: {
        'application/json': {
          schema: answerSchema(route),
          ...(example !== undefined && { example }),
        },
      },
      ...(links !== undefined && { links }),
    };
    return [status, answer] as const;
  });
  const unchanged: ApiResponse = {
    description: 'Nothing has changed since the answer with this `ETag`.',
    headers: headerRefs('ETag', ...limitHeaders),
  };
  return { ...Object.fromEntries(answers), ...(reading && { 304: unchanged }) };
}

function describeFile(types: Readonly<Record<string, JsonSchema>>): ApiOperation['requestBody'] {
  return { required: true, description: 'The file.', content: contentOf(types) };
}

/** A form with a file, a page or a text, and fields about it. */
function form(): Record<string, JsonSchema> {
  const about = inputFields({ ...captureRoute, input: aboutFields }).map(({ name, schema }) => [name, schema] as const);
  const schema = {
    type: 'object',
    properties: {
      file: {
        type: 'string',
        format: 'binary',
        minLength: 1,
        description: 'A saved page, a PDF, a picture, a document.',
      },
      html: {
        type: 'string',
        minLength: 1,
        description: 'The HTML of the page at `url`, in UTF-8, instead of a file.',
      },
      text: {
        type: 'string',
        minLength: 1,
        description: 'The text of the page at `url`, or of a note, instead of a file.',
      },
      ...Object.fromEntries(about),
    },
    anyOf: ['file', 'text', 'url'].map((name) => ({ required: [name] })),
    dependentRequired: { html: ['url'] },
    dependentSchemas: { file: { properties: { html: false, text: false } }, html: { properties: { text: false } } },
    additionalProperties: false,
  };
  return { 'multipart/form-data': schema };
}

function contentOf(types: Readonly<Record<string, JsonSchema>>): Record<string, { schema: JsonSchema }> {
  return Object.fromEntries(Object.entries(types).map(([type, schema]) => [type, { schema }]));
}

function files({ http, file }: Route, types: Readonly<Record<string, JsonSchema>>): ApiOperation['responses'] {
  return Object.fromEntries(
    Object.entries(http.answers).map(([status, description]) => {
      const headers = [
        ...(file?.hasRanges === true ? ['ETag'] : []),
        ...(status === '304' ? [] : ['Content-Disposition']),
        ...(status === '206' ? ['Content-Range'] : []),
        ...limitHeaders,
      ];
      return [
        status,
        { description, headers: headerRefs(...headers), ...(status !== '304' && { content: contentOf(types) }) },
      ];
    }),
  );
}

interface ProbeAnswer {
  description: string;
  body: { status: string; checks?: Record<string, string> };
}

/** Health and monitoring, which are no operations. */
const probes: Readonly<Record<string, Record<string, ApiOperation>>> = {
  '/health': {
    get: probe('checkHealth', 'Is it running?', 'Answers as long as the process does. It needs no token.', {
      200: { description: 'Yes.', body: { status: 'ok' } },
    }),
  },
  '/ready': {
    get: probe(
      'checkReadiness',
      'Can it serve?',
      'Whether the server can do its work, so that a balancer may send it requests. It needs no token.',
      {
        200: { description: 'Yes.', body: { status: 'ready', checks: { store: 'ok' } } },
        503: {
          description: 'It is stopping, or cannot use its data. Its log says why.',
          body: { status: 'not ready', checks: { server: 'stopping' } },
        },
      },
    ),
  },
};

function probe(
  operationId: string,
  summary: string,
  description: string,
  answers: Readonly<Record<number, ProbeAnswer>>,
): ApiOperation {
  const responses = Object.entries(answers).map(([status, { description: meaning, body }]) => [
    status,
    { description: meaning, content: { 'application/json': { schema: schemaOf(body), example: body } } },
  ]);
  return {
    operationId,
    summary,
    description,
    tags: ['Service'],
    security: [],
    responses: { ...(Object.fromEntries(responses) as ApiOperation['responses']), ...refusalRefs([400, 405]) },
  };
}

function schemaOf({ status, checks }: ProbeAnswer['body']): JsonSchema {
  return {
    type: 'object',
    properties: {
      status: { type: 'string', const: status },
      ...(checks !== undefined && {
        checks: {
          type: 'object',
          description: 'The state of each part, in a word.',
          additionalProperties: { type: 'string' },
        },
      }),
    },
    required: ['status', ...(checks === undefined ? [] : ['checks'])],
  };
}
