import { hasVisibleText } from '../domain/text/clean-text.ts';
import type { Operation } from '../operations/operation.ts';
import { inputJson, type InputJson } from './input-json.ts';
import { listInText, parsedJson, readScalar } from './lenient-values.ts';

/*
 * What hosts and models send in place of what a tool's schema says (docs/decisions/mcp-protocol.md). REST, the page and the command line
 * take none of it.
 */

type Fields = Record<string, unknown>;

/**
 * The input of a call, changed to what the operation's schema wants where there is no doubt what was meant. Everything
 * else is left as it is, and the schema refuses it.
 */
export function lenientInput(operation: Operation, given: unknown): unknown {
  const { readOnly } = operation.effects;
  const schema = inputJson(operation);
  const fields = isFields(given) ? given : objectIn(given);
  return fields === undefined ? given : readFields(withKnownNames(fields, schema, readOnly), schema, readOnly);
}

/** `LargeValue` is no such object. */
export function isFields(value: unknown): value is Fields {
  return (
    typeof value === 'object' &&
    value !== null &&
    [Object.prototype, null].includes(Object.getPrototypeOf(value) as null)
  );
}

function objectIn(value: unknown): Fields | undefined {
  const parsed = typeof value === 'string' ? parsedJson(value) : undefined;
  return isFields(parsed) ? parsed : undefined;
}

/** Inputs that hosts add to every tool, to show or record why a model calls it. */
const hostInputs = new Set(
  (
    '_meta task_progress explanation reason reasoning rationale justification thought thoughts thinking intent ' +
    'random_string dummy toolCallId tool_call_id toolAction toolSummary security_risk requires_approval ' +
    'waitForPreviousTools sessionId session_id run_manager'
  ).split(' '),
);
/** The same, under names that could hold what a person wrote: a tool that changes something refuses them. */
const ambiguousHostInputs = new Set(['summary', 'context', 'metadata']);
/** Names under which hosts and models nest the whole input, or the filters of a tool that takes them flat. */
const wrappers = new Set('arguments args kwargs input params parameters filters filter'.split(' '));

/** Leaves out what hosts add, and puts each input where the schema has it. */
function withKnownNames(given: Fields, { properties = {} }: InputJson, readOnly: boolean): Fields {
  const fields: Fields = {};
  const strays: [string, unknown][] = [];
  for (const [name, value] of Object.entries(given)) {
    if (Object.hasOwn(properties, name)) fields[name] = value;
    else if (!hostInputs.has(name) && !(readOnly && ambiguousHostInputs.has(name))) strays.push([name, value]);
  }
  for (const [name, value] of strays) {
    const inside = wrappers.has(name) ? (isFields(value) ? value : objectIn(value)) : undefined;
    const owner = Object.keys(properties).filter((of) => Object.hasOwn(properties[of]?.properties ?? {}, name));
    if (inside !== undefined && Object.keys(inside).every((of) => Object.hasOwn(properties, of) && !(of in fields)))
      Object.assign(fields, inside);
    else if (owner.length === 1 && owner[0] !== undefined && addTo(fields, owner[0], name, value)) continue;
    // Not by assignment: the name may be `__proto__`.
    else Object.defineProperty(fields, name, { value, enumerable: true });
  }
  return fields;
}

/** Puts a flat field into the object that it belongs to; false where that has another value for it. */
function addTo(fields: Fields, owner: string, name: string, value: unknown): boolean {
  const held = fields[owner] ?? {};
  const object = isFields(held) ? held : (objectIn(held) ?? (isFiller(held) ? {} : undefined));
  if (object === undefined || (name in object && !isFiller(object[name]))) return false;
  fields[owner] = { ...object, [name]: value };
  return true;
}

function readFields(given: Fields, { properties = {}, required = [] }: InputJson, readOnly: boolean): Fields {
  const read = Object.entries(given).flatMap(([name, value]): [string, unknown][] => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (schema === undefined) return [[name, value]];
    const field = readValue(value, name, schema, readOnly);
    if (!isFiller(field)) return [[name, field]];
    return required.includes(name) ? [[name, field === undefined ? value : field]] : [];
  });
  return Object.fromEntries(read);
}

/** Undefined for what means that nothing was given. */
function readValue(given: unknown, name: string, schema: InputJson, readOnly: boolean): unknown {
  // Beside null there is one type.
  const { type, items, ...rest } = schema.anyOf?.find(({ type: of }) => of !== 'null') ?? schema;
  if (type === 'object') {
    const fields = isFields(given) ? given : objectIn(given);
    return fields === undefined ? given : readFields(fields, rest, readOnly);
  }
  if (type === 'array' && items !== undefined) {
    const list = typeof given === 'string' ? listInText(given, items.type === 'string') : given;
    if (list === undefined || isFiller(list)) return undefined;
    if (typeof list === 'boolean') return list;
    const entries = Array.isArray(list) ? list : [list];
    return entries
      .flatMap((entry: unknown) => {
        const inEntry = typeof entry === 'string' && entry.includes(',') && items.type === 'string';
        return inEntry ? (listInText(entry, true) ?? []) : [entry];
      })
      .map((entry) => readValue(entry, name, items, readOnly))
      .filter((entry) => !isFiller(entry));
  }
  // Some hosts send a single value as a list.
  const [only, second] = Array.isArray(given) ? given : [given];
  if (second !== undefined || isFiller(only)) return isFiller(given) ? undefined : given;
  return readScalar(only, name, { type, ...rest }, readOnly);
}

/** What hosts send for an input that nobody gave. */
function isFiller(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === 'string') return !hasVisibleText(value);
  if (Array.isArray(value)) return value.every(isFiller);
  return isFields(value) && Object.values(value).every(isFiller);
}
