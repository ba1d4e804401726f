import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { localAccountId } from '../../src/domain/records/account.ts';
import type { JsonSchema } from '../../src/http/rest/openapi/document.ts';
import type { OpenApiDocument } from '../../src/http/rest/openapi/document.ts';
import { createOpenApiDocument } from '../../src/http/rest/openapi/openapi.ts';
import { operations } from '../../src/operations/index.ts';
import { addressOf, invalidCalls, validCalls, withHostile, type ApiCall } from '../support/api-calls.ts';
import { hostileStrings, injections } from '../support/hostile-strings.ts';
import { openHttpHouse, type Answer, type AskOptions, type HttpHouse } from '../support/http.ts';
import { addSampleRecords } from '../support/sample-records.ts';
import { createValidators, documentedResponse, placedOperations, type PlacedOperation } from '../support/openapi.ts';
import { isThorough } from '../support/thorough.ts';

/*
 * Requests made from the document, put to the server, and every answer held against the document.
 */

/** Valid and invalid ones together: over 60 requests per operation, five times as many in a thorough run. */
const runs = { numRuns: isThorough ? 160 : 30 };
/** Seconds of work, and a machine may have other work to do. */
const document: OpenApiDocument = createOpenApiDocument(operations, { version: '0.0.0', baseUrl: '/' });
const validatorOf = createValidators(document);
const isValid = (schema: JsonSchema, value: unknown) => validatorOf(schema)(value);
const places = placedOperations(document);
// tests/http/capture.test.ts sends forms.
const apiPlaces = places.filter(({ operation, path }) => operation.security.length > 0 && path !== '/capture');

let testServer: HttpHouse;
const known: Record<string, string[]> = {};

beforeAll(async () => {
  testServer = await openHttpHouse({ embedder: 'none' });
  const store = await testServer.app.stores.open(localAccountId);
  Object.assign(known, await addSampleRecords(store));
});
afterAll(() => testServer.close());

/** What an `id` of this path can be, beside random ones. */
function knownIds({ path }: PlacedOperation): Record<string, string[]> {
  return { ...known, id: (path.startsWith('/actions') ? known['actionId'] : known['contentId']) ?? [] };
}

/** Holds an answer against the document: status, kind of body, body, headers. */
function expectDocumented(place: PlacedOperation, answer: Answer): void {
  const said = `${place.method} ${place.path} → ${answer.status} ${answer.text.slice(0, 500)}`;
  expect(answer.status, said).not.toBe(500);
  const response = documentedResponse(document, place.operation, answer.status);
  expect(response, `${said}: this status is not documented`).toBeDefined();
  for (const [name, reference] of Object.entries(response?.headers ?? {})) {
    const header = document.components.headers[(reference as { $ref: string }).$ref.split('/').at(-1) ?? ''];
    const required = (header as { required?: boolean }).required === true;
    expect(!required || answer.headers.has(name), `${said}: no ${name}`).toBe(true);
  }
  const [[mediaType, { schema }] = ['', { schema: undefined }]] = Object.entries(response?.content ?? {});
  expect(answer.headers.get('content-type')?.split(';')[0] ?? '', said).toBe(mediaType);
  const validate = schema === undefined ? undefined : validatorOf(schema);
  const valid = validate === undefined ? answer.text === '' : validate(answer.body);
  expect(valid, `${said}: ${JSON.stringify(validate?.errors)}`).toBe(true);
  expect(answer.text, 'it tells what is inside').not.toMatch(
    /SQLITE|sqlite|no such (?:table|column)|node_modules|\/tmp\/|\n\s+at /,
  );
}

async function put(place: PlacedOperation, call: ApiCall, options: AskOptions = {}): Promise<Answer> {
  const answer = await testServer.ask(addressOf(place, call), {
    method: place.method.toUpperCase(),
    ...(call.body !== undefined && { body: call.body }),
    ...options,
  });
  expectDocumented(place, answer);
  return answer;
}

