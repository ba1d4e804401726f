import { expect, test } from 'vitest';
import { inputSchema } from '../../src/operations/call.ts';
import { operations } from '../../src/operations/index.ts';
import { pageOperations } from '../../src/operations/page.ts';

test.each(pageOperations.map((operation) => [operation.name, operation] as const))(
  '%s is only for the page, and its example is valid',
  (name, operation) => {
    expect(operations.map((other) => other.name)).not.toContain(name);
    expect([operation.set, operation.http, operation.apiV1, operation.cli]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    const { input, output } = operation.example;
    expect(inputSchema(operation, 'page').safeParse(input).error).toBeUndefined();
    expect(operation.output.safeParse(output)).toMatchObject({ success: true, data: output });
  },
);
