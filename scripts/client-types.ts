/*
 * Writes the types of the TypeScript client from the OpenAPI document of /api/v1. `npm run client:types` writes the file; a test fails
 * when it is stale. openapi-typescript does not run with the TypeScript that this project uses.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createOpenApiDocument } from '../src/http/rest/openapi/openapi.ts';
import type { JsonSchema } from '../src/http/rest/openapi/document.ts';
import { pascalCase } from '../src/http/rest/openapi/schemas.ts';
import { operations } from '../src/operations/index.ts';

export const clientTypesFile = fileURLToPath(new URL('../clients/typescript/src/types.ts', import.meta.url));

/** The keywords that say something about a type; all others only narrow its values. */
function typeOf(schema: JsonSchema): string {
  if (typeof schema['$ref'] === 'string') return schema['$ref'].split('/').at(-1) ?? '';
  if (schema['const'] !== undefined) return literal(schema['const']);
  if (Array.isArray(schema['enum'])) return schema['enum'].map(literal).join(' | ');
  const choices = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(choices)) return choices.map((choice: JsonSchema) => typeOf(choice)).join(' | ');
  const types = [schema['type']].flat();
  if (types.length > 1) return types.map((type) => typeOf({ ...schema, type })).join(' | ');
  switch (types[0]) {
    case 'object':
      return objectType(schema);
    case 'array':
      return `(${typeOf((schema['items'] ?? {}) as JsonSchema)})[]`;
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return types[0];
    default:
      return 'unknown';
  }
}

function literal(value: unknown): string {
  return JSON.stringify(value).replaceAll('"', "'");
}

function objectType(schema: JsonSchema): string {
  const required = new Set(schema['required'] as string[] | undefined);
  const fields = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
  if (fields.length === 0) return 'Record<string, unknown>';
  return `{ ${fields.map(([name, field]) => property(name, field, required.has(name))).join(' ')} }`;
}

function property(name: string, schema: JsonSchema, isRequired: boolean): string {
  const about = typeof schema['description'] === 'string' ? `\n/** ${comment(schema['description'])} */\n` : '';
  return `${about}${name}${isRequired ? '' : '?'}: ${typeOf(schema)}${isRequired ? '' : ' | undefined'};`;
}

function comment(text: string): string {
  return text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ');
}

/** The text of the file, before it is formatted. */
export function clientTypes(): string {
  const { components, paths } = createOpenApiDocument(operations, {
    version: '',
    baseUrl: '/',
    isApiV1: true,
  });
  const answers = Object.entries(components.schemas).map(([name, schema]) => [name, schema] as const);
  const inputs = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .map(({ operationId, parameters = [], requestBody }) => {
      const body = requestBody?.content['application/json']?.schema ?? {};
      const inQuery = parameters.filter((parameter) => parameter.in === 'query');
      const properties = {
        ...Object.fromEntries(inQuery.map(({ name, schema, description }) => [name, { ...schema, description }])),
        ...(body['properties'] as object | undefined),
      };
      const required = [
        ...inQuery.filter((parameter) => parameter.required).map(({ name }) => name),
        ...((body['required'] as string[] | undefined) ?? []),
      ];
      return [`${pascalCase(`_${operationId}`)}Input`, { type: 'object', properties, required }] as const;
    })
    .filter(([, { properties }]) => Object.keys(properties).length > 0);
  const types = [...answers, ...inputs].map(
    ([name, schema]) =>
      `${'description' in schema ? `/** ${comment(String(schema['description']))} */\n` : ''}export type ${name} = ${typeOf(schema)};\n`,
  );
  return `// Written by \`npm run client:types\` from the server's OpenAPI document.\n\n${types.join('\n')}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(clientTypesFile, clientTypes());
