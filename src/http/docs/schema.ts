import { markup, words, type DocsMarkup } from './markup.ts';
import type { JsonSchema } from '../rest/openapi/document.ts';

/** One row of a table: a parameter, or a property of a body or response. */
export interface FieldRow {
  name: string;
  required: boolean;
  description: string;
  schema: JsonSchema;
}

/** The properties of an object schema, each followed by its nested properties with dotted names. */
export function fieldRows(schema: JsonSchema, before = ''): FieldRow[] {
  const properties = (schema['properties'] ?? {}) as Record<string, JsonSchema>;
  const required = (schema['required'] ?? []) as string[];
  return Object.entries(properties).flatMap(([name, property]) => {
    const row = {
      name: `${before}${name}`,
      required: required.includes(name),
      description: String(property['description'] ?? ''),
      schema: property,
    };
    const inside = (property['items'] ?? property) as JsonSchema;
    return [row, ...fieldRows(inside, `${before}${name}${property['items'] === undefined ? '.' : '[].'}`)];
  });
}

/** @param marksRequired whether to mark required fields; readers of responses do not need the mark */
export function fieldTable(rows: readonly FieldRow[], marksRequired: boolean): DocsMarkup {
  return markup`<table><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.map(
    ({ name, required, description, schema }) =>
      markup`<tr><td><code>${name}</code>${
        marksRequired && required ? markup` <span class="needed">required</span>` : undefined
      }</td><td>${typeWords(schema)}</td><td>${words(description)}</td></tr>`,
  )}</tbody></table>`;
}

const primitives: Readonly<Record<string, string>> = {
  'date-time': 'time',
  uri: 'URL',
  'uri-reference': 'URL',
};

/** The type of a schema in words: `whole number, 1 to 100, 20 unless given`. */
export function typeWords(schema: JsonSchema): DocsMarkup {
  const { $ref: reference, anyOf, oneOf, type, items, const: constant, enum: values } = schema;
  const alternatives = (anyOf ?? oneOf) as JsonSchema[] | undefined;
  if (typeof reference === 'string') {
    const name = reference.split('/').at(-1) ?? '';
    return markup`<a href="#schema-${name}">${name}</a>`;
  }
  if (alternatives !== undefined) return joined(alternatives.map(typeWords), ' or ');
  if (constant !== undefined) return markup`<code>${JSON.stringify(constant)}</code>`;
  if (Array.isArray(values)) {
    return markup`<span class="values">${joined(
      values.map((value) => markup`<code>${String(value)}</code>`),
      ', ',
    )}</span>${bounds(schema)}`;
  }
  const types = (Array.isArray(type) ? type : [type ?? 'anything']) as string[];
  if (types[0] === 'array') {
    const list = markup`list${bounds(schema)}; each: ${typeWords((items ?? {}) as JsonSchema)}`;
    return types.length === 1 ? list : markup`null or ${list}`;
  }
  return markup`${types.map((one) => nameOf(one, schema)).join(' or ')}${bounds(schema)}`;
}

function nameOf(type: string, { format }: JsonSchema): string {
  if (type === 'integer') return 'whole number';
  return type === 'string' ? (primitives[String(format)] ?? 'string') : type;
}

function bounds(schema: JsonSchema): string {
  const { minimum, maximum, minLength, maxLength, maxItems, default: standard } = schema;
  const said = [
    minimum === undefined ? '' : maximum === undefined ? `at least ${minimum}` : `${minimum} to ${maximum}`,
    maxLength === undefined
      ? ''
      : `${minLength === undefined ? 'at most' : `${Number(minLength)} to`} ${Number(maxLength).toLocaleString('en')} characters`,
    maxItems === undefined ? '' : `at most ${maxItems}`,
    standard === undefined ? '' : `${JSON.stringify(standard)} unless given`,
  ].filter((part) => part !== '');
  return said.map((part) => `, ${part}`).join('');
}

function joined(parts: readonly DocsMarkup[], separator: string): DocsMarkup {
  return markup`${parts.map((part, at) => (at === 0 ? part : markup`${separator}${part}`))}`;
}
