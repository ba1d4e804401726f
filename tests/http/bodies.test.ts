import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { listen, type Listening } from '../../src/http/listen.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { operations } from '../../src/operations/index.ts';
import { defineOperation } from '../../src/operations/operation.ts';
import { httpParts, openHttpServer, type HttpTestServer } from '../support/http.ts';

const megabyte = 2 ** 20;

/** What a call of `answer_much` waits for, given how many have begun before it. */
let begun = 0;
let gate = (_before: number): Promise<void> => Promise.resolve();

/** Answers with as many megabytes as it is asked for. */
const answerMuch = defineOperation({
  name: 'answer_much',
  title: 'Answer much',
  description: 'Answers much.',
  input: z.strictObject({ megabytes: z.int() }),
  output: z.object({ text: z.string() }),
  permission: 'content:read',
  set: 'core',
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  http: { method: 'get', path: '/much', about: 'Answers much.', answers: { 200: 'Much.' } },
  example: { input: { megabytes: 1 }, output: { text: 'a' } },
  run: async ({ megabytes }) => {
    begun += 1;
    await gate(begun - 1);
    return { text: 'a'.repeat(megabytes * megabyte) };
  },
});

let testServer: HttpTestServer;
let listening: Listening;
let otherToken: string;
/** Of three further accounts. */
let busyTokens: string[];

beforeAll(async () => {
  testServer = await openHttpServer({ embedder: 'none', httpPort: 0, workers: 0 });
  const server = await createHttpServer({ ...httpParts(testServer.app), operations: [...operations, answerMuch] });
  listening = await listen(server, testServer.app.config, testServer.app.log);
  const other = await testServer.app.access.addAccount('other', 'pro');
  otherToken = await testServer.createToken({ account: other.id });
  busyTokens = await Promise.all(
    ['one', 'two', 'three'].map(async (name) => {
      const { id } = await testServer.app.access.addAccount(name, 'pro');
      return testServer.createToken({ account: id });
    }),
  );
});
afterAll(async () => {
  await listening.close(AbortSignal.abort());
  await testServer.close();
});

function head(method: string, path: string, token: string | null, ...lines: string[]): string {
  const authorization = token === null ? [] : [`Authorization: Bearer ${token}`];
  return [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', ...authorization, ...lines, '', ''].join('\r\n');
}

const json = 'Content-Type: application/json';
const announced = (bytes: number) => `Content-Length: ${bytes}`;

/** A connection on which nothing is read until it is asked for. */
function open(bytes: string): Socket {
  const socket = connect(Number(new URL(listening.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(bytes);
  return socket;
}

/** What comes until a text like this, or the end. */
async function readUntil(socket: Socket, pattern: RegExp): Promise<string> {
  let text = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    if (pattern.test(text)) break;
  }
  return text;
}

const wholeProblem = /\r\n\r\n\{.*\}$/s;

async function status(path: string, token: string): Promise<number> {
  const response = await fetch(listening.url + path, { headers: { authorization: `Bearer ${token}` } });
  await response.body?.cancel();
  return response.status;
}

describe('a body that is too much is refused while it is read', () => {
  test.each<[name: string, path: string, bytes: number, begin: string, status: number]>([
    ['too deep', '/content', 9_000_000, `{"url":${'['.repeat(40)}`, 400],
    ['too wide', '/search', 60_000, `{${'"a":1,'.repeat(3_000)}`, 400],
    ['announced too large', '/search', 70_000, '', 413],
  ])('%s', async (_, path, bytes, begin, expected) => {
    // The rest never comes.
    const socket = open(head('POST', path, testServer.token, json, announced(bytes)) + begin);
    const text = await readUntil(socket, wholeProblem);
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${expected} `));
    expect(text.toLowerCase()).toContain('connection: close');
    socket.resume();
    await once(socket, 'close');
  });

  test('sent byte by byte', async () => {
    const lines = head('POST', '/content', testServer.token, json, 'Transfer-Encoding: chunked');
    const socket = open(lines + '1\r\n \r\n'.repeat(12_000));
    expect(await readUntil(socket, wholeProblem)).toMatch(/^HTTP\/1.1 400 .*small pieces/s);
    socket.destroy();
  });

  test('nothing of a body is requested before the token is known', async () => {
    const body = [json, announced(1_000), 'Expect: 100-continue'];
    const stranger = open(head('POST', '/content', null, ...body));
    expect(await readUntil(stranger, wholeProblem)).toMatch(/^HTTP\/1.1 401 /);
    stranger.destroy();
    const known = open(head('POST', '/content', testServer.token, ...body));
    expect(await readUntil(known, /\r\n\r\n/)).toMatch(/^HTTP\/1.1 100 /);
    known.destroy();
  });
});

test.each([
  [
    'many unknown fields',
    `{"url":"https://example.com/",${Array.from({ length: 2_000 }, (_, i) => `"k${i}":0`).join()}}`,
  ],
  ['a large one', `{"url":"https://example.com/","text":"${'a'.repeat(2 << 20)}","${'k'.repeat(2 << 20)}":1}`],
  [
    'many bad captions',
    JSON.stringify({ url: 'https://example.com/', captions: Array.from({ length: 100_000 }, () => ({ start: -1 })) }),
  ],
  ['a prototype', '{"url":"https://example.com/","__proto__":{"tags":["a"]}}'],
  ['what stands for a large value inside the program', '{"url":"https://example.com/","text":{"json":{"0":34}}}'],
])('a body with %s is refused briefly', async (_, body) => {
  const answer = await testServer.ask('/content', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  });
  expect(answer.status).toBe(400);
  expect(answer.text.length).toBeLessThan(5_000);
});

describe('incomplete request bodies', () => {
  /** Told to go on, it is counted. */
  const begin = [json, announced(10 * megabyte), 'Expect: 100-continue'];

  test('are limited per account by their announced size, and other accounts are served', async () => {
    const held: Socket[] = [];
    let text = '';
    while (!text.includes(' 429 ') && held.length < 10) {
      const socket = open(head('POST', '/content', testServer.token, ...begin));
      held.push(socket);
      text = await readUntil(socket, /\r\n\r\n/);
    }
    expect(held.length).toBe(5);
    expect(text).toMatch(/^HTTP\/1.1 429 .*retry-after: 2/is);
    const body = JSON.stringify({ url: 'https://example.com/other', text: 'a word '.repeat(megabyte) });
    const options = {
      method: 'POST',
      headers: { authorization: `Bearer ${otherToken}`, 'content-type': 'application/json' },
      body,
    };
    expect((await fetch(`${listening.url}/content`, options)).status).toBe(201);
    for (const socket of held) {
      socket.destroy();
    }
    // The server hears of the last one a moment later.
    const own = { ...options, headers: { ...options.headers, authorization: `Bearer ${testServer.token}` } };
    while ((await fetch(`${listening.url}/content`, own)).status === 429);
    expect((await fetch(`${listening.url}/content`, own)).status).toBe(200);
  });

  test('of three accounts prevent no other from sending small ones', async () => {
    const held: Socket[] = [];
    // 96 MB are taken together.
    for (const megabytes of [10, 10, 10, 2]) {
      for (const token of busyTokens) {
        const lines = [json, announced(megabytes * megabyte), 'Expect: 100-continue'];
        held.push(open(head('POST', '/content', token, ...lines)));
        expect(await readUntil(held.at(-1) as Socket, /\r\n\r\n/)).toMatch(/^HTTP\/1.1 100 /);
      }
    }
    const send = async (url: string, more: object) => {
      const headers = { authorization: `Bearer ${otherToken}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ url, ...more });
      return (await fetch(`${listening.url}/content`, { method: 'POST', headers, body })).status;
    };
    expect(await send('https://example.com/little', {})).toBe(201);
    expect(await send('https://example.com/much', { text: 'a word '.repeat(megabyte) })).toBe(429);
    for (const socket of held) socket.destroy();
  });
});

