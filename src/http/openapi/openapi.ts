import type { Operation } from '../../operations/operation.ts';
import { openApiExamples } from './examples.ts';
import { headerRefs, headers, problemSchema, refusalComponents, refusalRefs, type ApiResponse } from './responses.ts';
import { answerName, answerSchemas, inputFields, pascalCase, type JsonSchema } from './schemas.ts';
import { servicePaths } from './service.ts';
import { apiDescription, fieldDescriptions, fieldForms, tagDescriptions, bodyRules } from './words.ts';
import { inputPlaces, restOperations, type RestOperation } from '../rest-operations.ts';
import type { ApiParameter, ApiOperation, OpenApiDocument } from './document.ts';

/**
 * Builds the OpenAPI document from the operations that have a REST route.
 * @param about `baseUrl`: where clients reach the server, e.g. `https://library.example.com`; `/` when it is not
 *   configured
 */
export function createOpenApiDocument(
  operations: readonly Operation[],
  about: { version: string; baseUrl: string },
): OpenApiDocument {
  const published = inTagOrder(restOperations(operations));
  const paths: OpenApiDocument['paths'] = {};
  for (const operation of published) {
    const path = operation.http.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [operation.http.method]: describeOperation(operation) };
  }
  const tags = new Set([...published.map(tagOf), 'Service']);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Commonplace',
      version: about.version,
      summary: 'Your saved pages, searchable and cited.',
      description: apiDescription,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: about.baseUrl }],
    security: [{ token: [] }],
    tags: [...tags].map((name) => ({ name, description: tagDescriptions[name] ?? name })),
    paths: { ...paths, ...servicePaths },
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'cpl_…',
          description: 'A token made with `commonplace token create laptop`.',
        },
      },
      schemas: { Problem: problemSchema, ...answerSchemas(published) },
      headers,
      responses: refusalComponents(),
    },
  };
}

/** The tag of an operation: the first segment of its path, in Pascal case. */
function tagOf({ http }: RestOperation): string {
  return pascalCase(http.path.split('/')[1] ?? '');
}

function inTagOrder(published: readonly RestOperation[]): RestOperation[] {
  const order = Object.keys(tagDescriptions);
  return published.toSorted((one, other) => order.indexOf(tagOf(one)) - order.indexOf(tagOf(other)));
}

function describeOperation(operation: RestOperation): ApiOperation {
  const { inPath, hasBody } = inputPlaces(operation);
  const fields = inputFields(operation);
  const bodyFields = hasBody ? fields.filter(({ name }) => !inPath.includes(name)) : [];
  const parameters = fields
    .filter((field) => !bodyFields.includes(field))
    .map((field) => describeParameter(operation, field, inPath.includes(field.name)));
  const operationId = pascalCase(operation.name);
  return {
    operationId: operationId.charAt(0).toLowerCase() + operationId.slice(1),
    summary: operation.title,
    description: operation.http.about,
    tags: [tagOf(operation)],
    security: [{ token: [operation.scope] }],
    ...(parameters.length > 0 && { parameters }),
    ...(bodyFields.length > 0 && { requestBody: describeBody(operation, bodyFields) }),
    responses: {
      ...successes(operation),
      ...refusalRefs([
        400,
        401,
        403,
        ...(inPath.length > 0 ? [404] : []),
        405,
        ...(hasBody ? [413, 415] : []),
        429,
        500,
      ]),
    },
  };
}

type Field = ReturnType<typeof inputFields>[number];

function describeParameter(operation: RestOperation, { name, required, schema }: Field, inPath: boolean): ApiParameter {
  const { description, ...bare } = schema;
  const example = openApiExamples[operation.name]?.input[name];
  return {
    name,
    in: inPath ? 'path' : 'query',
    required: inPath || required,
    description: fieldDescriptions[name] ?? String(description ?? name),
    // Lists are comma-separated, as in `tags=health,sleep`; an empty list is left out of the query.
    ...(schema['type'] === 'array'
      ? { schema: { minItems: 1, ...bare }, style: 'form' as const, explode: false as const }
      : { schema: bare }),
    ...(example !== undefined && { example }),
  };
}

function describeBody(operation: RestOperation, fields: Field[]): ApiOperation['requestBody'] {
  const properties = inWords(Object.fromEntries(fields.map(({ name, schema }) => [name, schema])));
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  return {
    required: required.length > 0,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties,
          ...(required.length > 0 && { required }),
          ...bodyRules[operation.name],
          additionalProperties: false,
        },
        example: openApiExamples[operation.name]?.input ?? {},
      },
    },
  };
}

/** Adds descriptions to the fields of a body and to their nested fields. */
function inWords(properties: Record<string, JsonSchema>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const inside = schema['properties'] as Record<string, JsonSchema> | undefined;
      return [
        name,
        {
          ...schema,
          ...fieldForms[name],
          description: fieldDescriptions[name] ?? schema['description'] ?? name,
          ...(inside !== undefined && { properties: inWords(inside) }),
        },
      ];
    }),
  );
}

function successes(operation: RestOperation): ApiOperation['responses'] {
  const reading = operation.http.method === 'get';
  const examples = openApiExamples[operation.name]?.answers ?? {};
  const answers = Object.entries(operation.http.answers).map(([status, description]) => {
    const example = examples[Number(status)];
    const answer: ApiResponse = {
      description,
      headers: headerRefs(
        ...(reading ? ['ETag'] : []),
        ...(status === '201' ? ['Location'] : []),
        'RateLimit',
        'RateLimit-Policy',
      ),
      content: {
        'application/json': {
          schema: { $ref: `#/components/schemas/${answerName(operation)}` },
          ...(example !== undefined && { example }),
        },
      },
    };
    return [status, answer] as const;
  });
  const unchanged: ApiResponse = {
    description: 'Nothing has changed since the answer with this `ETag`.',
    headers: headerRefs('ETag'),
  };
  return { ...Object.fromEntries(answers), ...(reading && { 304: unchanged }) };
}
