import { createHash } from 'node:crypto';
import { parseHTML } from 'linkedom';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mountDocs, mountFrontPage, renderFrontPage } from '../../src/http/docs/docs.ts';
import { openHttpServer } from '../support/http.ts';

let testServer: Awaited<ReturnType<typeof openHttpServer>>;
beforeAll(async () => {
  testServer = await openHttpServer({ embedder: 'none' }, { mounts: [mountDocs, mountFrontPage] });
});
afterAll(() => testServer.close());

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

test('a browser without a token sees what this is and where to go', async () => {
  const answer = await testServer.ask('/', { token: null, headers: { accept: browser } });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(answer.headers.get('vary')).toBe('Accept');
  const page = parseHTML(answer.text).document;
  expect(page.querySelector('main')?.textContent).toContain('without a token');
  expect(page.querySelector('main')?.textContent).toContain('http://localhost/mcp');
  for (const link of page.querySelectorAll('a')) {
    const target = await testServer.ask(link.getAttribute('href') ?? '', { token: null });
    expect(target.status, link.getAttribute('href') ?? '').toBe(200);
  }
});

test('the page loads and runs nothing, and its headers forbid it', async () => {
  const answer = await testServer.ask('/', { token: null, headers: { accept: browser } });
  const page = parseHTML(answer.text).document;
  expect([...page.querySelectorAll('script, link:not([rel=icon]), img, iframe, form, [style], [src]')]).toEqual([]);
  const style = page.querySelector('style')?.textContent ?? '';
  expect(style).not.toMatch(/url\(|@import/);
  const policy = answer.headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`);
});

test('the page is resent only after a change, and HEAD gets its headers', async () => {
  const first = await testServer.ask('/', { token: null, headers: { accept: browser } });
  const etag = first.headers.get('etag') ?? '';
  const again = await testServer.ask('/', { token: null, headers: { accept: browser, 'if-none-match': etag } });
  expect(again.status).toBe(304);
  const head = await testServer.ask('/', { token: null, method: 'HEAD', headers: { accept: browser } });
  expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', etag]);
});

test.each([undefined, '*/*', 'application/json', 'application/json, text/html;q=0', 'text/htmlx'])(
  'a program that accepts %s gets JSON: 401 without a token, 404 with one',
  async (accept) => {
    const headers: Record<string, string> = accept === undefined ? {} : { accept };
    const refused = await testServer.ask('/', { token: null, headers });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('content-type')).toContain('application/problem+json');
    expect((await testServer.ask('/', { headers })).status).toBe(404);
  },
);

test('other methods find nothing at the page', async () => {
  const posted = await testServer.ask('/', { method: 'POST', headers: { accept: browser } });
  expect(posted.status).toBe(404);
  const unknown = await testServer.ask('/nothing', { token: null, headers: { accept: browser } });
  expect(unknown.status).toBe(401);
});

test("a client's address is shown as text on the page", () => {
  const page = parseHTML(renderFrontPage('http://x"><script>alert(1)</script>', '1')).document;
  expect(page.querySelector('script')).toBeNull();
});
