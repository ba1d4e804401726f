import { createHash } from 'node:crypto';
import { parseHTML } from 'linkedom';
import { expect, test } from 'vitest';
import { renderDocsPage } from '../../src/http/docs/docs-page.ts';
import { createOpenApiDocument } from '../../src/http/rest/openapi/openapi.ts';
import { operations } from '../../src/operations/index.ts';
import { openHttpServer } from '../support/http.ts';
import { placedOperations } from '../support/api/openapi.ts';
import { mountDocs } from '../../src/http/docs/docs.ts';

const document = createOpenApiDocument(operations, { version: '1.2.3', baseUrl: 'https://library.test' });
const { html, contentSecurityPolicy } = renderDocsPage(document, 'https://library.test');
const page = parseHTML(html).document;

test('the page makes no requests and runs no script', () => {
  expect([
    ...page.querySelectorAll('script, link:not([rel=icon]), img, iframe, object, embed, [style], [src]'),
  ]).toEqual([]);
  expect(page.querySelector('link[rel=icon]')?.getAttribute('href')).toMatch(/^data:/);
  const style = page.querySelector('style')?.textContent ?? '';
  expect(style).not.toMatch(/url\(|@import/);
  expect(contentSecurityPolicy).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`);
  expect(contentSecurityPolicy).toContain("default-src 'none'");
});

test('every link of the page leads to an anchor on it, or to the document', () => {
  const targets = [...page.querySelectorAll('a')].map((link) => link.getAttribute('href') ?? '');
  expect(targets.length).toBeGreaterThan(30);
  for (const target of targets) {
    expect(target === '/openapi.json' || page.getElementById(target.slice(1)) !== null, target).toBe(true);
  }
  const ids = [...page.querySelectorAll('[id]')].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test.each(placedOperations(document).map((place) => [place.operation.operationId, place] as const))(
  '%s has a section with its description, a curl call and every status',
  (id, { method, path, operation }) => {
    const section = page.getElementById(id);
    const text = section?.textContent ?? '';
    expect(text).toContain(`${method.toUpperCase()} ${path}`);
    expect(text).toContain(operation.description.replaceAll('`', ''));
    expect(text).toContain(`curl `);
    expect(text).toContain(`https://library.test${path.split('{')[0]}`);
    for (const { name } of operation.parameters ?? []) expect(text).toContain(name);
    for (const status of Object.keys(operation.responses)) expect(text).toContain(status);
  },
);

test('markup in the document is shown as text', () => {
  const hostile = structuredClone(document);
  hostile.info.title = '<script>alert(1)</script>';
  hostile.paths['/goals']!['get']!.description = '`<img src=x onerror=alert(1)>` & "more"';
  const shown = parseHTML(renderDocsPage(hostile, 'https://library.test').html).document;
  expect(shown.querySelector('script, img')).toBeNull();
  expect(shown.querySelector('h1')?.textContent).toBe('<script>alert(1)</script> API');
  expect(shown.getElementById('listGoals')?.textContent).toContain('<img src=x onerror=alert(1)> & "more"');
});

test('the server shows the page and the document to everybody, and resends them only after a change', async () => {
  const testServer = await openHttpServer({ embedder: 'none' }, { mounts: [mountDocs] });
  try {
    const shown = await testServer.ask('/docs', { token: null });
    expect(shown.status).toBe(200);
    expect(shown.headers.get('content-security-policy')).toContain('style-src');
    expect(shown.text).toContain('curl &#39;http://localhost/content');
    const described = await testServer.ask('/openapi.json', { token: null });
    expect(described.body).toMatchObject({ openapi: '3.1.0', servers: [{ url: '/' }] });
    for (const { headers } of [shown, described]) expect(headers.get('cache-control')).toBe('public, no-cache');
    const again = await testServer.ask('/openapi.json', {
      token: null,
      headers: { 'if-none-match': described.headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
  } finally {
    await testServer.close();
  }
});
