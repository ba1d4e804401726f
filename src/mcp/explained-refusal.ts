import { exampleIds } from '../domain/records/examples.ts';
import { editDistance } from '../domain/search/spelling.ts';
import type { AppError } from '../errors.ts';
import type { Operation } from '../operations/operation.ts';
import { inputJson, type InputJson, isId } from './lenient-values.ts';

/** The message of a refused input, with the right form: a model corrects its call by it. */
export function explainedRefusal(operation: Operation, { message, fields }: AppError): string {
  const hints = new Set(fields.slice(0, 5).flatMap(({ path, message: problem }) => hintFor(operation, path, problem)));
  return [message, ...hints].join(' ');
}

function hintFor(operation: Operation, path: string, problem: string): string[] {
  const names = path.split('.');
  const name = names.pop() ?? '';
  const parents = names.filter((of) => !/^\d+$/.test(of));
  const parent = parents.reduce<InputJson | undefined>((schema, of) => inside(schema)?.[of], inputJson(operation));
  const properties = inside(parent);
  if (properties === undefined) return [];
  if (problem === 'does not exist here') return [knownName(operation, name, properties)];
  const isForm = /^(?:must be |must not be empty|is missing|is not )/.test(problem);
  const example = isForm ? exampleFor(operation, name, properties[name]) : undefined;
  return example === undefined ? [] : [`For example ${name}: ${example}.`];
}

/** The properties of an object, or of the objects of a list. */
function inside(schema: InputJson | undefined): InputJson['properties'] {
  return schema?.properties ?? schema?.items?.properties;
}

function knownName(operation: Operation, wrong: string, properties: NonNullable<InputJson['properties']>): string {
  const whole = inputJson(operation).properties ?? {};
  const nested = Object.entries(whole).flatMap(([name, schema]) =>
    Object.keys(inside(schema) ?? {}).map((of) => ({ name: of, shown: `${name}.${of}` })),
  );
  const here = Object.keys(properties).map((name) => ({ name, shown: name }));
  const nearest = nearestOf(wrong, [...here, ...nested, ...Object.keys(whole).map((name) => ({ name, shown: name }))]);
  if (nearest !== undefined) return `Instead of ${wrong}, use ${nearest}.`;
  return `${operation.name} takes ${Object.keys(properties).join(', ')}.`;
}

const maxDistance = 12;

/** Names that differ in case, underscores and a few letters, or one of which begins with the other. */
function nearestOf(wrong: string, known: readonly { name: string; shown: string }[]): string | undefined {
  const plain = (name: string) => name.replaceAll(/[_-]/g, '').toLowerCase().slice(0, 32);
  const one = plain(wrong);
  const near = known.map(({ name, shown }) => {
    const other = plain(name);
    const [short = '', long = ''] = [one, other].toSorted((a, b) => a.length - b.length);
    const isPart = short.length >= 2 && (long.startsWith(short) || long.endsWith(short));
    const distance = editDistance(one, other, maxDistance);
    return { shown, distance: isPart ? Math.min(1, distance) : distance, length: other.length };
  });
  const [best] = near.toSorted((a, b) => a.distance - b.distance);
  return best !== undefined && best.distance <= Math.ceil(best.length / 3) ? best.shown : undefined;
}

function exampleFor(operation: Operation, name: string, schema: InputJson | undefined): string | undefined {
  if (schema === undefined) return undefined;
  const { type, default: standard, format, maximum = 10 } = schema;
  const sample = operation.example.input[name] ?? (name === 'goalId' ? exampleIds.goal : undefined);
  if (isId(name)) return `an id as lists and searches show it, such as ${JSON.stringify(sample ?? exampleIds.content)}`;
  if (sample !== undefined) return JSON.stringify(sample);
  if (schema.enum !== undefined) return JSON.stringify(schema.enum[0]);
  if (type === 'integer' || type === 'number') return String(standard ?? Math.min(maximum, 10));
  if (type === 'boolean') return 'true';
  if (type === 'array') return inside(schema) === undefined ? '["house", "heating"]' : undefined;
  if (format === 'w3cdtf') return '"2026-11-22"';
  return format === 'uri' ? '"https://example.com/page"' : undefined;
}
