import { z } from 'zod';
import { parseBoundedJson } from '../domain/json/bounded-json.ts';
import { startOfDate } from '../domain/search/dates.ts';
import { inputSchema } from '../operations/call.ts';
import type { Operation } from '../operations/operation.ts';

/* Conversions of single values of a call to the schema's type. Unconvertible values are returned unchanged. */

/** The longest text that is parsed as JSON: a hundred titles, or an analysis with all its quotes, have less. */
const maxJsonText = 100_000;
/** The longest text in which an id, a choice, a number or a date is looked for. */
const maxShort = 3_000;

/** The JSON value in a text; undefined without one. A text may be wrapped twice. */
export function parsedJson(text: string, depth = 0): unknown {
  if (text.length > maxJsonText) return undefined;
  try {
    const value = parseBoundedJson(text.trim());
    return typeof value === 'string' && depth === 0 ? parsedJson(value, 1) : value;
  } catch {
    return undefined;
  }
}

/**
 * A list that was sent as text: as JSON, as other languages write one (`['a', 'b']`), or with commas between its
 * entries. The text itself where a list has no texts; undefined when it says that nothing was given.
 */
export function listInText(text: string, hasTexts: boolean): unknown {
  const trimmed = text.trim();
  if (['null', 'undefined', 'None'].includes(trimmed)) return undefined;
  const parsed = /^["[{]/.test(trimmed) ? parsedJson(trimmed) : undefined;
  if (Array.isArray(parsed) || (typeof parsed === 'object' && parsed !== null)) return parsed;
  if (!hasTexts || text.length > maxJsonText) return text;
  const inside = /^\[[^]*\]$/.test(trimmed) ? trimmed.slice(1, -1) : trimmed;
  return inside.split(/[,\n]/).map((entry) => withoutQuotes(entry.trim()));
}

function withoutQuotes(text: string): string {
  return text.length > 1 && ['""', "''", '``'].includes(`${text[0]}${text.at(-1)}`) ? text.slice(1, -1) : text;
}

const pairs = new Set(['""', "''", '``', '[]', '()', '<>', '{}', '“”', '‘’', '«»']);

/** A short text without the quotes, backticks and brackets around it. */
function unwrapped(text: string): string {
  let inside = text.trim();
  for (let times = 0; times < 4 && inside.length > 1 && pairs.has(`${inside[0]}${inside.at(-1)}`); times += 1)
    inside = inside.slice(1, -1).trim();
  return inside;
}

/** A value of one of the simple types; undefined when it says that nothing was given. */
export function readScalar(given: unknown, name: string, schema: InputJson, readOnly: boolean): unknown {
  if (schema.type === 'integer' || schema.type === 'number') return readNumber(given, schema);
  if (schema.type === 'boolean') return readBoolean(given);
  if (schema.type !== 'string') return given;
  const value = isId(name) ? idOf(given) : given;
  const text = textOf(value);
  const isWritten = schema.enum === undefined && !isId(name) && !isMark(name) && schema.format === undefined;
  if (isWritten || typeof text !== 'string' || text.length > maxShort) return text;
  const inside = unwrapped(text);
  if (isNothing(inside)) return undefined;
  if (schema.enum !== undefined) return readChoice(inside, schema.enum, readOnly);
  if (schema.format === 'w3cdtf') return readDate(inside);
  if (isId(name)) return readId(inside);
  return inside;
}

/** Whether an input holds ids of records. */
export function isId(name: string): boolean {
  return name === 'ids' || /^(?:id|.+Id)$/.test(name);
}

/** Values of an earlier answer that are passed back. */
function isMark(name: string): boolean {
  return name === 'cursor' || name === 'lease';
}

/** A number that JSON has rounded is not the text that was meant. */
function textOf(value: unknown): unknown {
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'number') return value;
  return Number.isSafeInteger(value) || Math.abs(value) < 1e9 ? String(value) : value;
}

function readNumber(given: unknown, { type, minimum = Number.NEGATIVE_INFINITY, maximum = Infinity }: InputJson) {
  const value = typeof given === 'string' && given.length < 100 ? numberIn(unwrapped(given)) : given;
  if (typeof value !== 'number') return value;
  // Both mean "not given".
  if (value < minimum && (value === 0 || value === -1)) return undefined;
  if (value > maximum) return maximum;
  // A smaller budget than there is means the smallest.
  return type === 'integer' && value > 0 && value < minimum ? minimum : value;
}

function numberIn(text: string): unknown {
  if (isNothing(text)) return undefined;
  return /^[+-]?\d{1,15}(?:\.\d{1,6})?$/.test(text) ? Number(text) : text;
}

function readBoolean(given: unknown): unknown {
  const text = typeof given === 'number' ? String(given) : given;
  if (typeof text !== 'string' || text.length > 100) return given;
  const word = unwrapped(text).toLowerCase();
  if (isNothing(word)) return undefined;
  if (['true', 'yes', 'y', '1', 'on'].includes(word)) return true;
  return ['false', 'no', 'n', '0', 'off'].includes(word) ? false : given;
}

