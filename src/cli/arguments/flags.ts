import { Command, InvalidArgumentError, Option, type ParseOptionsResult } from 'commander';
import { z } from 'zod';
import { bareSchema, descriptionOf, modelWords } from '../../operations/fields.ts';
import { flagName } from '../../settings/config.ts';
import { type SettingName, settings } from '../../settings/settings.ts';
import { refusedInput } from '../../domain/refused-input.ts';
import { AppError } from '../../errors.ts';

/** One flag of a command, and where its value belongs in the operation's input. */
interface Flag {
  /** Path in the input, e.g. `['filters', 'tags']`. */
  path: string[];
  key: string;
  option: Option;
}

export function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

export function parseNumber(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) throw new InvalidArgumentError('It must be a number.');
  return number;
}

function parseBoolean(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new InvalidArgumentError('It must be true or false.');
  return text === 'true';
}

/** Values of a repeatable flag, each perhaps several with commas. An empty one gives an empty list, which clears. */
export function collectList(value: string, before: string[] | undefined): string[] {
  if (value.trim() === '') return before ?? [];
  return [...(before ?? []), ...value.split(',').map((part) => part.trim())];
}

/** The valid values, appended to the description of a flag: `1 to 100, default 20`. */
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
    if (modelWords.get(field as z.ZodType)?.isForModels === true) return [];
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

/** Adds a flag for each input field that is no argument. @returns converts parsed flags to the raw input */
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

const switches: ReadonlySet<string> = new Set(
  (Object.keys(settings.shape) as SettingName[])
    .filter((name) => settings.shape[name].unwrap() instanceof z.ZodBoolean)
    .map(flagName),
);
const onOrOff = /^(?:true|false|yes|no|on|off|[01])$/i;

/** `serve --api-v1` becomes `serve --api-v1=true`. Arguments after `--` stay as they are. */
export function withSwitchesOn(argv: readonly string[]): string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  return argv.map((argument, at) =>
    at < end && switches.has(argument) && !onOrOff.test(argv[at + 1] ?? '') ? `${argument}=true` : argument,
  );
}

/** The syntax of options: `-h`, `--tag`, `--tag=bread`, also mistyped ones. */
const option = /^--?[a-z][\w-]*(?:=|$)/i;
/** `-custard`, `-"rice pudding"`: a minus and a word. `-h` is help, and `-5` is a number. */
const excludedWord = /^-["“„«]?\p{L}[\p{L}\p{N}]/u;
/** No argument of a process holds this character. */
const mark = '\0';

/**
 * A command that takes arguments such as `- [ ] water the plants` as text. Commander takes everything that begins with
 * a dash for an option. `search` leaves out results with an excluded word, as in every interface: `-custard`.
 */
export class CommandWithText extends Command {
  override createCommand(name?: string): Command {
    return new CommandWithText(name);
  }

  override parseOptions(argv: string[]): ParseOptionsResult {
    const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
    const isText = (word: string) =>
      word.length > 1 &&
      word.startsWith('-') &&
      (!option.test(word) || (this.name() === 'search' && excludedWord.test(word)));
    // Commander takes the value of an option, whatever it looks like.
    const isValue = (at: number) =>
      this.options.some(
        ({ required, optional, short, long }) => (required || optional) && [short, long].includes(argv[at - 1] ?? ''),
      );
    const marked = argv.map((word, at) => (at < end && isText(word) && !isValue(at) ? mark + word : word));
    const { operands, unknown } = super.parseOptions(marked);
    const bare = (words: string[]) => words.map((word) => (word.startsWith(mark) ? word.slice(1) : word));
    return { operands: bare(operands), unknown: bare(unknown) };
  }
}

/** Parses the value of a port flag. @throws {InvalidArgumentError} when it is not a port */
export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('It must be a number from 0 to 65535.');
  return port;
}

/** The command line typed for an operation. */
export interface Typed {
  words: readonly string[];
  /** How each field of the input is called on the command line, by its path: `--tag`, `<id>`. */
  names: ReadonlyMap<string, string>;
}

/** Names the flags and arguments that were typed in place of fields; some messages name fields in backticks. */
export function withTypedNames(error: unknown, { words, names }: Typed): unknown {
  if (!(error instanceof AppError)) return error;
  if (error.fields.length === 0) {
    const message = error.message.replaceAll(/`(\w{1,60})`/g, (field, name: string) => names.get(name) ?? field);
    return new AppError(error.code, message, { cause: error });
  }
  const problems = error.fields.map(({ path, message }) => {
    // An entry of a list came by the flag of the list.
    const field = path.replace(/\.\d{1,9}$/, '');
    return { path: names.get(field) ?? path, message };
  });
  const { message } = refusedInput(`The input of \`commonplace ${words.join(' ')}\` is not valid.`, problems);
  return new AppError(error.code, message, { fields: error.fields, cause: error });
}
