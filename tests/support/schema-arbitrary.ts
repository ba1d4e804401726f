import * as fc from 'fast-check';
import { hasVisibleText } from '../../src/domain/text/clean-text.ts';
import type { JsonSchema } from '../../src/http/rest/openapi/document.ts';

/** Values that a schema of the document allows. Knows the keywords that the document's inputs use, and no others. */
export function arbitraryOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { type, enum: values, properties, items, anyOf } = schema;
  if (Array.isArray(anyOf)) return fc.oneof(...(anyOf as JsonSchema[]).map(arbitraryOf));
  if (Array.isArray(values)) return fc.constantFrom(...(values as unknown[]));
  switch (type) {
    case 'boolean':
      return fc.boolean();
    case 'number':
    case 'integer':
      return fc.integer({
        min: Number(schema['minimum'] ?? -1_000),
        max: Number(schema['maximum'] ?? 2 ** 40),
      });
    case 'string':
      return stringOf(schema);
    case 'array':
      return fc.array(arbitraryOf((items ?? {}) as JsonSchema), {
        minLength: Number(schema['minItems'] ?? 0),
        maxLength: Math.min(Number(schema['maxItems'] ?? 5), 8),
      });
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries((properties ?? {}) as Record<string, JsonSchema>).map(([name, property]) => [
            name,
            arbitraryOf(property),
          ]),
        ),
        { requiredKeys: (schema['required'] ?? []) as string[] },
      );
    default:
      throw new Error(`no values are known for ${JSON.stringify(schema)}`);
  }
}

function stringOf(schema: JsonSchema): fc.Arbitrary<string> {
  const minLength = Number(schema['minLength'] ?? 0);
  const maxLength = Math.min(Number(schema['maxLength'] ?? 300), 300);
  if (schema['format'] === 'uri') {
    return fc.webUrl({ withQueryParameters: true, withFragments: true }).filter(({ length }) => length <= maxLength);
  }
  if (schema['format'] === 'w3cdtf') {
    const day = fc.date({ min: new Date('1990-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
    return fc.tuple(day, fc.constantFrom(4, 7, 10, 24)).map(([date, length]) => date.toISOString().slice(0, length));
  }
  const pattern = typeof schema['pattern'] === 'string' ? new RegExp(schema['pattern'], 'u') : /(?:)/u;
  const exact = pattern.source.startsWith('^') && /\{\d+\}\$$/.test(pattern.source);
  if (exact) return fc.stringMatching(new RegExp(pattern.source));
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', minLength, maxLength }),
    fc.string({ unit: 'binary', minLength, maxLength }),
    fc.constantFrom('sleep', 'bread and water', 'even', 'all', 'how to sleep better?'),
  );
  // JSON Schema counts characters and JavaScript halves of them: what is near the bound could be either side of it.
  // What is invisible above U+FFFF is told in words only: see the patterns in schemas.ts.
  const allowed = (one: string) => pattern.test(one) && (!('pattern' in schema) || hasVisibleText(one));
  return text.filter((one) => one.length >= minLength && one.length <= maxLength && allowed(one));
}
