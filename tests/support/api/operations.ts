import { operations } from '../../../src/operations/index.ts';
import type { Operation } from '../../../src/operations/operation.ts';

/** The operations that are MCP tools. */
export const tools = operations.filter(({ set }) => set !== undefined);

/** An operation's example input, with real values in place of sample ids and addresses. */
export function exampleInput(operation: Operation, real: (sample: string) => string): Record<string, unknown> {
  const inPlace = (value: unknown): unknown =>
    typeof value === 'string' ? real(value) : Array.isArray(value) ? value.map(inPlace) : value;
  return Object.fromEntries(Object.entries(operation.example.input).map(([name, value]) => [name, inPlace(value)]));
}
