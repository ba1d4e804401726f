import { renderDocsPage } from './page.ts';
import { entityTag, respondTagged } from '../incoming/entity-tag.ts';
import { createOpenApiDocument } from '../openapi/openapi.ts';
import type { OpenApiDocument } from '../openapi/document.ts';
import { configuredAddress, createOwnAddress } from '../own-address.ts';
import type { Mount } from '../server.ts';

const caching = { 'Cache-Control': 'public, no-cache' };
/**
 * Maximum cached pages, one per address of this server. A client or proxy that invents addresses only makes pages
 * render again.
 */
const maxPages = 8;

interface Page {
  body: string;
  tag: string;
  contentSecurityPolicy: string;
}

/**
 * `/openapi.json` and `/docs`. They need no token, because they show no saved data. Both are built at the first
 * request.
 */
export const mountDocs: Mount = (app, { config, operations, version }) => {
  const baseOf = createOwnAddress(config);
  let document: OpenApiDocument | undefined;
  let json: { body: string; tag: string } | undefined;
  const pages = new Map<string, Page>();

  // `/` means the server that the document was loaded from.
  const describe = () =>
    (document ??= createOpenApiDocument(operations, { version, baseUrl: configuredAddress(config) || '/' }));
  const draw = (base: string): Page => {
    const { html, contentSecurityPolicy } = renderDocsPage(describe(), base);
    return { body: html, tag: entityTag(html), contentSecurityPolicy };
  };

  app.get('/openapi.json', (context) => {
    if (json === undefined) {
      const body = JSON.stringify(describe(), null, 2);
      json = { body, tag: entityTag(body) };
    }
    return respondTagged(context, json.body, json.tag, 'application/json', caching);
  });
  app.get('/docs', (context) => {
    const base = baseOf(context);
    const known = pages.get(base);
    const page = known ?? draw(base);
    if (known === undefined) {
      if (pages.size >= maxPages) pages.clear();
      pages.set(base, page);
    }
    return respondTagged(context, page.body, page.tag, 'text/html; charset=utf-8', {
      ...caching,
      'Content-Security-Policy': page.contentSecurityPolicy,
    });
  });
};
