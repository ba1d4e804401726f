import type { Hono } from 'hono';
import { renderDocsPage } from './docs-page.ts';
import { entityTag, respondTagged } from '../rest/send.ts';
import { createOpenApiDocument, type OpenApiDocument } from '../rest/openapi/openapi.ts';
import { configuredAddress, createOwnAddress } from '../addresses.ts';
import { apiV1Prefix } from '../rest/routes.ts';
import { acceptsHtml, type HttpEnv } from '../context.ts';
import type { Mount, MountParts } from '../mount.ts';
import { type DocsMarkup, frontStyle, markup, policyFor } from './markup.ts';

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

const contentSecurityPolicy = policyFor(frontStyle);

/**
 * `/` for somebody who opens the server in a browser: what this is, and how to come in. Programs, which do not ask for
 * HTML, get the same JSON as from every other path that is not there.
 */
export const mountFrontPage: Mount = (app, { config, version }) => {
  const baseOf = createOwnAddress(config);
  // `all`, because a route for GET would make other methods 405 here, and `/` would seem to be part of the API.
  app.all('/', async (context, next) => {
    const { method, headers } = context.req.raw;
    const isRead = method === 'GET' || method === 'HEAD';
    if (!isRead || !acceptsHtml(headers.get('accept'))) return next();
    const html = renderFrontPage(baseOf(context), version, config.signIn !== 'off');
    return respondTagged(context, html, entityTag(html), {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'public, no-cache',
      Vary: 'Accept',
      'Content-Security-Policy': contentSecurityPolicy,
    });
  });
};

const tokenWords = markup`<h2>Your library</h2>
<p>On the machine where this server runs, this command opens it in the browser.</p>
<pre><code>commonplace open</code></pre>
<h2>A token</h2>
<p>Whoever runs this server makes it, on that machine. It is shown once.</p>
<pre><code>commonplace token create laptop</code></pre>`;

function signInWords(base: string): DocsMarkup {
  return markup`<p><a href="/app">Sign in</a> to read and search your library, and to say which assistants and programs may use it.</p>
<h2>An assistant that signs in</h2>
<p>claude.ai, ChatGPT, Claude Code and others take this address. They send you here to say what they may do.</p>
<pre><code>${base}/mcp</code></pre>`;
}

/** @param base where readers reach the server, e.g. `https://library.example.com` */
export function renderFrontPage(base: string, version: string, hasSignIn = false): string {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Commonplace</title>
<link rel="icon" href="data:,">
<style>${{ html: frontStyle }}</style>
</head>
<body>
<main>
<h1>Commonplace</h1>
<p>This server keeps what people saved (pages, videos, papers, notes) as libraries that their AI assistants read. There is nothing to see here
without ${hasSignIn ? 'an account' : 'a token'}: every account has its own library, and nobody sees anybody else’s.</p>
${hasSignIn ? signInWords(base) : tokenWords}
<h2>An assistant${hasSignIn ? ' that takes a token' : ''}</h2>
<p>On the machine where the assistant runs. The command reads the token from its input.</p>
<pre><code>commonplace setup --remote ${base}/mcp --token -</code></pre>
<h2>A program</h2>
<pre><code>curl ${base}/content -H "Authorization: Bearer $COMMONPLACE_TOKEN"</code></pre>
<p><a href="/docs">The documentation of the API</a> names every path, and <a href="/openapi.json">openapi.json</a> describes them to programs.</p>
<p class="soft">Version ${version}</p>
</main>
</body>
</html>
`.html;
}
