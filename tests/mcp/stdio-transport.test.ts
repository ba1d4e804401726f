import { PassThrough } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { LineTransport } from '../../src/mcp/stdio-transport.ts';
import { createRequestThread } from '../../src/requests/request-thread.ts';
import { runs } from '../support/vitest/thorough.ts';
import { forAllAsync } from '../support/for-all.ts';

const requests = createRequestThread(1_000);
afterAll(() => requests.close());

async function open() {
  const input = new PassThrough();
  const output = new PassThrough();
  const taken: JSONRPCMessage[] = [];
  const errors: Error[] = [];
  const over = Promise.withResolvers<void>();
  const transport = new LineTransport(input, output, () => Promise.resolve(requests), over.resolve);
  Object.assign(transport, {
    onmessage: (message: JSONRPCMessage) => taken.push(message),
    onerror: (error: Error) => errors.push(error),
  });
  await transport.start();
  return {
    input,
    taken,
    errors,
    over: over.promise,
    transport,
    /** Sends the chunks, and answers what came back. */
    async say(...chunks: (string | Buffer)[]): Promise<unknown[]> {
      for (const chunk of chunks) input.write(chunk);
      await new Promise((resolve) => setImmediate(resolve));
      const text = String(output.read() ?? '');
      return text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as unknown);
    },
  };
}

test('messages arrive whole and in order, however the stream is cut into chunks', async () => {
  const anyMessage = fc.record({
    jsonrpc: fc.constant('2.0' as const),
    id: fc.integer(),
    method: fc.constantFrom('ping', 'tools/list'),
    params: fc.record({ text: fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()) }),
  });
  await forAllAsync(
    runs(100),
    fc.array(anyMessage, { maxLength: 5 }),
    fc.array(fc.nat(400)),
    fc.constantFrom('\n', '\r\n', '\n\n'),
    async (messages, cuts, lineEnd) => {
      const { say, taken, errors } = await open();
      const bytes = Buffer.from(messages.map((message) => JSON.stringify(message) + lineEnd).join(''));
      const at = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length].sort((a, b) => a - b);
      await say(...at.slice(1).map((end, index) => bytes.subarray(at[index], end)));
      expect(taken).toEqual(messages);
      expect(errors).toEqual([]);
    },
  );
});

describe('an invalid line', () => {
  const answered: [line: string, id: unknown, code: number][] = [
    ['hello', null, -32_700],
    ['{"jsonrpc":"2.0","id":1,', null, -32_700],
    ['[]', null, -32_600],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', null, -32_600],
    ['7', null, -32_600],
    ['null', null, -32_600],
    ['{}', null, -32_600],
    ['{"jsonrpc":"1.0","id":3,"method":"ping"}', 3, -32_600],
    ['{"jsonrpc":"2.0","id":"a","method":7}', 'a', -32_600],
    ['{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"_meta":{"progressToken":{}}}}', 4, -32_600],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', null, -32_600],
  ];
  test.each(answered)('%s is answered, and the next one is read', async (line, id, code) => {
    const { say, taken } = await open();
    const answers = await say(`${line}\n{"jsonrpc":"2.0","id":9,"method":"ping"}\n`);
    expect(answers).toEqual([{ jsonrpc: '2.0', id, error: { code, message: expect.any(String) } }]);
    expect(taken).toEqual([{ jsonrpc: '2.0', id: 9, method: 'ping' }]);
  });

  test.each([
    '',
    '   ',
    '{"jsonrpc":"2.0","method":"notifications/progress","params":7}',
    '{"jsonrpc":"2.0","id":{},"result":{}}',
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}',
  ])('%j gets no answer, because it expects none', async (line) => {
    const { say, taken } = await open();
    expect(await say(`${line}\n`)).toEqual([]);
    expect(taken).toEqual([]);
  });
});

test('a closed connection accepts and sends nothing more', async () => {
  const { say, taken, transport } = await open();
  await transport.close();
  await transport.close();
  expect(await say('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')).toEqual([]);
  expect(taken).toEqual([]);
  await expect(transport.send({ jsonrpc: '2.0', id: 1, result: {} })).rejects.toThrow('closed');
});
