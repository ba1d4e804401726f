import { scopeOf } from '../../domain/access/permission.ts';
import { acknowledgementSchema } from '../../operations/call.ts';
import type { Operation } from '../../operations/operation.ts';
import { answerPermission, neededPermissions } from '../../operations/permissions.ts';
import {
  headerRefs,
  headerComponents,
  limitHeaders,
  problemSchema,
  refusalComponents,
  refusalRefs,
  type ApiResponse,
} from './responses.ts';
import {
  acknowledgementName,
  answerName,
  answerSchemas,
  inputFields,
  inputRules,
  pascalCase,
  type JsonSchema,
} from './schemas.ts';
import { idempotencyKey } from './idempotency-key.ts';
import { linksFrom, operationIdOf } from './links.ts';
import { servicePaths } from './service.ts';
import { transferNames, transferPaths } from './transfers.ts';
import { apiDescription, apiV1Description, tagDescriptions } from './descriptions.ts';
import { inputPlaces, restOperations, type RestOperation } from '../rest-operations.ts';
import type { ApiParameter, ApiOperation, OpenApiDocument } from './openapi-document.ts';

/**
 * Builds the OpenAPI document from the operations that have a REST route.
 * @param about `baseUrl`: where clients reach the server, e.g. `https://library.example.com`; `/` when it is not
 *   configured. `isApiV1`: the operations are those of /api/v1, which has headers and statuses of its own
 */
export function createOpenApiDocument(
  operations: readonly Operation[],
  about: { version: string; baseUrl: string; isApiV1?: boolean },
): OpenApiDocument {
  const { isApiV1 = false } = about;
  const published = inTagOrder(restOperations(operations));
  const names = new Set([...published.map(({ name }) => name), ...transferNames]);
  const paths: OpenApiDocument['paths'] = {};
  for (const operation of published) {
    const path = operation.http.path.replaceAll(/:(\w+)/g, '{$1}');
    const described = describeOperation(operation, isApiV1, names);
    paths[path] = { ...paths[path], [operation.http.method]: described };
  }
  for (const [path, methods] of Object.entries(isApiV1 ? transferPaths(names) : servicePaths))
    paths[path] = { ...paths[path], ...methods };
  const tags = new Set([...published.map(tagOf), ...(isApiV1 ? [] : ['Service'])]);
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

/** The tag of an operation: the first segment of its path behind `/api/v1`, in Pascal case. */
function tagOf({ http }: RestOperation): string {
  return pascalCase(http.path.replace(/^\/api\/v1(?=\/)/, '').split('/')[1] ?? '');
}

function inTagOrder(published: readonly RestOperation[]): RestOperation[] {
  // A tag without a description comes last. A test asks for one.
  const places = [...Object.keys(tagDescriptions), ...published.map(tagOf)];
  return published.toSorted((one, other) => places.indexOf(tagOf(one)) - places.indexOf(tagOf(other)));
}

function describeOperation(operation: RestOperation, isApiV1: boolean, published: ReadonlySet<string>): ApiOperation {
  const { inPath, hasBody } = inputPlaces(operation);
  const fields = inputFields(operation);
  const bodyFields = hasBody ? fields.filter(({ name }) => !inPath.includes(name)) : [];
  const parameters = fields
    .filter((field) => !bodyFields.includes(field))
    .map((field) => describeParameter(operation, field, inPath.includes(field.name)));
  const headersOfRequest = isApiV1 ? requestHeaders(operation) : [];
  parameters.push(...headersOfRequest.map(({ parameter }) => parameter));
  return {
    operationId: operationIdOf(operation.name),
    summary: operation.title,
    description: operation.http.about,
    tags: [tagOf(operation)],
    security: [{ token: isApiV1 ? neededPermissions(operation) : scopesFor(operation) }],
    ...(parameters.length > 0 && { parameters }),
    ...(bodyFields.length > 0 && { requestBody: describeBody(operation, bodyFields) }),
    responses: {
      ...successes(operation, isApiV1 ? linksFrom(operation, published) : undefined),
      ...refusalRefs([
        400,
        401,
        403,
        ...(inPath.length > 0 || operation.http.mayMissRecord === true ? [404] : []),
        405,
        ...headersOfRequest.map(({ refusal }) => refusal),
        ...(hasBody ? [413, 415] : []),
        429,
        500,
      ]),
    },
  };
}

/** What a token needs. The fixed paths name scopes alone. */
function scopesFor({ permission }: RestOperation): string[] {
  return [scopeOf(permission) ?? permission];
}

/** The headers that /api/v1 takes with a write, and the status with which it refuses them. */
function requestHeaders({ http, effects }: RestOperation): { parameter: ApiParameter; refusal: number }[] {
  const isItem = http.path.endsWith('/content/:id');
  if (http.method === 'post' && !effects.readOnly) return [idempotencyKey];
  return isItem && (http.method === 'put' || http.method === 'delete') ? [ifMatch] : [];
}

const ifMatch = {
  refusal: 412,
  parameter: {
    name: 'If-Match',
    in: 'header' as const,
    required: false,
    description: 'The `ETag` of the item as you read it: the request is refused when the item has changed since.',
    schema: { type: 'string' },
    example: '"k3v0Zq1mW9uTf7xYb2LrDa8sHcE"',
  },
};

type Field = ReturnType<typeof inputFields>[number];

function describeParameter(operation: RestOperation, { name, required, schema }: Field, inPath: boolean): ApiParameter {
  const { description, ...bare } = schema;
  const example = operation.example.input[name];
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

function describeBody(operation: RestOperation, fields: Field[]): ApiOperation['requestBody'] {
  const properties = Object.fromEntries(fields.map(({ name, schema }) => [name, schema]));
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  return {
    required: required.length > 0 || operation.http.bodyRules !== undefined,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties,
          ...(required.length > 0 && { required }),
          ...inputRules(operation),
          additionalProperties: false,
        },
        example: operation.example.input,
      },
    },
  };
}

/** The first example output that is answered with this status. */
export function exampleAnswer({ http, example }: RestOperation, status: number): unknown {
  return [example.output, ...(example.otherOutputs ?? [])].find(
    (output) => (http.status?.(output as never) ?? 200) === status,
  );
}

/** The whole answer, or what a token sees that may write and not read. */
function answerSchema(operation: RestOperation): JsonSchema {
  const whole = { $ref: `#/components/schemas/${answerName(operation)}` };
  if (acknowledgementSchema(operation) === undefined) return whole;
  return { anyOf: [whole, { $ref: `#/components/schemas/${acknowledgementName(operation)}` }] };
}

function aboutAcknowledgement(operation: RestOperation): string {
  const needed = answerPermission(operation);
  if (needed === undefined) return '';
  const names = (operation.acknowledges ?? []).map((name) => `\`${name}\``);
  const fields = new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(names);
  return ` A token without the scope \`${needed}\` gets only ${fields}.`;
}

function successes(operation: RestOperation, links: ApiResponse['links']): ApiOperation['responses'] {
  const reading = operation.http.method === 'get';
  const answers = Object.entries(operation.http.answers).map(([status, meaning]) => {
    const example = exampleAnswer(operation, Number(status));
    const answer: ApiResponse = {
      description: meaning + aboutAcknowledgement(operation),
      headers: headerRefs(...(reading ? ['ETag'] : []), ...(status === '201' ? ['Location'] : []), ...limitHeaders),
      content: {
        'application/json': {
          schema: answerSchema(operation),
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
