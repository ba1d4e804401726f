import { renderDocsPage } from './docs-page.ts';
import { entityTag, respondTagged } from '../rest/send.ts';
import { createOpenApiDocument, type OpenApiDocument } from '../rest/openapi/openapi.ts';
import { configuredAddress, createOwnAddress } from '../own-address.ts';
import type { Hono } from 'hono';
import { apiV1Prefix } from '../rest/routes.ts';
import type { HttpEnv } from '../context.ts';
import type { Mount, MountParts } from '../mount.ts';

const caching = { 'Cache-Control': 'public, no-cache' };
/**
 * Maximum cached pages, one per address of this server. A client or proxy that invents addresses only makes pages
 * render again.
 */
const maxPages = 8;

interface ServedDocs {
  body: string;
  tag: string;
  contentSecurityPolicy: string;
}

/**
 * `/openapi.json` and `/docs`, and the same under /api/v1 when that is on. They need no token, because they show no saved
 * data. All are built at the first request.
 */
export const mountDocs: Mount = (app, parts) => {
  const baseUrl = configuredAddress(parts.config) || '/';
  const { version, operations } = parts;
  for (const isApiV1 of parts.config.apiV1 ? [false, true] : [false]) {
    const describe = () => createOpenApiDocument(operations, { version, baseUrl, isApiV1 });
    addDocs(app, isApiV1 ? apiV1Prefix : '', describe, parts);
  }
};

/** @param describe where the address is not configured, `/` in the document means the server that it was loaded from */
function addDocs(app: Hono<HttpEnv>, prefix: string, describe: () => OpenApiDocument, { config }: MountParts): void {
  const baseOf = createOwnAddress(config);
  let document: OpenApiDocument | undefined;
  let json: { body: string; tag: string } | undefined;
  const pages = new Map<string, ServedDocs>();

  const draw = (base: string): ServedDocs => {
    const { html, contentSecurityPolicy } = renderDocsPage((document ??= describe()), base);
    return { body: html, tag: entityTag(html), contentSecurityPolicy };
  };

  app.get(`${prefix}/openapi.json`, (context) => {
    if (json === undefined) {
      const body = JSON.stringify((document ??= describe()), null, 2);
      json = { body, tag: entityTag(body) };
    }
    return respondTagged(context, json.body, json.tag, caching);
  });
  app.get(`${prefix}/docs`, (context) => {
    const base = baseOf(context);
    const known = pages.get(base);
    const page = known ?? draw(base);
    if (known === undefined) {
      if (pages.size >= maxPages) pages.clear();
      pages.set(base, page);
    }
    return respondTagged(context, page.body, page.tag, {
      'Content-Type': 'text/html; charset=utf-8',
      ...caching,
      'Content-Security-Policy': page.contentSecurityPolicy,
    });
  });
}
