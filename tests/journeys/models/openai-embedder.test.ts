import { afterAll, beforeAll, expect, test } from 'vitest';
import type { App } from '../../../src/app/app.ts';
import { localAccountId } from '../../../src/domain/records/account.ts';
import { startEmbeddingsServer, type EmbeddingsServer } from '../../support/servers/embeddings-server.ts';
import { openTestServer } from '../../support/test-server.ts';

const signal = new AbortController().signal;
let server: EmbeddingsServer;
let testServer: Awaited<ReturnType<typeof openTestServer>>;

/** Knows that cats and felines are one thing; everything else is another. */
const answerWell: EmbeddingsServer['reply'] = ({ input }) => ({
  vectors: input.map((text) => (/cat|feline/i.test(text) ? [1, 0.1, 0] : [0.1, 1, text.length % 7])),
});

beforeAll(async () => {
  server = await startEmbeddingsServer(answerWell);
  testServer = await openTestServer({
    embedder: 'openai',
    embeddingBaseUrl: server.url,
    embeddingModel: 'e5-small',
  });
});
afterAll(async () => {
  await testServer.close();
  await server.close();
});

function find(app: App, query: string) {
  return app.services.search.search(localAccountId, { query, limit: 5 }, signal);
}

const meaningCheck = async () => (await testServer.app.inspect()).find(({ name }) => name === 'Search by meaning');

test('a remote model embeds saved items, and its failure costs a search only the comparison by meaning', async () => {
  const { app } = testServer;
  const pets = {
    url: 'https://example.com/pets',
    title: 'Pets',
    text: 'The cat sleeps for sixteen hours a day and hunts in the twilight.',
  };
  await app.services.library.save(localAccountId, pets, { signal, onProgress: () => undefined });
  await app.worker.runUntilEmpty();
  expect(server.asked.at(-1)?.input[0]).toMatch(/^passage: .*cat sleeps/s);
  expect(await find(app, 'feline')).toMatchObject({ mode: 'hybrid', results: [{ title: 'Pets' }] });
  expect(await meaningCheck()).toEqual({
    name: 'Search by meaning',
    state: 'ok',
    detail: expect.stringMatching(/^openai:e5-small@3\+[0-9a-f]{8} at 127\.0\.0\.1:\d+, 1 of 1 passages$/) as string,
  });

  server.reply = () => ({ status: 500 });
  expect(await find(app, 'cat')).toMatchObject({ mode: 'lexical', results: [{ title: 'Pets' }] });
  const asked = server.asked.length;
  expect(await find(app, 'twilight')).toMatchObject({ mode: 'lexical', results: [{ title: 'Pets' }] });
  expect(server.asked).toHaveLength(asked);
  expect(await meaningCheck()).toMatchObject({
    state: 'warning',
    fix: expect.stringContaining('answered by words alone') as string,
  });
});
