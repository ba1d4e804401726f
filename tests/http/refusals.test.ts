import { afterEach, expect, test } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { createOpenApiDocument } from '../../src/http/rest/openapi/openapi.ts';
import { operations } from '../../src/operations/index.ts';
import { openHttpServer, type AskOptions, type HttpTestServer } from '../support/http.ts';

const document = createOpenApiDocument(operations, { version: '1.2.3', baseUrl: '/' });
const requestId = '1f0c6a52-7c1b-4f0e-9a64-2f6d0c5b8e13';

const formWith = (text: string): AskOptions => ({
  method: 'POST',
  body: `--b\r\nContent-Disposition: form-data; name="text"\r\n\r\n${text}\r\n--b--\r\n`,
  headers: { 'content-type': 'multipart/form-data; boundary=b', 'idempotency-key': 'one' },
});

/** How to be refused in each of the ways that the document shows. */
const ways: Readonly<
  Record<
    string,
    { path: string; options?: AskOptions; scopes?: 'content:read'[]; before?: number; sentBefore?: AskOptions }
  >
> = {
  BadRequest: { path: '/content?limit=101' },
  Unauthorized: { path: '/content', options: { token: null } },
  Forbidden: {
    path: '/content',
    options: { method: 'POST', body: { url: 'https://example.com/' } },
    scopes: ['content:read'],
  },
  NotFound: { path: '/content/c_aaaaaaaaaaaaaaaa' },
  Conflict: { path: '/capture', options: formWith('Other words.'), sentBefore: formWith('Some words.') },
  MethodNotAllowed: { path: '/content', options: { method: 'PUT' } },
  PayloadTooLarge: { path: '/search', options: { method: 'POST', body: { query: 'x'.repeat(70_000) } } },
  UnsupportedMediaType: {
    path: '/search',
    options: { method: 'POST', body: 'query=x', headers: { 'content-type': 'text/plain' } },
  },
  TooManyRequests: { path: '/goals', before: 1 },
  ServerError: { path: '/goals' },
};

let testServer: HttpTestServer | undefined;
afterEach(() => testServer?.close());

test('every refusal in the document is tested', () => {
  expect(Object.keys(ways).sort()).toEqual(Object.keys(document.components.responses).sort());
});

test.each(Object.entries(document.components.responses))(
  "the example of %s matches the server's answer",
  async (name, about) => {
    const { path, options, scopes, before = 0, sentBefore } = ways[name]!;
    testServer = await openHttpServer({ embedder: 'none', rateLimitPerMinute: before === 0 ? 600 : before });
    if (name === 'ServerError') testServer.app.services.goals.list = () => Promise.reject(new Error('broken'));
    const token = scopes === undefined ? testServer.token : await testServer.createToken({ scopes });
    if (sentBefore !== undefined) await testServer.ask(path, { token, ...sentBefore });
    for (let time = 0; time < before; time += 1) await testServer.ask(path, { token });
    const answer = await testServer.ask(path, {
      token,
      ...options,
      headers: { 'x-request-id': requestId, ...options?.headers },
    });

    const { example } = about.content!['application/problem+json']!;
    // The seconds to wait are those of the clock.
    const timeless = (value: unknown) => JSON.parse(JSON.stringify(value).replace(/in \d+ s\./, 'in 12 s.')) as unknown;
    expect(timeless(answer.body)).toEqual(example);
    // Each header that is described is sent, and each that is sent is described.
    for (const header of Object.keys(document.components.headers))
      expect(answer.headers.has(header), header).toBe(about.headers?.[header] !== undefined);
    const { example: allow } = document.components.headers['Allow'] as { example: string };
    expect(answer.headers.get('allow')).toBe(name === 'MethodNotAllowed' ? allow : null);
  },
);

test('every refusal because of a temporary load says when to retry', async () => {
  testServer = await openHttpServer({ embedder: 'none' });
  const detail = 'So much is being searched that this search did not get its turn.';
  testServer.app.services.search.search = () => Promise.reject(new AppError('rate_limited', detail));
  const answer = await testServer.ask('/search', { method: 'POST', body: { query: 'tea' } });
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '5']);
  expect(answer.body).toMatchObject({ code: 'rate_limited', detail });
});
