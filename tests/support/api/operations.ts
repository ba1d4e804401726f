import { operations } from '../../../src/operations/index.ts';
import { z } from 'zod';
import { defineOperation, type Operation } from '../../../src/operations/operation.ts';

/** The operations that are MCP tools. */
export const tools = operations.filter(({ set }) => set !== undefined);

/** An operation's example input, with real values in place of sample ids and addresses. */
export function exampleInput(operation: Operation, real: (sample: string) => string): Record<string, unknown> {
  const inPlace = (value: unknown): unknown =>
    typeof value === 'string' ? real(value) : Array.isArray(value) ? value.map(inPlace) : value;
  return Object.fromEntries(Object.entries(operation.example.input).map(([name, value]) => [name, inPlace(value)]));
}

/** An operation of a test at `GET /<name>`: it answers what `run` answers, which should be `{ ok: true }` or `{ ok: false }`. */
export function okOperation(name: string, run: (signal: AbortSignal) => Promise<unknown>): Operation {
  return defineOperation({
    name,
    title: `Of a test: ${name}`,
    description: 'Does what a test wants.',
    input: z.strictObject({}),
    output: z.object({ ok: z.boolean() }),
    permission: 'content:read',
    set: 'core',
    effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    http: { method: 'get', path: `/${name}`, about: 'Does what a test wants.', answers: { 200: 'It is over.' } },
    example: { input: {}, output: { ok: true } },
    run: async (_, { signal }) => (await run(signal)) as { ok: boolean },
  });
}
