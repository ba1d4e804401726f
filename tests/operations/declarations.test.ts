import { expect, test } from 'vitest';
import { z } from 'zod';
import { bareSchema, descriptionOf } from '../../src/operations/fields.ts';
import { inputSchema } from '../../src/operations/call.ts';
import { operations } from '../../src/operations/index.ts';

const named = operations.map((operation) => [operation.name, operation] as const);

test('names and commands are unique', () => {
  const names = operations.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const commands = operations.flatMap(({ cli }) => (cli === undefined ? [] : [cli.command.replace(/ <.*/, '')]));
  expect(new Set(commands).size).toBe(commands.length);
});

test.each(named)('%s: its example is a valid call and answer', (_, { input, assistant, output, example }) => {
  expect(input.extend({ ...assistant?.input }).safeParse(example.input).error).toBeUndefined();
  for (const answer of [example.output, ...(example.otherOutputs ?? [])]) {
    // Fields that the schema does not know would be stripped.
    expect(output.parse(answer)).toEqual(answer);
  }
});

/** The paths of all inputs, also of those inside others, and their descriptions. */
function described(schema: z.ZodObject, path = ''): [path: string, words: string | undefined][] {
  return Object.entries(schema.shape).flatMap(([name, field]) => {
    const inner = bareSchema(field as z.ZodType);
    const own: [string, string | undefined] = [`${path}${name}`, descriptionOf(field as z.ZodType)];
    return inner instanceof z.ZodObject ? [own, ...described(inner, `${own[0]}.`)] : [own];
  });
}

test.each(named.filter(([, { http, cli }]) => http !== undefined || cli !== undefined))(
  '%s: every input has a description for people',
  (_, operation) => {
    for (const face of ['rest', 'cli'] as const) {
      for (const [path, words] of described(inputSchema(operation, face))) expect(words, path).toMatch(/^.+\.$/);
    }
  },
);

test.each(named.flatMap(([name, { cli, example }]) => (cli === undefined ? [] : [[name, cli, example] as const])))(
  '%s prints each of its example answers',
  (_, cli, example) => {
    for (const answer of [example.output, ...(example.otherOutputs ?? [])])
      expect(cli.print(answer as never).length).toBeGreaterThan(0);
  },
);