describe('answers that a client does not read', () => {
  test('block further requests of their account, but not of others', async () => {
    const sockets: Socket[] = [];
    let last = 200;
    while (last === 200 && sockets.length < 40) {
      sockets.push(open(head('GET', '/much?megabytes=12', testServer.token)));
      last = await status('/much?megabytes=0', testServer.token);
    }
    expect(last).toBe(429);
    expect(await status('/much?megabytes=0', otherToken)).toBe(200);
    for (const socket of sockets) socket.destroy();
    while ((await status('/much?megabytes=0', testServer.token)) === 429);
    expect(await status('/much?megabytes=0', testServer.token)).toBe(200);
  });

  test('are limited although all were requested before the first one was ready', async () => {
    const { promise: all, resolve } = Promise.withResolvers<void>();
    begun = 0;
    // As a database answers: one after the other.
    gate = async (before) => {
      await all;
      for (let turn = 0; turn < before; turn += 1) await new Promise((next) => setImmediate(next));
    };
    const sockets = Array.from({ length: 12 }, () => open(head('GET', '/much?megabytes=12', testServer.token)));
    await expect.poll(() => begun).toBe(12);
    resolve();
    const statuses = await Promise.all(
      sockets.map(async (socket) => {
        const [first] = (await once(socket, 'data')) as [Buffer];
        socket.pause();
        return first.toString('latin1').split(' ')[1];
      }),
    );
    expect(statuses.filter((one) => one === '200').length).toBeLessThan(8);
    expect(new Set(statuses)).toEqual(new Set(['200', '429']));
    gate = () => Promise.resolve();
    for (const socket of sockets) socket.destroy();
    while ((await status('/much?megabytes=0', testServer.token)) === 429);
  });

  test('of three accounts block no other', async () => {
    const sockets: Socket[] = [];
    for (const token of busyTokens) {
      while ((await status('/much?megabytes=0', token)) === 200)
        sockets.push(open(head('GET', '/much?megabytes=12', token)));
    }
    expect(await status('/much?megabytes=0', otherToken)).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  test('pipelined requests on one connection are answered in order, up to a limit', async () => {
    const few = open(
      head('GET', '/much?megabytes=0', testServer.token).repeat(10) + head('GET', '/health', null, 'Connection: close'),
    );
    const text = await readUntil(few, /"status":"ok"/);
    expect(text.match(/HTTP\/1\.1 200 /g)?.length).toBe(11);
    const many = open(head('GET', '/much?megabytes=1', testServer.token).repeat(200));
    many.resume();
    await once(many, 'close');
    expect(await status('/much?megabytes=0', testServer.token)).toBe(200);
  });
});
