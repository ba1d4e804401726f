import type { Resource } from '../domain/records/resource.ts';
import type { ErrorCode, FieldProblem } from '../errors.ts';
import type { Pushed } from './pushed-original.ts';

/** Where a message may hold values that are too large for the main thread. */
export type LargePlaces =
  /** The message is the input itself, and these are fields of it. */
  | { kind: 'input'; names: readonly string[] }
  /** The message calls a tool over MCP: the names of its large inputs by the name of the tool. Only texts are large there. */
  | { kind: 'tool call'; tools: Readonly<Record<string, readonly string[]>> };

/** A client's text on its way to the worker: read already, or as the bytes of its JSON. */
type Unread<T> = { [K in keyof T]: T[K] | { json: Uint8Array } };

export type RequestTask =
  | { kind: 'parse'; bytes: Uint8Array; places: LargePlaces }
  | { kind: 'original'; url: string; pushed: Unread<Pushed>; fetchedAt: string };

/** A message without its large values, as JSON that the main thread may parse, and those values by name. */
export interface ParsedMessage {
  json: Uint8Array;
  large: readonly { name: string; json: Uint8Array }[];
}

export type RequestAnswer =
  | { kind: 'ready' }
  | { kind: 'parsed'; message: ParsedMessage }
  | { kind: 'original'; resource: Resource | null }
  | { kind: 'refused'; code: ErrorCode; message: string; fields: readonly FieldProblem[] }
  | { kind: 'broken'; reason: string };
