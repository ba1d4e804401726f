import type { Resource } from '../domain/records/resource.ts';
import type { ErrorCode, FieldProblem } from '../errors.ts';
import type { Pushed } from './pushed-original.ts';

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
  | { kind: 'original'; url: string; pushed: Unread<Pushed>; fetchedAt: string };

/** A message without its large values, as JSON that is small enough for the main thread, and those values by name. */
export interface ParsedMessage {
  json: Uint8Array;
  large: readonly { name: string; json: Uint8Array }[];
}

/** The thread's answer to a task. */
export type RequestAnswer =
  | { kind: 'parsed'; message: ParsedMessage }
  | { kind: 'original'; resource: Resource | null }
  | { kind: 'refused'; code: ErrorCode; message: string; fields: readonly FieldProblem[] }
  | { kind: 'broken'; reason: string };
