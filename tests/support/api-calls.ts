import type { ValidateFunction } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import type { ApiParameter } from '../../src/http/rest/openapi/document.ts';
import type { JsonSchema } from '../../src/http/rest/openapi/document.ts';
import type { PlacedOperation } from './openapi.ts';
import { arbitraryOf } from './schema-arbitrary.ts';

/** One request, before it is put on the wire. */
export interface ApiCall {
  /** Fields of the path and of the query string, by name. */
  parameters: Readonly<Record<string, unknown>>;
  body?: unknown;
}

function bodySchema({ operation }: PlacedOperation): JsonSchema | undefined {
  return operation.requestBody?.content['application/json']?.schema;
}

/** Calls that the document allows. `known` are values that exist, by parameter, mixed in so that not all is 404. */
export function validCalls(
  place: PlacedOperation,
  known: Readonly<Record<string, readonly string[]>>,
  isValid: (schema: JsonSchema, value: unknown) => boolean,
): fc.Arbitrary<ApiCall> {
  const parameters = place.operation.parameters ?? [];
  const body = bodySchema(place);
  const values = ({ name, schema }: ApiParameter) => {
    const some = known[name];
    return some === undefined ? arbitraryOf(schema) : fc.oneof(arbitraryOf(schema), fc.constantFrom(...some));
  };
  return fc.record({
    parameters: fc.record(Object.fromEntries(parameters.map((one) => [one.name, values(one)])), {
      requiredKeys: parameters.filter(({ required }) => required).map(({ name }) => name),
    }),
    ...(body !== undefined && { body: bodyOf(body, known).filter((one) => isValid(body, one)) }),
  });
}

/** What a field must hold is told in words only, so its values are given. */
const saidInWords: Readonly<Record<string, readonly unknown[]>> = {
  text: ['What helps to sleep: get up at the same hour every day.', '# Bread\n\nFlour and water.'],
  html: ['<p>What helps to sleep</p>', '<title>Bread</title><main><p>Flour and water.</p></main>'],
  captions: ['WEBVTT\n\n00:01.000 --> 00:04.000\nhello and goodbye\n', [{ start: 1, text: 'hello' }]],
};

function bodyOf(schema: JsonSchema, known: Readonly<Record<string, readonly string[]>>): fc.Arbitrary<unknown> {
  const fields = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>).map(([name, field]) => {
    const given = saidInWords[name] ?? known[name];
    return [name, given === undefined ? arbitraryOf(field) : fc.constantFrom(...given)] as const;
  });
  return fc.record(Object.fromEntries(fields), { requiredKeys: (schema['required'] ?? []) as string[] });
}

/** The path with its query string, as the document says that parameters are written. */
export function addressOf({ path, operation }: PlacedOperation, { parameters }: ApiCall): string {
  let address = path;
  const query: string[] = [];
  for (const [name, value] of Object.entries(parameters)) {
    const parameter = operation.parameters?.find((one) => one.name === name);
    if (parameter?.in === 'path') address = address.replace(`{${name}}`, percentEncoded(String(value)));
    else query.push(`${percentEncoded(name)}=${queryText(value)}`);
  }
  return query.length === 0 ? address : `${address}?${query.join('&')}`;
}

/** `style: form, explode: false`: commas between the values. */
function queryText(value: unknown): string {
  return Array.isArray(value)
    ? value.map((one) => percentEncoded(String(one))).join(',')
    : percentEncoded(String(value));
}

/** Like `encodeURIComponent`, but for half characters, too: their bytes are no UTF-8, which a client could send as well. */
function percentEncoded(text: string): string {
  if (text.isWellFormed()) return encodeURIComponent(text);
  return [...text]
    .map((character) => {
      const code = character.codePointAt(0) ?? 0;
      if (code < 0xd800 || code > 0xdfff) return encodeURIComponent(character);
      const bytes = [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)];
      return bytes.map((byte) => `%${byte.toString(16)}`).join('');
    })
    .join('');
}

export interface InvalidCall {
  call: ApiCall;
  /** The field that is wrong. */
  field: string;
}

