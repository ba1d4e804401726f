import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Embedder } from '../../src/models/embedding/embedder.ts';
import { embedAllAccounts, embedMissing } from '../../src/pipeline/embed.ts';
import { ManualClock } from '../support/clock.ts';
import { addFinishedItem, paragraphs } from '../support/content.ts';
import { openStores, rememberingLog, type TestStores } from '../support/store/stores.ts';

let testServer: TestStores;
let clock: ManualClock;
const signal = new AbortController().signal;

beforeEach(async () => {
  clock = new ManualClock();
  testServer = await openStores(clock);
});
afterEach(() => testServer.close());

function embedder(id: string, languages: readonly string[] | null, seen: string[] = []): Embedder {
  return {
    id,
    dimensions: 2,
    languages,
    embedPassages: async (texts) => {
      seen.push(...texts);
      return texts.map(() => Float32Array.of(0.6, 0.8));
    },
    embedQuery: async () => Float32Array.of(1, 0),
    close: async () => undefined,
  };
}

async function addItem(name: string, language: string | null, count: number): Promise<string> {
  const blocks = paragraphs(...Array.from({ length: count }, (_, index) => `${name} ${index}`));
  return addFinishedItem(testServer.store, { url: `https://example.com/${name}`, blocks, about: { language } });
}

it('gives every passage a vector, except in languages that the model does not know', async () => {
  await addItem('english', 'en', 70);
  await addItem('german', 'de', 3);
  await addItem('unknown', null, 2);
  const seen: string[] = [];
  expect(await embedMissing(embedder('e', ['en'], seen), testServer.store, signal)).toBe(72);
  expect(seen.filter((text) => text.startsWith('german'))).toEqual([]);
  expect(await testServer.store.countVectors('e', ['en'])).toEqual({ passages: 72, embedded: 72 });
  expect(await testServer.store.countVectors('e')).toEqual({ passages: 75, embedded: 72 });
  expect(await embedMissing(embedder('e', ['en']), testServer.store, signal)).toBe(0);
});

it('embeds a single item on request', async () => {
  await addItem('first', 'en', 2);
  const second = await addItem('second', 'en', 2);
  const seen: string[] = [];
  await embedMissing(embedder('e', null, seen), testServer.store, signal, { contentId: second });
  expect(seen).toEqual(['second 0', 'second 1']);
  expect(await embedMissing(embedder('e', null, seen), testServer.store, signal, { limit: 1 })).toBe(1);
  expect(seen.at(-1)).toBe('first 0');
});

it('finishes an item even if more passages are refused than fit a batch', async () => {
  const contentId = await addItem('refused', 'en', 6);
  const refusing: Embedder = {
    ...embedder('e', null),
    embedPassages: async (texts) => texts.map((text) => (text === 'refused 5' ? Float32Array.of(0.6, 0.8) : null)),
  };
  expect(await embedMissing(refusing, testServer.store, signal, { contentId, limit: 4 })).toBe(1);
  expect(await embedMissing(refusing, testServer.store, signal, { contentId, limit: 4 })).toBe(0);
  expect(await testServer.store.countVectors('e')).toEqual({ passages: 6, embedded: 1 });
});

it('replaces vectors of the previous embedder in the background, account by account', async () => {
  await addItem('old', 'en', 5);
  await embedMissing(embedder('old-model', null), testServer.store, signal);
  const other = await testServer.stores.control.createAccount({ name: 'other', plan: 'pro' });
  const theirs = await testServer.stores.open(other.id);
  await addFinishedItem(theirs, { url: 'https://example.com/theirs', blocks: paragraphs('theirs') });
  const log = rememberingLog();
  await embedAllAccounts({ stores: testServer.stores, embedder: embedder('new-model', null), log }, signal);
  expect(await testServer.store.countVectors('new-model')).toEqual({ passages: 5, embedded: 5 });
  expect((await testServer.store.countVectors('old-model')).embedded).toBe(0);
  expect((await theirs.countVectors('new-model')).embedded).toBe(1);
});

it('ends quietly when it is stopped, and reports an account that failed', async () => {
  await addItem('item', 'en', 1);
  const log = rememberingLog();
  const failing: Embedder = { ...embedder('e', null), embedPassages: () => Promise.reject(new Error('broken')) };
  await embedAllAccounts({ stores: testServer.stores, embedder: failing, log }, signal);
  expect(log.entries.map(({ level }) => level)).toEqual(['warn']);
  const stopped = AbortSignal.abort();
  await embedAllAccounts({ stores: testServer.stores, embedder: failing, log }, stopped);
  expect(log.entries).toHaveLength(1);
});
