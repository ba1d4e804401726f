import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { listen, type ArrivalLimits, type Listening } from '../../src/http/listen.ts';
import { mounts } from '../../src/http/listen.ts';
import { createHttpServer } from '../../src/http/server.ts';
import type { HttpParts } from '../../src/http/mount.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { okOperation } from '../support/api/operations.ts';
import { httpParts, openHttpServer, type HttpTestServer } from '../support/http.ts';

let testServer: HttpTestServer;
let listening: Listening;
const agents: Agent[] = [];
const never = new AbortController().signal;

/** An operation that answers when it is told to, and tells when it began and whether it was aborted. */
function slowOperation() {
  const begun = Promise.withResolvers<AbortSignal>();
  const end = Promise.withResolvers<void>();
  const operation = okOperation('wait', async (signal) => {
    begun.resolve(signal);
    await end.promise;
    return { ok: true };
  });
  return { operation, begun: begun.promise, end: end.resolve };
}

async function start(
  settings: Record<string, unknown> = {},
  operations?: Operation[],
  onLine?: (fields: Record<string, unknown>) => void,
  arrival?: ArrivalLimits,
  mounts?: HttpParts['mounts'],
) {
  testServer = await openHttpServer({ embedder: 'none', httpPort: 0, ...settings });
  const { log } = testServer.app;
  const parts = {
    ...httpParts(testServer.app),
    ...(operations !== undefined && { operations }),
    ...(mounts !== undefined && { mounts }),
    ...(onLine !== undefined && { log: Object.assign(Object.create(log) as typeof log, { info: onLine }) }),
  };
  listening = await listen(await createHttpServer(parts), testServer.app.config, testServer.app.log, arrival);
}

afterEach(async () => {
  await listening.close(AbortSignal.abort());
  await testServer.close();
  for (const agent of agents.splice(0)) agent.destroy();
});

/** Asks over a connection that is kept. */
function ask(
  path: string,
  agent?: Agent,
): { answer: Promise<{ message: IncomingMessage; text: string }>; abort: () => void } {
  const asking = httpRequest(listening.url + path, {
    ...(agent !== undefined && { agent }),
    headers: { authorization: `Bearer ${testServer.token}` },
  });
  const answer = new Promise<{ message: IncomingMessage; text: string }>((resolve, reject) => {
    asking.on('error', reject);
    asking.on('response', async (message) => {
      let text = '';
      for await (const chunk of message) text += String(chunk);
      resolve({ message, text });
    });
  });
  asking.end();
  return { answer, abort: () => asking.destroy() };
}

function keepAlive(): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  agents.push(agent);
  return agent;
}