/** Calls with one field that the document does not allow, all else being valid. */
export function invalidCalls(
  place: PlacedOperation,
  ids: Readonly<Record<string, readonly string[]>>,
  validatorOf: (schema: JsonSchema) => ValidateFunction,
): fc.Arbitrary<InvalidCall> {
  const schema = bodySchema(place);
  const inQuery = (place.operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
  const strangeName = fc.stringMatching(/^[a-z]{4,12}[A-Z]$/);
  const hasBody = place.method === 'post';
  const strange = strangeName.map((name) => ({ name, value: 'x' as unknown, inBody: false }));
  const strangeInBody = fc.tuple(strangeName, fc.jsonValue()).map(([name, value]) => ({ name, value, inBody: true }));
  const wrongInQuery = inQuery.map((parameter) =>
    fc
      .oneof(fc.string(), fc.integer().map(String), fc.double().map(String), fc.constantFrom('', 'TRUE', '0x10', '1,2'))
      .filter((text) => !validatorOf(parameter.schema)(readQueryText(parameter.schema, text)))
      .map((value) => ({ name: parameter.name, value: value as unknown, inBody: false })),
  );
  const wrongInBody = Object.entries((schema?.['properties'] ?? {}) as Record<string, JsonSchema>).map(
    ([name, property]) =>
      fc
        .oneof(
          fc.jsonValue(),
          fc.integer(),
          fc.double({ noNaN: true, noDefaultInfinity: true }),
          fc.constantFrom(null, '', 'ftp://a.test/'),
        )
        .filter((value) => !validatorOf(property)(value))
        .map((value) => ({ name, value: value as unknown, inBody: true })),
  );
  const missing = ((schema?.['required'] ?? []) as string[]).map((name) =>
    fc.constant({ name, value: undefined as unknown, inBody: true }),
  );
  const wrong = fc.oneof(strange, ...(hasBody ? [strangeInBody] : []), ...wrongInQuery, ...wrongInBody, ...missing);
  // An id that does not exist would be refused before the body is looked at.
  const isValid = (fields: JsonSchema, value: unknown) => validatorOf(fields)(value);
  const existing = validCalls(place, ids, isValid).map((call) =>
    'id' in call.parameters ? { ...call, parameters: { ...call.parameters, id: ids['id']?.[0] } } : call,
  );
  return fc.tuple(existing, wrong).map(([call, { name, value, inBody }]) => ({
    field: name,
    call: inBody
      ? { ...call, body: { ...(call.body as object | undefined), [name]: value } }
      : { ...call, parameters: { ...call.parameters, [name]: value } },
  }));
}

/** A parameter's text as its schema means it. */
function readQueryText(schema: JsonSchema, text: string): unknown {
  if (schema['type'] === 'array') return text.split(',').map((part) => part.trim());
  if (schema['type'] === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return schema['type'] === 'integer' && /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}

/** Every string in what the call sends, replaced one at a time by `text`. */
export function withHostile(place: PlacedOperation, call: ApiCall, text: string): ApiCall[] {
  const inParameters = (place.operation.parameters ?? []).map(({ name, schema }) => ({
    ...call,
    parameters: { ...call.parameters, [name]: schema['type'] === 'array' ? [text, 'all'] : text },
  }));
  const inBody = stringPaths(bodySchema(place) ?? {}).map((path) => ({
    ...call,
    body: replaced(call.body, path, text),
  }));
  return [...inParameters, ...inBody];
}

function stringPaths(schema: JsonSchema, before: (string | number)[] = []): (string | number)[][] {
  const [first] = (schema['anyOf'] ?? []) as JsonSchema[];
  if (first !== undefined) return stringPaths(first, before);
  if (schema['type'] === 'string') return [before];
  if (schema['type'] === 'array') return stringPaths(schema['items'] as JsonSchema, [...before, 0]);
  return Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>).flatMap(([name, property]) =>
    stringPaths(property, [...before, name]),
  );
}

function replaced(value: unknown, [key, ...rest]: readonly (string | number)[], text: string): unknown {
  if (key === undefined) return text;
  if (typeof key === 'number') return [replaced(undefined, rest, text)];
  const fields = (value ?? {}) as Record<string, unknown>;
  return { ...fields, [key]: replaced(fields[key], rest, text) };
}