/** @param readOnly of a filter, "all" means none */
function readChoice(given: string, choices: readonly string[], readOnly: boolean): unknown {
  const bare = (text: string) => text.toLowerCase().replaceAll(/[\s_-]/g, '');
  const word = bare(given);
  const among = (...words: readonly string[]) => choices.find((choice) => words.includes(bare(choice)));
  const meant = among(word) ?? among(`${word}s`, word.replace(/s$/, '')) ?? among(...(synonyms.get(word) ?? []));
  if (meant !== undefined) return meant;
  return readOnly && ['all', 'any', '*'].includes(word) ? undefined : given;
}

/** The id in a given value: an object that has it, or a text around it. */
function idOf(given: unknown): unknown {
  return typeof given === 'object' && given !== null && 'id' in given ? given.id : given;
}

const anyId = /(?<![a-z0-9_])[acghx]_[a-z2-7]{16}(?![a-z0-9_])/gi;

function readId(text: string): string {
  const ids = new Set(Array.from(text.matchAll(anyId), ([id]) => id.toLowerCase()));
  const [id, second] = ids;
  if (id === undefined || second !== undefined) return text;
  // Of a page elsewhere, an address is one to look up, whatever is in it.
  return /^https?:/i.test(text) && !/^https?:\/\/[^/]+\/app\//i.test(text) ? text : id;
}

/** A date in another usual form; a time without a zone is in UTC. If day and month are ambiguous, it is unchanged. */
function readDate(text: string): string {
  if (startOfDate(text) !== null) return text;
  const [, y = '', m = '01', d] =
    /^(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?(?=[T\s]|$)/i.exec(text) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(text) ?? [];
  const [, first = '', sign, second = '', year] = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})$/.exec(text) ?? [];
  const dayFirst = sign === '.' || Number(first) > 12 || first === second;
  const numbers =
    year === undefined
      ? [y, m, d]
      : dayFirst
        ? [year, second, first]
        : Number(second) > 12
          ? [year, first, second]
          : [];
  const day = numbers.flatMap((number) => number?.padStart(2, '0') ?? []).join('-');
  const [, hour = '', rest = ':00', zone = 'Z'] =
    /^\S{8,10}[T\s]\s*(\d{1,2})((?::\d{2}){1,2}(?:\.\d{1,9})?)?\s?(Z|UTC|GMT|[+-]\d{2}:?\d{2})?$/i.exec(text) ?? [];
  const offset = /^[+-]/.test(zone) ? zone.replace(/(\d{2}):?(\d{2})$/, '$1:$2') : 'Z';
  const read = hour === '' ? day : `${day}T${hour.padStart(2, '0')}${rest}${offset}`;
  return startOfDate(read) === null || (hour === '' && /[T\s]/i.test(text)) ? text : read;
}

/** Words for the choices of inputs, in lower case and without spaces, hyphens and underscores. Each group begins with the choices that it may mean. */
const groups = [
  [['text'], 'note plaintext txt memo markdown'],
  [['article'], 'web webpage page website blog blogpost news html'],
  [['youtube'], 'yt youtubevideo'],
  [['video'], 'film movie clip vimeo'],
  [['podcast'], 'audio episode'],
  [['ebook'], 'book epub'],
  [['document'], 'doc docx word office slides presentation spreadsheet'],
  [['image'], 'picture photo png jpg jpeg screenshot img'],
  [['discussion'], 'thread forum comments reddit hackernews hn'],
  [['feed'], 'rss atom'],
  [['repo'], 'github gitlab repository code'],
  [['post'], 'tweet toot socialpost'],
  [['paper'], 'arxiv preprint study'],
  [['done', 'completed'], 'done complete completed finished ready processed closed ok success'],
  [['open', 'pending'], 'todo pending queued waiting new incomplete unprocessed undone notdone reopen reopened'],
  [['processing', 'open'], 'inprogress running active working'],
  [['failed'], 'error failure errored broken'],
  [['dismissed'], 'dismiss cancelled canceled cancel ignored ignore skipped skip rejected'],
  [['lean'], 'false default normal short brief compact minimal summary basic concise standard'],
  [['full'], 'true complete all everything verbose detailed long whole high'],
  [['colour'], 'color'],
  [['goalid'], 'goal'],
] as const;

/** Possible meanings of each word: an input takes the one that is among its choices. */
const synonyms: ReadonlyMap<string, readonly string[]> = groups.reduce((all, [choices, words]) => {
  for (const word of words.split(' ')) all.set(word, [...(all.get(word) ?? []), ...choices]);
  return all;
}, new Map<string, readonly string[]>());

/** Whether a word for a number, a choice, a date or an id says that nothing was given. */
export function isNothing(word: string): boolean {
  return ['', 'null', 'none', 'undefined', 'nil', 'n/a'].includes(word.toLowerCase());
}

/** The used part of an input's JSON Schema. */
export interface InputJson {
  type?: string;
  properties?: Readonly<Record<string, InputJson>>;
  required?: readonly string[];
  items?: InputJson;
  anyOf?: readonly InputJson[];
  enum?: readonly string[];
  format?: string;
  minimum?: number;
  maximum?: number;
  default?: unknown;
}

const schemas = new WeakMap<Operation, InputJson>();

/** The JSON Schema of a tool's input, with the bounds that `tool-schema.ts` leaves out. */
export function inputJson(operation: Operation): InputJson {
  const known = schemas.get(operation) ?? (z.toJSONSchema(inputSchema(operation, 'mcp'), { io: 'input' }) as InputJson);
  schemas.set(operation, known);
  return known;
}