/** Everything that comes back to these bytes until the connection ends. */
async function raw(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(listening.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(bytes);
  let text = '';
  socket.on('data', (chunk) => (text += String(chunk)));
  await once(socket, 'close');
  return text;
}

test('a stopping server finishes open requests, accepts no new ones, and closes idle connections', async () => {
  const slow = slowOperation();
  await start({}, [slow.operation]);
  const idle = keepAlive();
  expect((await ask('/health', idle).answer).message.statusCode).toBe(200);
  const { answer } = ask('/wait', keepAlive());
  await slow.begun;
  const closed = listening.close(never);
  await expect(ask('/health').answer).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  slow.end();
  const { message, text } = await answer;
  expect(message.statusCode).toBe(200);
  expect(text).toBe('{"ok":true}');
  await closed;
});

test.each([
  ['after the grace period', { shutdownGraceSeconds: 0.05 }, never],
  ['at once when somebody insists', { shutdownGraceSeconds: 3_600 }, AbortSignal.abort()],
])('stopping does not wait forever: %s', async (_, settings, atOnce) => {
  const slow = slowOperation();
  await start(settings, [slow.operation]);
  const { answer } = ask('/wait');
  const failed = answer.then(
    () => null,
    (error: unknown) => error,
  );
  const signal = await slow.begun;
  await listening.close(atOnce);
  expect(await failed).toMatchObject({ code: 'ECONNRESET' });
  if (!signal.aborted) await once(signal, 'abort');
  slow.end();
});

test('a client that disconnects aborts its call', async () => {
  const slow = slowOperation();
  await start({}, [slow.operation]);
  const { answer, abort } = ask('/wait');
  const gone = answer.then(
    () => null,
    (error: unknown) => error,
  );
  const signal = await slow.begun;
  const aborted = once(signal, 'abort');
  abort();
  await aborted;
  expect(await gone).toBeInstanceOf(Error);
  slow.end();
});

test.each([
  ['no HTTP', 'hello\r\n\r\n', '400'],
  ['no Host', 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n', '400'],
  ['another Host', 'GET /health HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n', '400'],
  ['a Host that is none', 'GET /health HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', '400'],
  [
    'another Host behind a whole address',
    'GET http://localhost/health HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
    '400',
  ],
  [
    'an address on another host than Host',
    'GET http://evil.example/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    '400',
  ],
  [
    'an expectation that is none',
    'GET /health HTTP/1.1\r\nHost: localhost\r\nExpect: miracles\r\nConnection: close\r\n\r\n',
    '417',
  ],
  ['a backslash in the path', 'GET /a\\b HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', '400'],
  ['endless headers', `GET /health HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, '431'],
  [
    'two lengths',
    'POST /content HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    '400',
  ],
  [
    'a length and chunks',
    'POST /content HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    '400',
  ],
])('%s is refused with a problem', async (_, bytes, status) => {
  await start();
  const answer = await raw(bytes);
  expect(answer.split(' ')[1]).toBe(status);
  expect(answer).toContain('application/problem+json');
  expect(answer).toContain(`"status":${status}`);
});

test("an absolute address is accepted in place of a path when it is the server's own", async () => {
  await start();
  for (const host of ['localhost', 'LOCALHOST:80', '127.0.0.1:7878']) {
    const answer = await raw(`GET http://${host}/health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
  }
});

test("an incomplete body is the sender's fault, and logged as such", async () => {
  const statuses: unknown[] = [];
  const logged = Promise.withResolvers<void>();
  await start({}, undefined, (fields) => {
    statuses.push(fields['status']);
    if (statuses.length === 2) logged.resolve();
  });
  const head = `POST /search HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${testServer.token}\r\nContent-Type: application/json\r\n`;
  await raw(`${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"que\r\nzz\r\n`);
  const socket = connect(Number(new URL(listening.url).port), '127.0.0.1');
  socket.end(`${head}Content-Length: 50\r\n\r\n{"query"`);
  await logged.promise;
  socket.destroy();
  expect(statuses).toEqual([499, 499]);
});

test('a body that is too large is refused before it has arrived, and the connection closes', async () => {
  await start();
  const head = `POST /search HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${testServer.token}\r\nContent-Type: application/json\r\n`;
  for (const rest of [
    'Content-Length: 10000000\r\n\r\n{',
    `Transfer-Encoding: chunked\r\n\r\n11170\r\n${'x'.repeat(70_000)}\r\n`,
  ]) {
    expect(await raw(head + rest)).toMatch(/^HTTP\/1.1 413 /);
  }
});

test('an imported file may take longer to arrive than other requests', async () => {
  await start({ apiV1: true }, undefined, undefined, { headersMs: 50, requestMs: 100, checkMs: 20 }, mounts);
  const port = Number(new URL(listening.url).port);
  const head = (path: string) =>
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${testServer.token}\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: 40\r\n\r\n`;
  const file = connect(port, '127.0.0.1');
  let answer = '';
  file.on('data', (bytes) => (answer += bytes.toString()));
  file.write(`${head('/api/v1/imports')}https://example.com/`);
  // A body of another route, sent after it, is late by now.
  const other = connect(port, '127.0.0.1');
  other.write(`${head('/content')}{`);
  other.resume();
  await once(other, 'close');
  file.write('a-page-of-importance');
  await once(file, 'close');
  expect(answer).toMatch(/^HTTP\/1\.1 201 /);
});

test('under load, a stopping server answers open requests on kept connections and cuts none', async () => {
  await start();
  const ends: string[] = [];
  const busy = Promise.withResolvers<void>();
  let answered = 0;
  const client = async (): Promise<void> => {
    const agent = keepAlive();
    for (;;) {
      try {
        const { message } = await ask('/health', agent).answer;
        expect(message.statusCode).toBe(200);
        answered += 1;
        if (answered === 100) busy.resolve();
      } catch (error) {
        ends.push((error as NodeJS.ErrnoException).code ?? String(error));
        return;
      }
    }
  };
  const clients = Array.from({ length: 8 }, client);
  await busy.promise;
  await Promise.all([listening.close(never), ...clients]);
  expect(ends).toEqual(Array.from({ length: 8 }, () => 'ECONNREFUSED'));
});

test('a port that is in use is reported', async () => {
  await start();
  const httpPort = Number(new URL(listening.url).port);
  const server = await createHttpServer(httpParts(testServer.app));
  await expect(listen(server, { ...testServer.app.config, httpPort }, testServer.app.log)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining(String(httpPort)),
  });
});

test.each([
  ['headers', { headersMs: 50, requestMs: 60_000, checkMs: 20 }, () => ''],
  [
    'body',
    { headersMs: 50, requestMs: 100, checkMs: 20 },
    (token: string) =>
      `Authorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"url":`,
  ],
])(
  'a request whose %s do not arrive in time is answered and closed, and others are served',
  async (_, arrival, rest) => {
    await start({}, undefined, undefined, arrival);
    const { hostname, port } = new URL(listening.url);
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.on('data', (bytes) => (answer += bytes.toString()));
    socket.write(`POST /content HTTP/1.1\r\nHost: ${hostname}\r\n${rest(testServer.token)}`);
    await once(socket, 'close');
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('The request did not arrive in time.');
    expect((await ask('/health').answer).message.statusCode).toBe(200);
  },
);
