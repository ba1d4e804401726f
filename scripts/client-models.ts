/*
 * Writes the models of the Python client from the OpenAPI document of /api/v1: `npm run client:models`. A check fails when the file is
 * stale. Later servers may add fields and values: models keep unknown fields, and an enumeration also takes other text.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createOpenApiDocument } from '../src/http/rest/openapi/openapi.ts';
import type { JsonSchema } from '../src/http/rest/openapi/document.ts';
import { pascalCase } from '../src/http/rest/openapi/schemas.ts';
import { operations } from '../src/operations/index.ts';

export const clientModelsFile = fileURLToPath(
  new URL('../clients/python/src/commonplace_client/models.py', import.meta.url),
);

const head = `"""The records of the server. Written by \`\`npm run client:models\`\` from its OpenAPI document."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class Record(BaseModel):
    """A record with snake_case names here and camelCase names on the wire; fields that are not known are kept."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="allow")
`;

const tail = `

class TaggedItem(ContentItem):
    """An item with the ETag that \`\`if_match\`\` takes."""

    etag: str
    undo: str | None = None
`;

/** Python's classes in the order in which they must stand: each after those that it names. */
const classes: string[] = [];

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `Warning` is a class of Python's own. */
function className(name: string): string {
  return name === 'Warning' ? 'ItemWarning' : name;
}

/** @param name of the class, where the schema needs one */
function typeOf(schema: JsonSchema, name: string): string {
  if (typeof schema['$ref'] === 'string') return className(schema['$ref'].split('/').at(-1) ?? '');
  if (schema['const'] !== undefined) return `Literal[${literal(schema['const'])}]`;
  if (Array.isArray(schema['enum'])) return `Literal[${schema['enum'].map(literal).join(', ')}] | str`;
  const choices = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(choices))
    return choices.map((choice: JsonSchema) => typeOf(choice, nameOfChoice(choice, name))).join(' | ');
  const types = [schema['type']].flat();
  if (types.length > 1) return types.map((type) => typeOf({ ...schema, type }, name)).join(' | ');
  switch (types[0]) {
    case 'object':
      return schema['properties'] === undefined ? 'dict[str, object]' : writeClass(name, schema);
    case 'array':
      return `list[${typeOf((schema['items'] ?? {}) as JsonSchema, name)}]`;
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'string':
      return 'str';
    case 'boolean':
      return 'bool';
    case 'null':
      return 'None';
    default:
      return 'object';
  }
}

function literal(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}

/** `Locator` with the kind `time` → `TimeLocator`. */
function nameOfChoice(choice: JsonSchema, name: string): string {
  const kind = (choice['properties'] as Record<string, JsonSchema> | undefined)?.['kind']?.['const'];
  return typeof kind === 'string' ? pascalCase(`_${kind}`) + name : name;
}

function writeClass(name: string, schema: JsonSchema): string {
  const required = new Set(schema['required'] as string[] | undefined);
  const fields = Object.entries(schema['properties'] as Record<string, JsonSchema>).map(([field, about]) => {
    const type = typeOf(about, name + pascalCase(`_${field}`));
    const isOptional = !required.has(field);
    const isNullable = / \| None$|^None$/.test(type);
    const line = `    ${snakeCase(field)}: ${type}${isOptional ? `${isNullable ? '' : ' | None'} = None` : ''}`;
    const words = about['description'];
    return typeof words === 'string'
      ? `${line}\n    """${words.replaceAll(/\s+/g, ' ').replaceAll('"', "'")}"""`
      : line;
  });
  classes.push(`\n\nclass ${name}(Record):\n${fields.join('\n')}\n`);
  return name;
}

export function clientModels(): string {
  classes.length = 0;
  const { components } = createOpenApiDocument(operations, {
    version: '',
    baseUrl: '/',
    isApiV1: true,
  });
  for (const [name, schema] of Object.entries(components.schemas)) {
    // A client that may write and not read is not what the models are for.
    if (name.endsWith('Acknowledgement')) continue;
    const written = typeOf(schema, className(name));
    if (written !== className(name)) classes.push(`\n\n${name} = ${written}\n`);
  }
  return head + classes.join('') + tail;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(clientModelsFile, clientModels());
