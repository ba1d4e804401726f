import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProcessingError } from '../../src/errors.ts';
import { createProviderFetch, type ProviderFetch } from '../../src/fetching/provider-fetch.ts';
import type { Embedder } from '../../src/models/embedding/embedder.ts';
import { findEmbeddingProfile } from '../../src/models/embedding/embedding-profiles.ts';
import { openMeasuredModels } from '../../src/models/embedding/measured-models.ts';
import { createOpenAiEmbedder, type OpenAiEmbedderSettings } from '../../src/models/embedding/api/openai-embedder.ts';
import { ManualClock } from '../support/clock.ts';
import {
  serverDimensions,
  startEmbeddingsServer,
  vectorOf,
  type EmbeddingsServer,
  type VectorReply,
} from '../support/servers/embeddings-server.ts';
import { rememberingLog } from '../support/store/stores.ts';

const never = new AbortController().signal;
let server: EmbeddingsServer;
let folder: string;
let clock: ManualClock;
let provider: ProviderFetch;
let log: ReturnType<typeof rememberingLog>;

beforeEach(async () => {
  server = await startEmbeddingsServer();
  folder = await mkdtemp(join(tmpdir(), 'commonplace-openai-'));
  clock = new ManualClock();
  log = rememberingLog();
  provider = createProviderFetch(server.url, 60_000);
});
afterEach(async () => {
  await provider.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

function open(settings: Partial<OpenAiEmbedderSettings> = {}): Embedder {
  const model = settings.model ?? 'some-model';
  return createOpenAiEmbedder(
    {
      baseUrl: server.url,
      apiKey: 'sk-secret',
      model,
      profile: findEmbeddingProfile(model),
      batchTexts: 4,
      batchTokens: 1_000,
      timeoutMs: 60_000,
      ...settings,
    },
    {
      fetch: (...call) => provider.fetch(...call),
      measured: openMeasuredModels(join(folder, 'models.json')),
      clock,
      log,
      random: () => 0.5,
    },
  );
}

/** The same with its measurement behind it; `asked` begins with what comes then. */
async function openMeasured(settings: Partial<OpenAiEmbedderSettings> = {}): Promise<Embedder> {
  const embedder = open(settings);
  await embedder.embedPassages(['first'], never);
  server.asked.length = 0;
  return embedder;
}

function unit(numbers: readonly number[]): number[] {
  const length = Math.hypot(...numbers);
  return numbers.map((number) => number / length);
}

async function failureOf(call: Promise<unknown>): Promise<ProcessingError> {
  const error = await call.then(
    () => new Error('it did not fail'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ProcessingError)) throw error;
  expect(error.message).not.toContain('SECRET');
  return error;
}

/** Answers requests with `replies`, then well. */
function replyOnce(...replies: VectorReply[]): void {
  server.reply = () => replies.shift() ?? 'well';
}

describe('vectors', () => {
  it('keep the order of their texts and have unit length, however requests are split', async () => {
    const embedder = open();
    const texts = ['a much longer text than the others are', 'b', 'cc', '', 'ddd', 'eeee', 'fffff'];
    const vectors = await embedder.embedPassages(texts, never);
    for (const [index, text] of texts.entries()) {
      for (const [at, number] of unit(vectorOf(text)).entries()) expect(vectors[index]?.[at]).toBeCloseTo(number, 6);
    }
    const query = await embedder.embedQuery('cc', never);
    expect([...query]).toEqual([...(vectors[2] ?? [])]);
  });

  it('are sorted by their index', async () => {
    const embedder = await openMeasured();
    server.reply = ({ input }) => ({
      vectors: input.map((text) => vectorOf(text)).toReversed(),
      indexes: input.map((_, index) => index).toReversed(),
    });
    const [first] = await embedder.embedPassages(['one', 'another'], never);
    expect(first?.[0]).toBeCloseTo(unit(vectorOf('one'))[0] ?? 0, 6);
  });

  it('are requested with the key, the model and its prefixes', async () => {
    const embedder = await openMeasured({ model: 'nomic-embed-text:latest' });
    await embedder.embedPassages(['text'], never);
    await embedder.embedQuery('question', never);
    expect(server.asked).toMatchObject([
      { model: 'nomic-embed-text:latest', input: ['search_document: text'] },
      { input: ['search_query: question'] },
    ]);
    expect(server.asked[0]?.headers['authorization']).toBe('Bearer sk-secret');
    expect(embedder.languages).toEqual(['en']);
  });

  it('from Voyage are requested by the kind of text', async () => {
    const embedder = await openMeasured({ model: 'voyage-3.5', apiKey: '' });
    await embedder.embedPassages(['text'], never);
    await embedder.embedQuery('question', never);
    expect(server.asked).toMatchObject([
      { input: ['text'], input_type: 'document' },
      { input: ['question'], input_type: 'query' },
    ]);
    expect(server.asked[0]?.headers).not.toHaveProperty('authorization');
  });

  it('are requested in batches of similar lengths, limited by texts and tokens, two at once', async () => {
    const embedder = await openMeasured();
    const long = 'x'.repeat(1_400);
    await embedder.embedPassages(['a', long, 'b', long, 'c', 'd', long, 'e'], never);
    expect(server.asked.map(({ input }) => input.map((text) => text.length))).toEqual([
      [1, 1, 1, 1],
      [1, 1_400],
      [1_400, 1_400],
    ]);
    const { promise: two, resolve } = Promise.withResolvers<void>();
    server.asked.length = 0;
    server.reply = async (_asked, number): Promise<VectorReply> => {
      if (number === 2) resolve();
      await two;
      return 'well';
    };
    await Promise.all(Array.from({ length: 6 }, (_, index) => embedder.embedPassages([`text ${index}`], never)));
    expect(server.maxAtOnce).toBe(2);
  });
});

describe('the id', () => {
  it('includes the dimensions once they are known, and at the next start before any request', async () => {
    const embedder = open();
    expect([embedder.id, embedder.dimensions]).toEqual(['openai:some-model@?', null]);
    await embedder.embedPassages(['text'], never);
    expect([embedder.id, embedder.dimensions]).toEqual([`openai:some-model@${serverDimensions}`, serverDimensions]);
    const asked = server.asked.length;
    const next = open();
    expect([next.id, next.dimensions]).toEqual([embedder.id, serverDimensions]);
    expect(next.unrelatedCosine).toBe(embedder.unrelatedCosine);
    await next.embedQuery('question', never);
    expect(server.asked).toHaveLength(asked + 1);
  });

  it('changes with every setting that changes the vectors of passages, and with no other', async () => {
    const profile = findEmbeddingProfile('some-model');
    const usual = open().id;
    expect(usual).toBe('openai:some-model@?');
    expect(open({ apiKey: 'other', baseUrl: 'http://127.0.0.1:1/v1' }).id).toBe(usual);
    expect(open({ profile: { ...profile, queryPrefix: 'q: ' } }).id).toBe(usual);
    const others = [
      open({ model: 'other' }).id,
      open({ profile: { ...profile, passagePrefix: 'p: ' } }).id,
      open({ profile: { ...profile, passagePrefix: 'p2: ' } }).id,
      open({ profile: { ...profile, inputType: { query: 'q', passage: 'p' } } }).id,
    ];
    expect(new Set([usual, ...others]).size).toBe(others.length + 1);
  });

  it('identifies the file of measurements, which is rebuilt when it is damaged', async () => {
    await openMeasured();
    const path = join(folder, 'models.json');
    expect(await readFile(path, 'utf8')).toContain('"dimensions": 8');
    await rm(path);
    expect(open().id).toBe('openai:some-model@?');
  });
});

it('covers the measured similarity of unrelated texts', async () => {
  // Every text gets nearly the same vector: as of a model with a low temperature.
  server.reply = ({ input }) => ({ vectors: input.map((text) => [10, text.length % 5, 0]) });
  const crowded = await openMeasured();
  expect(crowded.unrelatedCosine).toBeGreaterThan(0.9);
  server.reply = ({ input }) => ({ vectors: input.map((text) => (text.endsWith('.') ? [1, 0] : [0, 1])) });
  const apart = open({ model: 'other' });
  await apart.embedQuery('question', never);
  expect(apart.unrelatedCosine).toBeLessThan(0.3);
});

describe('a failing request', () => {
  it('is retried after a while when that may help', async () => {
    const embedder = await openMeasured();
    replyOnce({ status: 503 }, 'cut', { status: 529 });
    const vectors = embedder.embedPassages(['text'], never);
    for (const waitMs of [1_000, 2_000, 4_000]) {
      await clock.untilAsleep(waitMs);
      clock.advance(waitMs);
    }
    expect(await vectors).toHaveLength(1);
    expect(server.asked).toHaveLength(4);
  });

  it('waits as long as the server asks, and others wait with it', async () => {
    const embedder = await openMeasured();
    replyOnce({ status: 429, headers: { 'retry-after': '30' } });
    const one = embedder.embedPassages(['one'], never);
    await clock.untilAsleep(30_000);
    const other = embedder.embedPassages(['other'], never);
    clock.advance(29_999);
    expect(server.asked).toHaveLength(1);
    await clock.untilAsleep(1);
    clock.advance(1);
    await Promise.all([one, other]);
    expect(server.asked).toHaveLength(3);
  });

  it('ignores an empty Retry-After', async () => {
    const embedder = await openMeasured();
    replyOnce({ status: 429, headers: { 'retry-after': '' } });
    const vectors = embedder.embedPassages(['text'], never);
    await clock.untilAsleep(1_000);
    clock.advance(1_000);
    expect(await vectors).toHaveLength(1);
  });

  it('leaves a long wait to the job queue', async () => {
    const embedder = await openMeasured();
    replyOnce({ status: 429, headers: { 'retry-after': '3600' } });
    const failure = await failureOf(embedder.embedPassages(['text'], never));
    expect(failure).toMatchObject({ code: 'rate_limited', retryable: true, retryAfterMs: 3_600_000 });
    // Nobody waits for an hour who comes meanwhile, and the server is left alone.
    clock.advance(60_000);
    const other = await failureOf(embedder.embedPassages(['other'], never));
    expect(other).toMatchObject({ code: 'rate_limited', retryable: true, retryAfterMs: 3_540_000 });
    expect(server.asked).toHaveLength(1);
    const date = new Date(Date.UTC(2026, 10, 20)).toUTCString();
    clock.advance(3_540_000);
    replyOnce({ status: 503, headers: { date, 'retry-after': new Date(Date.UTC(2026, 10, 20, 0, 5)).toUTCString() } });
    expect((await failureOf(embedder.embedPassages(['text'], never))).retryAfterMs).toBe(300_000);
  });

  it.each<[string, VectorReply, string, boolean, RegExp]>([
    ['no key', { status: 401 }, 'model_unauthorized', false, /embeddingApiKey/],
    ['no money', { status: 402 }, 'model_unauthorized', false, /payment/],
    ['no such model', { status: 404 }, 'model_request_refused', false, /embeddingModel and embeddingBaseUrl/],
    [
      'a redirect',
      { status: 302, headers: { location: 'http://example.com' } },
      'model_request_refused',
      false,
      /embeddingBaseUrl/,
    ],
    ['a refusal', { status: 400 }, 'model_request_refused', false, /embeddingModel/],
    ['a page', { text: '<html>Log in</html>' }, 'model_answer_invalid', true, /embeddingBaseUrl/],
    ['another form', { text: '{"embeddings":[[1]]}' }, 'model_answer_invalid', true, /\/v1/],
    ['too few vectors', { vectors: [] }, 'model_answer_invalid', true, /0 vectors for 1/],
    ['too many vectors', { vectors: [[1], [1]] }, 'model_answer_invalid', true, /2 vectors for 1/],
    ['a strange index', { vectors: [[1]], indexes: [7] }, 'model_answer_invalid', true, /which vector/],
    ['no number', { vectors: [[null, 1, 1, 1, 1, 1, 1, 1]] }, 'model_answer_invalid', true, /numbers/],
    ['no direction', { vectors: [[0, 0, 0, 0, 0, 0, 0, 0]] }, 'model_answer_invalid', true, /all zeros/],
    ['a huge number', { vectors: [[1e300, 0, 0, 0, 0, 0, 0, 0]] }, 'model_answer_invalid', true, /all zeros/],
    ['another length', { vectors: [[1, 2, 3]] }, 'model_answer_invalid', false, /3 numbers.*8 before/],
  ])('reports the problem and what to do: %s', async (_name, reply, code, retryable, words) => {
    const embedder = await openMeasured();
    server.reply = () => reply;
    const call = failureOf(embedder.embedPassages(['text'], never));
    if (retryable) {
      for (const waitMs of [1_000, 2_000, 4_000]) {
        await clock.untilAsleep(waitMs);
        clock.advance(waitMs);
      }
    }
    const failure = await call;
    expect(failure).toMatchObject({ code, retryable });
    expect(failure.message).toMatch(words);
    expect(await failureOf(embedder.embedQuery('question', never))).toMatchObject({ code });
  });

  it('is given up without an answer in time', async () => {
    const embedder = open({ timeoutMs: 20 });
    server.reply = () => 'silence';
    expect(await failureOf(embedder.embedQuery('question', never))).toMatchObject({ code: 'timeout', retryable: true });
  });

  it('ends with its caller and with the program', async () => {
    const embedder = await openMeasured();
    const asked = new Promise<void>((resolve) => {
      server.reply = () => (resolve(), 'silence');
    });
    const cancel = new AbortController();
    const call = embedder.embedPassages(['text'], cancel.signal);
    await asked;
    const reason = new Error('not needed any more');
    cancel.abort(reason);
    await expect(call).rejects.toBe(reason);
    const other = embedder.embedQuery('question', never);
    await embedder.close();
    expect((await failureOf(other)).code).toBe('interrupted');
    expect((await failureOf(embedder.embedQuery('question', never))).code).toBe('interrupted');
  });
});

describe('a text that the server refuses', () => {
  const refusing =
    (refused: (text: string) => boolean): EmbeddingsServer['reply'] =>
    ({ input }) =>
      input.some(refused) ? { status: 400 } : 'well';

  it('is embedded by its beginning without affecting the others', async () => {
    const embedder = await openMeasured();
    server.reply = refusing((text) => text.length > 500);
    const long = 'abc '.repeat(200);
    const vectors = await embedder.embedPassages(['one', long, 'three'], never);
    expect(vectors[1]?.[0]).toBeCloseTo(unit(vectorOf(long.slice(0, 400)))[0] ?? 0, 6);
    expect(vectors.every((vector) => vector !== null)).toBe(true);
  });

  it('has no vector when even its beginning is refused', async () => {
    const embedder = await openMeasured();
    server.reply = refusing((text) => text.includes('☠'));
    const vectors = await embedder.embedPassages(['one', '☠', 'three', 'four'], never);
    expect(vectors.map((vector) => vector === null)).toEqual([false, true, false, false]);
    expect(log.entries.at(-1)?.level).toBe('warn');
  });

  it('is not isolated when the server refuses everything', async () => {
    const embedder = await openMeasured();
    server.reply = () => ({ status: 400 });
    const failure = await failureOf(embedder.embedPassages(['one', 'two', 'three', 'four'], never));
    expect(failure.code).toBe('model_request_refused');
    expect(server.asked).toHaveLength(2);
  });
});

describe('a question', () => {
  it('is not sent to a server that asked to wait or has just failed', async () => {
    const embedder = await openMeasured();
    replyOnce({ status: 500 });
    await failureOf(embedder.embedQuery('one', never));
    await failureOf(embedder.embedQuery('two', never));
    expect(server.asked).toHaveLength(1);
    clock.advance(30_000);
    await embedder.embedQuery('three', never);
    replyOnce({ status: 429, headers: { 'retry-after': '40' } });
    await failureOf(embedder.embedQuery('four', never));
    clock.advance(39_000);
    await failureOf(embedder.embedQuery('five', never));
    clock.advance(1_000);
    expect(await embedder.embedQuery('six', never)).toHaveLength(serverDimensions);
    expect(server.asked).toHaveLength(4);
  });
});

it.each([
  ['text-embedding-3-small', '', '', null],
  ['intfloat/multilingual-e5-small', 'query: ', 'passage: ', null],
  ['text-embedding-e5-large-v2', 'query: ', 'passage: ', ['en']],
  ['BAAI/bge-small-en-v1.5', 'Represent this sentence for searching relevant passages: ', '', ['en']],
  ['bge-m3:567m', '', '', null],
  ['text-embedding-nomic-embed-text-v1.5', 'search_query: ', 'search_document: ', ['en']],
  ['nomic-embed-text-v2-moe', 'search_query: ', 'search_document: ', null],
  ['mxbai-embed-large', 'Represent this sentence for searching relevant passages: ', '', ['en']],
  ['snowflake-arctic-embed2:568m', 'query: ', '', null],
  ['text-embedding-ada-002', '', '', null],
])('the built-in data about %s are used', (model, queryPrefix, passagePrefix, languages) => {
  expect(findEmbeddingProfile(model)).toMatchObject({ queryPrefix, passagePrefix, languages });
});
