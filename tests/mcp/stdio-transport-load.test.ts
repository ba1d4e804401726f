import { PassThrough } from 'node:stream';
import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/server';
import { afterAll, describe, expect, test } from 'vitest';
import { LargeValue } from '../../src/domain/json/large-value.ts';
import { LineTransport } from '../../src/mcp/stdio-transport.ts';
import { createRequestThread } from '../../src/requests/request-thread.ts';

const requests = createRequestThread(1_000);
afterAll(() => requests.close());

async function open() {
  const input = new PassThrough();
  const output = new PassThrough();
  const taken: JSONRPCMessage[] = [];
  let onTaken: () => void = () => undefined;
  const transport = new LineTransport(
    input,
    output,
    () => Promise.resolve(requests),
    () => undefined,
  );
  Object.assign(transport, {
    onmessage: (message: JSONRPCMessage) => {
      taken.push(message);
      onTaken();
    },
  });
  await transport.start();
  return {
    input,
    output,
    taken,
    transport,
    say: (...lines: string[]) => input.write(lines.map((line) => `${line}\n`).join('')),
    until: async (count: number) => {
      while (taken.length < count) await new Promise<void>((resolve) => (onTaken = resolve));
    },
    answers: () =>
      String(output.read() ?? '')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as { id: unknown; error?: { code: number } }),
  };
}

const ping = (id: number | string) => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' });
const settled = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));

describe('an oversized line is answered, and the next one is read', () => {
  const deep = '['.repeat(1_000);
  const wide = `{${Array.from({ length: 600_000 }, (_, index) => `"k${index}":0`).join()}}`;
  test.each<[name: string, line: string, id: unknown]>([
    ['too long', `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":"${'a'.repeat(33 << 20)}"}}`, 7],
    ['too long, the id behind it', `{"jsonrpc":"2.0","params":{"a":"${'a'.repeat(33 << 20)}"},"id":7}`, null],
    ['too long, of one letter', 'a'.repeat(33 << 20), null],
    ['too deep', `{"jsonrpc":"2.0", "id" : "one" ,"method":"ping","params":{"a":${deep}}}`, 'one'],
    ['too deep, with an id that is none', `{"jsonrpc":"2.0","id":{"id":3},"params":{"a":${deep}}}`, null],
    ['too wide', `{"jsonrpc":"2.0","method":"ping","id":-3,"params":{"_meta":${wide}}}`, -3],
  ])('%s', async (_, line, id) => {
    const { say, until, answers, taken } = await open();
    say(line, ping('next'));
    await until(1);
    expect(answers()).toEqual([{ jsonrpc: '2.0', id, error: { code: -32_600, message: expect.any(String) } }]);
    expect(taken).toEqual([{ jsonrpc: '2.0', id: 'next', method: 'ping' }]);
  });
});

test('a large text arrives as bytes that this thread has not parsed', async () => {
  const { say, until, taken } = await open();
  const params = { name: 'save_content', arguments: { url: 'https://example.com/', text: 'é"\n'.repeat(2_000_000) } };
  say(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
  await until(1);
  const { arguments: given } = (taken[0] as JSONRPCRequest).params as { arguments: Record<string, unknown> };
  expect(given['url']).toBe('https://example.com/');
  expect(given['text']).toBeInstanceOf(LargeValue);
  expect(JSON.parse(Buffer.from((given['text'] as LargeValue).json).toString())).toBe(params.arguments.text);
});

test('other calls must not be large', async () => {
  const { say, until, answers } = await open();
  const params = { name: 'search', arguments: { query: 'a'.repeat(2 << 20) } };
  say(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }), ping('next'));
  await until(1);
  expect(answers()).toMatchObject([{ id: 1, error: { code: -32_600 } }]);
});

describe('a client that sends faster than it gets answers', () => {
  test('has at most 64 open calls, whatever their ids, and loses none of the others', async () => {
    const { say, until, taken, transport, output } = await open();
    output.resume();
    say(...Array.from({ length: 200 }, (_, index) => ping(index % 2)));
    await until(64);
    for (let turn = 0; turn < 20; turn += 1) await settled();
    expect(taken.length).toBe(64);
    for (let answered = 0; answered < 200; answered += 1) {
      await until(Math.min(200, answered + 64));
      await transport.send({ jsonrpc: '2.0', id: answered % 2, result: {} });
    }
    expect(taken.length).toBe(200);
  });

  test('continues when a call is cancelled, which gets no answer', async () => {
    const { say, until, taken } = await open();
    const cancel = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 0 } });
    say(...Array.from({ length: 63 }, (_, index) => ping(index)), cancel, ping('a'), ping('b'));
    await until(66);
    expect(taken.length).toBe(66);
  });

  test('and does not read has a bounded backlog, which it gets when it reads', async () => {
    const { say, transport, taken, until, output } = await open();
    const big = 'x'.repeat(1 << 20);
    for (let id = 0; id < 200; id += 1) say(ping(id));
    let answered = 0;
    for (; ; answered += 1) {
      await settled();
      if (answered === taken.length) break;
      void transport.send({ jsonrpc: '2.0', id: answered, result: { big } });
    }
    // Each answered call lets one more in, until the answers that wait fill the room: 8 MB, and what was under way.
    expect(answered).toBeLessThan(80);
    output.resume();
    await until(answered + 1);
    expect(taken.length).toBeGreaterThan(answered);
  });
});
