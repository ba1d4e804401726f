import { z } from 'zod';
import { hasVisibleText } from '../domain/text/clean-text.ts';
import { inputSchema } from '../operations/call.ts';
import type { Operation } from '../operations/operation.ts';

/* What hosts and models send in place of what a tool's schema says. REST, the page and the command line take none of it. */

/** What is read of the JSON Schema of an input. */
interface InputJson {
  properties?: Readonly<Record<string, InputJson>>;
  required?: readonly string[];
  items?: InputJson;
}

const schemas = new WeakMap<Operation, InputJson>();

function schemaOf(operation: Operation): InputJson {
  const known = schemas.get(operation) ?? (z.toJSONSchema(inputSchema(operation, 'mcp'), { io: 'input' }) as InputJson);
  schemas.set(operation, known);
  return known;
}

/** The input of a call, as the operation's schema wants it where that is beyond doubt. Everything else is left for the schema to refuse. */
export function lenientInput(operation: Operation, given: unknown): unknown {
  return read(given, schemaOf(operation));
}

type Fields = Record<string, unknown>;

/** `LargeValue` is no such object. */
function isFields(value: unknown): value is Fields {
  return (
    typeof value === 'object' &&
    value !== null &&
    [Object.prototype, null].includes(Object.getPrototypeOf(value) as null)
  );
}

function read(value: unknown, schema: InputJson): unknown {
  const { properties, items } = schema;
  if (properties !== undefined && isFields(value)) return readFields(value, properties, schema.required ?? []);
  if (items !== undefined && Array.isArray(value))
    return value.map((entry: unknown) => read(entry, items)).filter((entry) => !isFiller(entry));
  return value;
}

function readFields(given: Fields, properties: NonNullable<InputJson['properties']>, required: readonly string[]) {
  const fields = Object.entries(given).map(([name, value]) => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return [name, schema === undefined ? value : read(value, schema)] as const;
  });
  const isAbsent = (name: string, value: unknown) =>
    isFiller(value) && Object.hasOwn(properties, name) && !required.includes(name);
  return Object.fromEntries(fields.filter(([name, value]) => !isAbsent(name, value)));
}

/** What hosts send for an input that nobody gave. */
function isFiller(value: unknown): boolean {
  if (value === null) return true;
  if (typeof value === 'string') return !hasVisibleText(value);
  if (Array.isArray(value)) return value.every(isFiller);
  return isFields(value) && Object.values(value).every(isFiller);
}
