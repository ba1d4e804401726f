import { type Command, InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { bareSchema, descriptionOf } from '../../operations/fields.ts';

/** One flag of a command, and where its value belongs in the operation's input. */
interface Flag {
  /** Path in the input, e.g. `['filters', 'tags']`. */
  path: string[];
  /** The name under which commander stores the value. */
  key: string;
  option: Option;
}

export function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function parseNumber(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) throw new InvalidArgumentError('It must be a number.');
  return number;
}

function parseBoolean(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new InvalidArgumentError('It must be true or false.');
  return text === 'true';
}

/**
 * Collects the values of a repeatable flag; each may hold several, separated by commas. An empty value gives an empty
 * list, which clears the field.
 */
export function collectList(value: string, before: string[] | undefined): string[] {
  if (value.trim() === '') return before ?? [];
  return [...(before ?? []), ...value.split(',').map((part) => part.trim())];
}

/** What a value has to be, behind the description of its flag: `1 to 100, default 20`. */
function bounds(schema: z.ZodType): string {
  const inner = bareSchema(schema);
  const { minValue: min, maxValue: max } = inner instanceof z.ZodNumber ? inner : { minValue: null, maxValue: null };
  const preset = schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined;
  return [
    ...(schema.safeParse(undefined, { jitless: true }).success ? [] : ['required']),
    ...(min !== null && max !== null && max < Number.MAX_SAFE_INTEGER ? [`${min} to ${max}`] : []),
    ...(typeof preset === 'number' ? [`default ${preset}`] : []),
    ...(inner instanceof z.ZodArray ? ['repeatable'] : []),
  ].join(', ');
}

/** Builds the flag for one field from its schema. The command line converts text to numbers and booleans only here. */
function flagFor(path: string[], schema: z.ZodType): Flag {
  const name = path.at(-1) ?? '';
  const inner = bareSchema(schema);
  const bounded = bounds(schema);
  const about = `${descriptionOf(schema) ?? ''} ${bounded === '' ? '' : `(${bounded})`}`.trim();
  if (inner instanceof z.ZodArray) {
    const singular = kebab(name.replace(/s$/, ''));
    return {
      path,
      key: name.replace(/s$/, ''),
      option: new Option(`--${singular} <${singular}>`, about).argParser(collectList),
    };
  }
  if (inner instanceof z.ZodBoolean) {
    const option = new Option(`--${kebab(name)} [true|false]`, about).argParser(parseBoolean);
    return { path, key: name, option };
  }
  const option = new Option(`--${kebab(name)} <${inner instanceof z.ZodNumber ? 'number' : 'value'}>`, about);
  if (inner instanceof z.ZodNumber) option.argParser(parseNumber);
  if (inner instanceof z.ZodEnum) option.choices(inner.options.map(String));
  return { path, key: name, option };
}

function flagsOf(schema: z.ZodObject, prefix: string[], taken: readonly string[]): Flag[] {
  return Object.entries(schema.shape).flatMap(([name, field]) => {
    if (prefix.length === 0 && taken.includes(name)) return [];
    const inner = bareSchema(field as z.ZodType);
    if (inner instanceof z.ZodObject) return flagsOf(inner, [...prefix, name], taken);
    return [flagFor([...prefix, name], field as z.ZodType)];
  });
}

/** How the fields of an operation's input are called on the command line, by their dotted path: `--tag`, `<id>`. */
export function namesOnCommandLine(schema: z.ZodObject, argumentNames: readonly string[]): Map<string, string> {
  return new Map([
    ...flagsOf(schema, [], argumentNames).map(({ path, option }) => [path.join('.'), option.long ?? ''] as const),
    ...argumentNames.map((name) => [name, `<${kebab(name)}>`] as const),
  ]);
}

/**
 * Adds one flag per field of an operation's input, except those that are arguments.
 * @returns converts the parsed flags back to the operation's raw input
 */
export function addInputFlags(
  command: Command,
  schema: z.ZodObject,
  argumentNames: readonly string[],
): (options: Record<string, unknown>) => Record<string, unknown> {
  const flags = flagsOf(schema, [], argumentNames);
  for (const flag of flags) command.addOption(flag.option);
  return (options) => {
    const input: Record<string, unknown> = {};
    for (const { path, key } of flags) {
      const value = options[key];
      if (value === undefined) continue;
      let target = input;
      for (const name of path.slice(0, -1)) target = (target[name] ??= {}) as Record<string, unknown>;
      target[path.at(-1) ?? ''] = value;
    }
    return input;
  };
}
