import { type DocsMarkup, docsStyle, markup, paragraphs, policyFor, words } from './markup.ts';
import type { ApiOperation, ApiResponse, JsonSchema, OpenApiDocument } from '../rest/openapi/document.ts';

interface DocsPage {
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

/** One row of a table: a parameter, or a property of a body or response. */
interface FieldRow {
  name: string;
  required: boolean;
  description: string;
  schema: JsonSchema;
}

/** The properties of an object schema, each followed by its nested properties with dotted names. */
function fieldRows(schema: JsonSchema, before = ''): FieldRow[] {
  const properties = (schema['properties'] ?? {}) as Record<string, JsonSchema>;
  const required = (schema['required'] ?? []) as string[];
  return Object.entries(properties).flatMap(([name, property]) => {
    const row = {
      name: `${before}${name}`,
      required: required.includes(name),
      description: String(property['description'] ?? ''),
      schema: property,
    };
    const inside = (property['items'] ?? property) as JsonSchema;
    return [row, ...fieldRows(inside, `${before}${name}${property['items'] === undefined ? '.' : '[].'}`)];
  });
}

/** @param marksRequired whether to mark required fields; readers of responses do not need the mark */
function fieldTable(rows: readonly FieldRow[], marksRequired: boolean): DocsMarkup {
  return markup`<table><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.map(
    ({ name, required, description, schema }) =>
      markup`<tr><td><code>${name}</code>${
        marksRequired && required ? markup` <span class="needed">required</span>` : undefined
      }</td><td>${typeWords(schema)}</td><td>${words(description)}</td></tr>`,
  )}</tbody></table>`;
}

const primitives: Readonly<Record<string, string>> = {
  'date-time': 'time',
  uri: 'URL',
  'uri-reference': 'URL',
};

/** The type of a schema in words: `whole number, 1 to 100, 20 unless given`. */
function typeWords(schema: JsonSchema): DocsMarkup {
  const { $ref: reference, anyOf, oneOf, type, items, const: constant, enum: values } = schema;
  const alternatives = (anyOf ?? oneOf) as JsonSchema[] | undefined;
  if (typeof reference === 'string') {
    const name = reference.split('/').at(-1) ?? '';
    return markup`<a href="#schema-${name}">${name}</a>`;
  }
  if (alternatives !== undefined) return joined(alternatives.map(typeWords), ' or ');
  if (constant !== undefined) return markup`<code>${JSON.stringify(constant)}</code>`;
  if (Array.isArray(values)) {
    return markup`<span class="values">${joined(
      values.map((value) => markup`<code>${String(value)}</code>`),
      ', ',
    )}</span>${bounds(schema)}`;
  }
  const types = (Array.isArray(type) ? type : [type ?? 'anything']) as string[];
  if (types[0] === 'array') {
    const list = markup`list${bounds(schema)}; each: ${typeWords((items ?? {}) as JsonSchema)}`;
    return types.length === 1 ? list : markup`null or ${list}`;
  }
  return markup`${types.map((one) => nameOf(one, schema)).join(' or ')}${bounds(schema)}`;
}

function nameOf(type: string, { format }: JsonSchema): string {
  if (type === 'integer') return 'whole number';
  return type === 'string' ? (primitives[String(format)] ?? 'string') : type;
}

function bounds(schema: JsonSchema): string {
  const { minimum, maximum, minLength, maxLength, maxItems, default: standard } = schema;
  const said = [
    minimum === undefined ? '' : maximum === undefined ? `at least ${minimum}` : `${minimum} to ${maximum}`,
    maxLength === undefined
      ? ''
      : `${minLength === undefined ? 'at most' : `${Number(minLength)} to`} ${Number(maxLength).toLocaleString('en')} characters`,
    maxItems === undefined ? '' : `at most ${maxItems}`,
    standard === undefined ? '' : `${JSON.stringify(standard)} unless given`,
  ].filter((part) => part !== '');
  return said.map((part) => `, ${part}`).join('');
}

function joined(parts: readonly DocsMarkup[], separator: string): DocsMarkup {
  return markup`${parts.map((part, at) => (at === 0 ? part : markup`${separator}${part}`))}`;
}

/**
 * The curl command for an operation. The token is a shell variable, so that it does not get into the shell's history.
 * @param base the server's address without a trailing slash, e.g. `https://library.example.com`
 */
function curlCommand(base: string, method: string, path: string, operation: ApiOperation): string {
  const named = (operation.parameters ?? []).filter(({ example }) => example !== undefined);
  const filled = named
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))), path);
  const query = named
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example)).replaceAll('%2C', ',')}`)
    .join('&');
  const body = operation.requestBody?.content['application/json']?.example;
  const sendsFile = operation.requestBody?.content['application/octet-stream'] !== undefined;
  const words = [
    ['curl', ...(method === 'get' || body !== undefined || sendsFile ? [] : ['-X', method.toUpperCase()])].join(' '),
    quoted(`${base}${filled}${query === '' ? '' : `?${query}`}`),
    ...(operation.security.length === 0 ? [] : ['-H "Authorization: Bearer $COMMONPLACE_TOKEN"']),
    // `--json` is shorter, but curl supports it only since 7.82.
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`]),
    ...(sendsFile ? [`-H 'Content-Type: application/octet-stream'`, '--data-binary @bookmarks.html'] : []),
  ];
  return words.join(' \\\n  ').replace(' \\\n  ', ' ');
}

/** Single-quotes text for a shell, which changes nothing between single quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
