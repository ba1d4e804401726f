import type { Resource } from '../domain/records/resource.ts';
import { type ErrorCode, type FieldProblem, invalidInput } from '../errors.ts';
import type { z } from 'zod';
import type { Form, FormTask } from './read-form.ts';
import type { timedCaption } from '../domain/records/pushed-content.ts';
import { isPlain, parseJsonBytes } from './json-bytes.ts';

/** Content that a client may send with an address: at most one of text, HTML and captions, and a title with it. */
export interface Pushed {
  title?: string | undefined;
  text?: string | undefined;
  html?: string | undefined;
  /** WebVTT, SRT or a transcript with timestamps as text, or captions that are already parsed. */
  captions?: string | readonly z.infer<typeof timedCaption>[] | undefined;
}

/** Where a message may have values that are too large for the main thread. */
export type LargePlaces =
  /** The message is the input itself, and `names` are its fields that may be large. */
  | { kind: 'input'; names: readonly string[] }
  /**
   * The message is an MCP tool call. `tools` lists the large inputs of each tool by the tool's name. Only strings are
   * large there.
   */
  | { kind: 'tool call'; tools: Readonly<Record<string, readonly string[]>> };

/** A client's content as it is sent to the worker: parsed already, or as the bytes of its JSON. */
type Unread<T> = { [K in keyof T]: T[K] | { json: Uint8Array } };

export type RequestTask =
  | { kind: 'parse'; bytes: Uint8Array; places: LargePlaces }
  | { kind: 'original'; url: string; pushed: Unread<Pushed>; fetchedAt: string }
  | FormTask;

/** A message without its large values, as JSON that is small enough for the main thread, and those values by name. */
interface ParsedMessage {
  json: Uint8Array;
  large: readonly { name: string; json: Uint8Array }[];
}

/** The thread's answer to a task. */
export type RequestAnswer =
  | { kind: 'parsed'; message: ParsedMessage }
  | { kind: 'original'; resource: Resource | null }
  | { kind: 'form'; form: Form }
  | { kind: 'refused'; code: ErrorCode; message: string; fields: readonly FieldProblem[] }
  | { kind: 'broken'; reason: string };

type JsonFields = Record<string, unknown>;

function isFields(value: unknown): value is JsonFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The object in a message whose fields may be large, with their names. Both sides use this: the worker removes the
 * values, and the main thread puts placeholders (`LargeValue`) in their place.
 */
export function largeFields(
  message: unknown,
  places: LargePlaces,
): { holder: JsonFields; names: readonly string[] } | null {
  if (!isFields(message)) return null;
  if (places.kind === 'input') return { holder: message, names: places.names };
  const { method, params } = message;
  if (method !== 'tools/call' || !isFields(params) || typeof params['name'] !== 'string') return null;
  const names = Object.hasOwn(places.tools, params['name']) ? (places.tools[params['name']] ?? []) : [];
  return isFields(params['arguments']) ? { holder: params['arguments'], names } : null;
}

/**
 * Parses a large message and removes its large values.
 * @throws {AppError} `invalid_input` when it is not JSON, or is too large even without those values
 */
export function parseLarge(bytes: Uint8Array, places: LargePlaces): ParsedMessage {
  const message = parseJsonBytes(bytes);
  const { holder, names } = largeFields(message, places) ?? { holder: {}, names: [] };
  const encoder = new TextEncoder();
  const large: { name: string; json: Uint8Array }[] = [];
  for (const name of names) {
    const value = Object.hasOwn(holder, name) ? holder[name] : undefined;
    if (typeof value !== 'string' && !(places.kind === 'input' && Array.isArray(value))) continue;
    large.push({ name, json: encoder.encode(JSON.stringify(value)) });
    delete holder[name];
  }
  const json = encoder.encode(JSON.stringify(message));
  if (isPlain(json)) return { json, large };
  throw invalidInput(
    'The message is too large. Only text, html and captions to be saved may be large: send less of everything else.',
  );
}
