import { hash } from 'node:crypto';
import { respond, type HttpContext } from './context.ts';
import { renderDocsPage } from './docs-page.ts';
import { createOpenApiDocument } from './openapi.ts';
import type { Mount } from './server.ts';

/** `/openapi.json` and `/docs`: for everybody, because they tell nothing of what is saved. */
export const mountDocs: Mount = (app, { config, operations, version }) => {
  const publicUrl = config.publicUrl.replace(/\/+$/, '');
  // Without an address of its own the server is where the document was got from.
  const document = createOpenApiDocument(operations, { version, baseUrl: publicUrl || '/' });
  let json: string | undefined;

  app.get('/openapi.json', (context) => {
    json ??= JSON.stringify(document, null, 2);
    return answerStatic(context, json, { 'Content-Type': 'application/json' });
  });
  app.get('/docs', (context) => {
    const { html, contentSecurityPolicy } = renderDocsPage(document, publicUrl || new URL(context.req.url).origin);
    return answerStatic(context, html, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': contentSecurityPolicy,
    });
  });
};

/** An answer that may be kept, and is asked about again by its tag. */
function answerStatic(context: HttpContext, body: string, headers: Readonly<Record<string, string>>): Response {
  const tag = `"${hash('sha256', body, 'base64url').slice(0, 27)}"`;
  const caching = { ETag: tag, 'Cache-Control': 'public, no-cache' };
  const unchanged = context.req.raw.headers.get('if-none-match') === tag;
  return unchanged ? respond(context, 304, null, caching) : respond(context, 200, body, { ...headers, ...caching });
}
