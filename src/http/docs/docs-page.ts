import { curlCommand } from './curl.ts';
import { markup, paragraphs, words, type DocsMarkup } from './markup.ts';
import { fieldRows, fieldTable, typeWords } from './schema.ts';
import { docsStyle, policyFor } from './style.ts';
import type { ApiOperation, OpenApiDocument } from '../rest/openapi/document.ts';
import type { ApiResponse } from '../rest/openapi/document.ts';

export interface DocsPage {
  html: string;
  /** The Content-Security-Policy header for the page: it loads nothing, and its only style is allowed by hash. */
  contentSecurityPolicy: string;
}

/**
 * Renders the document as an HTML page without scripts or external requests.
 * @param base where readers reach the server, e.g. `https://library.example.com`
 */
export function renderDocsPage(document: OpenApiDocument, base: string): DocsPage {
  const { title, version, summary, description } = document.info;
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} API</title>
<link rel="icon" href="data:,">
<style>${{ html: docsStyle }}</style>
</head>
<body>
<nav aria-label="Contents"><a class="skip" href="#content">To the content</a>${contents(document)}</nav>
<main id="content">
<h1>${title} API</h1>
<p class="soft">${summary} Version ${version}. <a href="/openapi.json">openapi.json</a></p>
${paragraphs(description)}
${document.tags.map((tag) => tagSection(document, tag, base))}
${refusalSection(document)}
${schemaSection(document)}
</main>
</body>
</html>
`;
  return {
    html: page.html,
    contentSecurityPolicy: policyFor(docsStyle),
  };
}

interface Endpoint {
  method: string;
  path: string;
  operation: ApiOperation;
}

function endpointsOf(document: OpenApiDocument, tag: string): Endpoint[] {
  return Object.entries(document.paths)
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ method, path, operation })))
    .filter(({ operation }) => operation.tags.includes(tag));
}

function contents(document: OpenApiDocument): DocsMarkup {
  return markup`${document.tags.map(
    ({ name }) =>
      markup`<section><strong>${name}</strong><ul>${endpointsOf(document, name).map(
        ({ operation }) => markup`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`,
      )}</ul></section>`,
  )}<section><strong>Reference</strong><ul><li><a href="#refusals">Refusals</a></li><li><a href="#schemas">Schemas</a></li></ul></section>`;
}

function tagSection(document: OpenApiDocument, tag: { name: string; description: string }, base: string): DocsMarkup {
  return markup`<section><h2>${tag.name}</h2><p class="soft">${words(tag.description)}</p>
${endpointsOf(document, tag.name).map((place) => operationSection(document, place, base))}</section>
`;
}

function operationSection(document: OpenApiDocument, { method, path, operation }: Endpoint, base: string): DocsMarkup {
  const scopes = operation.security.flatMap((way) => Object.values(way).flat());
  const body = operation.requestBody?.content['application/json'];
  return markup`<article id="${operation.operationId}"><h3>${operation.summary}</h3>
<p class="call"><span class="method ${method}">${method.toUpperCase()}</span> ${path}</p>
${paragraphs(operation.description)}
${scopes.length === 0 ? undefined : markup`<p class="soft">Scope of the token: ${scopes.map((scope) => markup`<code>${scope}</code>`)}</p>`}
<pre><code>${curlCommand(base, method, path, operation)}</code></pre>
${operation.parameters === undefined ? undefined : markup`<h4>Parameters</h4>${fieldTable(operation.parameters, true)}`}
${body === undefined ? undefined : markup`<h4>Body</h4>${fieldTable(fieldRows(body.schema), true)}`}
<h4>Answers</h4>
<table><tbody>${Object.entries(operation.responses).map(([status, response]) => answerRow(document, status, response))}</tbody></table>
</article>
`;
}

function answerRow(document: OpenApiDocument, status: string, response: ApiResponse | { $ref: string }): DocsMarkup {
  if ('$ref' in response) {
    const name = response.$ref.split('/').at(-1) ?? '';
    const refusal = document.components.responses[name];
    return markup`<tr><td><a href="#refusal-${name}">${status}</a></td><td>${words(refusal?.description ?? '')}</td></tr>`;
  }
  const contents = Object.values(response.content ?? {});
  return markup`<tr><td>${status}</td><td>${words(response.description)}${headerNames(response)}${contents.map(
    ({ schema, example }) =>
      markup`<p>Body: ${typeWords(schema)}</p>${example === undefined ? undefined : sample('Example', example)}`,
  )}</td></tr>`;
}

function headerNames({ headers }: ApiResponse): DocsMarkup | undefined {
  if (headers === undefined) return undefined;
  return markup` <span class="soft">With ${Object.keys(headers).map((name, at) => markup`${at === 0 ? '' : ', '}<code>${name}</code>`)}.</span>`;
}

function sample(title: string, value: unknown): DocsMarkup {
  return markup`<details><summary>${title}</summary><pre><code>${JSON.stringify(value, null, 2)}</code></pre></details>`;
}

function refusalSection(document: OpenApiDocument): DocsMarkup {
  const refusals = Object.entries(document.components.responses);
  return markup`<section id="refusals"><h2>Refusals</h2><p>Each is a <a href="#schema-Problem">Problem</a>.</p>
${refusals.map(([name, response]) => {
  const example = response.content?.['application/problem+json']?.example as { status?: number } | undefined;
  return markup`<article id="refusal-${name}"><h3>${example?.status ?? ''} ${name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')}</h3><p>${words(response.description)}${headerNames(response)}</p>${sample('Example', example)}</article>
`;
})}</section>
`;
}

function schemaSection(document: OpenApiDocument): DocsMarkup {
  return markup`<section id="schemas"><h2>Schemas</h2>
${Object.entries(document.components.schemas).map(
  ([name, schema]) => markup`<article id="schema-${name}"><h3>${name}</h3>
${schema['properties'] === undefined ? markup`<p>${typeWords(schema)}</p>` : fieldTable(fieldRows(schema), false)}</article>
`,
)}</section>`;
}
