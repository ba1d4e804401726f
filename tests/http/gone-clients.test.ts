import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen, type Listening } from '../../src/http/listen.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { httpParts, openHttpServer, type HttpTestServer } from '../support/http.ts';

let testServer: HttpTestServer;
let listening: Listening;
let handled = 0;
const statuses = new Set<number>();

/** A server that looks at a request of a doomed client only when its connection has closed, as under load. */
beforeAll(async () => {
  testServer = await openHttpServer({ embedder: 'none', httpPort: 0, workers: 0, rateLimitPerMinute: 0 });
  const server = await createHttpServer(httpParts(testServer.app));
  const fetch: typeof server.app.fetch = async (request, env, context) => {
    const isDoomed = request.headers.has('x-doomed');
    if (isDoomed) {
      const { outgoing } = env as { outgoing: ServerResponse };
      outgoing.req.socket.destroy();
      await once(outgoing, 'close');
    }
    const answer = await server.app.fetch(request, env, context);
    if (isDoomed) {
      handled += 1;
      statuses.add(answer.status);
    }
    return answer;
  };
  const app = Object.assign(Object.create(server.app) as typeof server.app, { fetch });
  listening = await listen({ ...server, app }, testServer.app.config, testServer.app.log);
});
afterAll(async () => {
  await listening.close(AbortSignal.abort());
  await testServer.close();
});

async function leave(method: string, path: string, ...lines: string[]): Promise<void> {
  const socket = connect(Number(new URL(listening.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${testServer.token}`,
    'X-Doomed: yes',
  ];
  socket.write([...head, ...lines, '', ''].join('\r\n'));
  await once(socket, 'close');
}

const headers = () => ({ authorization: `Bearer ${testServer.token}`, 'content-type': 'application/json' });

test('requests of clients that left early are not answered and do not count as open', async () => {
  for (let batch = 0; batch < 10; batch += 1)
    await Promise.all(Array.from({ length: 30 }, () => leave('GET', '/content')));
  await expect.poll(() => handled).toBe(300);
  expect([...statuses]).toEqual([499]);
  const answer = await fetch(`${listening.url}/content`, { headers: headers() });
  expect(answer.status).toBe(200);
});

test('announced bodies of clients that left early do not occupy memory', async () => {
  handled = 0;
  const lines = ['Content-Type: application/json', 'Content-Length: 9000000'];
  for (let sent = 0; sent < 12; sent += 1) await leave('POST', '/content', ...lines);
  await expect.poll(() => handled).toBe(12);
  const text = 'Rain falls on the garden. '.repeat(80_000);
  const body = JSON.stringify({ url: 'https://example.com/long', title: 'Long', text });
  const answer = await fetch(`${listening.url}/content`, { method: 'POST', headers: headers(), body });
  expect(answer.status).toBe(201);
});
