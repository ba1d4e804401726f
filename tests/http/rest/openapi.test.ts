import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { tag } from '../../../src/domain/records/content.ts';
import { createOpenApiDocument, exampleAnswer } from '../../../src/http/rest/openapi/openapi.ts';
import type { ApiResponse } from '../../../src/http/rest/openapi/document.ts';
import { fixedRoutes } from '../../../src/http/rest/routes.ts';
import { acknowledgementSchema } from '../../../src/operations/call.ts';
import { operations } from '../../../src/operations/index.ts';
import { createValidators, documentedResponse, placedOperations } from '../../support/api/openapi.ts';
import { forAll } from '../../support/for-all.ts';
import { runs } from '../../support/vitest/thorough.ts';

const document = createOpenApiDocument(operations, { version: '1.2.3', baseUrl: 'https://library.test' });
const placed = placedOperations(document);
const validatorOf = createValidators(document);
const onRest = operations.filter(({ http }) => http !== undefined);

test('every REST operation is in the document once', () => {
  expect(placed.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
    [
      ...onRest.map(({ http }) => `${http?.method} ${http?.path.replaceAll(/:(\w+)/g, '{$1}')}`),
      'post /capture',
      'get /health',
      'get /ready',
    ].sort(),
  );
  const ids = placed.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

test('every tag has a description', () => {
  for (const { name, description } of document.tags) expect(description).not.toBe(name);
});

test('redocly finds no problems', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'commonplace-openapi-'));
  try {
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
    const manifest = createRequire(import.meta.url).resolve('@redocly/cli/package.json');
    const lint = promisify(execFile)(
      process.execPath,
      [join(dirname(manifest), 'bin', 'cli.js'), 'lint', '--format=json', 'openapi.json'],
      {
        cwd: folder,
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      },
    );
    const { problems } = JSON.parse((await lint).stdout) as { problems: { ruleId: string }[] };
    expect(problems).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test.each(fixedRoutes(operations).map((operation) => [operation.name, operation] as const))(
  '%s has an example answer for each success status',
  (_, operation) => {
    for (const status of Object.keys(operation.http.answers))
      expect(exampleAnswer(operation, Number(status)), status).toBeDefined();
  },
);

test.each(placed.map((place) => [place.operation.operationId, place] as const))(
  '%s: every example of the document is valid by its schema',
  (_, { operation }) => {
    const body = operation.requestBody?.content['application/json'];
    const answers = Object.keys(operation.responses).flatMap((status) =>
      Object.values(documentedResponse(document, operation, Number(status))?.content ?? {}),
    );
    const examples = [...(body === undefined ? [] : [body]), ...(operation.parameters ?? []), ...answers];
    for (const { schema, example } of examples) {
      const validate = validatorOf(schema);
      expect(example === undefined || validate(example), JSON.stringify(validate.errors)).toBe(true);
    }
  },
);

test('a write-only token gets the documented answers', () => {
  for (const operation of fixedRoutes(operations)) {
    const acknowledged = acknowledgementSchema(operation);
    const { responses } = placed.find(({ operation: { summary } }) => summary === operation.title)!.operation;
    for (const status of Object.keys(operation.http.answers)) {
      const { description, content } = responses[status] as ApiResponse;
      const validate = validatorOf(content?.['application/json']?.schema ?? {});
      const fields = Object.entries(operation.example.output as object);
      const seen = Object.fromEntries(fields.filter(([name]) => operation.acknowledges?.includes(name)));
      expect(validate(seen)).toBe(acknowledged !== undefined);
      expect(description.includes('A token without the scope')).toBe(acknowledged !== undefined);
    }
  }
});

test('the parameters of a list are documented as in its URL', () => {
  const parameters = document.paths['/content']?.['get']?.parameters ?? [];
  expect(parameters.map(({ name, schema }) => [name, schema['type']])).toEqual([
    ['limit', 'integer'],
    ['offset', 'integer'],
    ['contentType', 'string'],
    ['status', 'string'],
    ['tags', 'array'],
    ['savedAfter', 'string'],
    ['savedBefore', 'string'],
  ]);
  const [limit, , , status, tags] = parameters;
  expect(limit).toMatchObject({ in: 'query', required: false, example: 20, schema: { default: 20, maximum: 100 } });
  expect(status?.schema['enum']).toEqual(['pending', 'processing', 'completed', 'failed']);
  expect(tags).toMatchObject({ style: 'form', explode: false, schema: { maxItems: 50, minItems: 1 } });
});

test('the document has the limits of tags and queries', () => {
  const isTag = validatorOf(tagSchema());
  const search = onRest.find(({ name }) => name === 'search');
  const isQuery = validatorOf(
    document.paths['/search']?.['post']?.requestBody?.content['application/json']?.schema ?? {},
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary-ascii' }),
    fc.string({ unit: fc.constantFrom(' ', '\t', '\0', ',', '\u00a0', '\ufeff', '\u2028', '\u007f', '\u00ad', 'a') }),
  );
  forAll(runs(2_000), text, (given) => {
    expect(isTag(given)).toBe(tag.safeParse(given).success);
    expect(isQuery({ query: given })).toBe(search?.input.safeParse({ query: given }).success);
  });
});

function tagSchema() {
  const listing = document.paths['/content']?.['get']?.parameters?.find(({ name }) => name === 'tags');
  return listing?.schema['items'] as Record<string, unknown>;
}