describe.each(apiPlaces.map((place) => [`${place.method.toUpperCase()} ${place.path}`, place] as const))(
  '%s',
  (_, place) => {
    it('takes what the document allows', async () => {
      await fc.assert(
        fc.asyncProperty(validCalls(place, knownIds(place), isValid), async (call) => {
          const answer = await put(place, call);
          expect([200, 201, 404], `${addressOf(place, call)} ${answer.text}`).toContain(answer.status);
          if (place.method !== 'get' || answer.status !== 200) return;
          const again = await put(place, call, { headers: { 'if-none-match': answer.headers.get('etag') ?? '' } });
          expect(again.status).toBe(304);
        }),
        runs,
      );
    });

    it('refuses what the document does not allow, and names it', async () => {
      await fc.assert(
        fc.asyncProperty(invalidCalls(place, knownIds(place), validatorOf), async ({ call, field }) => {
          const answer = await put(place, call);
          expect(answer.status, `${addressOf(place, call)} ${JSON.stringify(call.body)} ${answer.text}`).toBe(400);
          const { errors = [] } = answer.body as { errors?: { path: string }[] };
          expect(
            errors.some(({ path }) => path === field || path.startsWith(`${field}.`)),
            answer.text,
          ).toBe(true);
        }),
        runs,
      );
    });

    it('withstands hostile text in every field', async () => {
      const [call] = fc.sample(validCalls(place, knownIds(place), isValid), { numRuns: 1 });
      if (call === undefined) throw new Error('no call to begin with');
      const texts = [
        ...injections,
        // The bare ones: what stands around them makes no difference to a parser of requests.
        ...hostileStrings(120).flatMap(({ text }, at) => (at % (isThorough ? 3 : 9) === 0 ? [text] : [])),
        'a'.repeat(1_000_000),
        '\0'.repeat(1_000_000),
        '"'.repeat(60_000),
        '😀'.repeat(10_000),
      ];
      const statuses = new Set<number>();
      for (const text of texts) {
        for (const hostile of withHostile(place, call, text)) statuses.add((await put(place, hostile)).status);
      }
      expect([...statuses].filter((status) => ![200, 201, 400, 404, 413].includes(status))).toEqual([]);
    });

    it('asks everybody for a token first', async () => {
      const [call] = fc.sample(validCalls(place, knownIds(place), isValid), { numRuns: 1 });
      for (const token of [null, '', 'x', 'cpl_wrong', `${testServer.token}x`, 'cpl_'.repeat(2_000), 'a b', '"']) {
        expect((await put(place, call ?? { parameters: {} }, { token })).status).toBe(401);
      }
    });

    it('says so when the method is another', async () => {
      const [call] = fc.sample(validCalls(place, knownIds(place), isValid), { numRuns: 1 });
      const has = new Set(Object.keys(document.paths[place.path] ?? {}));
      for (const method of ['get', 'post', 'put', 'patch', 'delete'].filter((one) => !has.has(one))) {
        const answer = await testServer.ask(addressOf(place, call ?? { parameters: {} }), {
          method: method.toUpperCase(),
        });
        expectDocumented(place, answer);
        expect(answer.status).toBe(405);
      }
    });
  },
);

describe.each(
  apiPlaces.filter(({ method }) => method === 'post').map((place) => [`POST ${place.path}`, place] as const),
)('the body of %s', (_, place) => {
  const asked = async (body: string | Uint8Array, type = 'application/json') => {
    const [call] = fc.sample(validCalls(place, knownIds(place), isValid), { numRuns: 1 });
    return put(place, { parameters: call?.parameters ?? {} }, { body, headers: { 'content-type': type } });
  };

  it.each([
    ['half an object', '{'],
    ['a list', '[]'],
    ['null', 'null'],
    ['a number', '1'],
    ['a string', '"a"'],
    ['a field without a value', '{"a":}'],
    ['a prototype', '{"__proto__":{"a":1}}'],
    ['an object and more', '\ufeff{}x'],
    ['very deep', '['.repeat(20_000)],
    ['a deep field', `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
  ])('cannot be %s', async (_name, body) => {
    expect((await asked(body)).status).toBe(400);
  });

  it('must be UTF-8', async () => {
    expect((await asked(new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]))).status).toBe(400);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/json; charset=latin1',
    '',
  ])('is not read as %s', async (type) => {
    expect((await asked('{"a":1}', type)).status).toBe(415);
  });

  it('has a limit', async () => {
    expect((await asked(`{"a":"${'a'.repeat(11 * 2 ** 20)}"}`)).status).toBe(413);
  });
});

test.each(
  places.filter(({ operation }) => operation.security.length === 0).map((place) => [place.path, place] as const),
)('%s needs no token and answers as documented', async (_, place) => {
  const answer = await put(place, { parameters: {} }, { token: null });
  expect(answer.status).toBe(200);
});
