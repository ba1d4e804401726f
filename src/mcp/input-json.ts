import { z } from 'zod';
import { inputSchema } from '../operations/call.ts';
import type { Operation } from '../operations/operation.ts';

/** What is read of the JSON Schema of an input. */
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

/** The JSON Schema of what a tool takes, with the bounds that `tool-schema.ts` leaves out. */
export function inputJson(operation: Operation): InputJson {
  const known = schemas.get(operation) ?? (z.toJSONSchema(inputSchema(operation, 'mcp'), { io: 'input' }) as InputJson);
  schemas.set(operation, known);
  return known;
}
