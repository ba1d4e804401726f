import { afterEach, beforeEach, expect, it } from 'vitest';
import { localAccountId } from '../../../src/domain/records/account.ts';
import type { Embedder } from '../../../src/models/embedding/embedder.ts';
import { withQueryCache } from '../../../src/models/embedding/query-cache.ts';
import { embedMissing } from '../../../src/pipeline/embed.ts';
import { createSearchService } from '../../../src/services/search/search.ts';
import { ManualClock } from '../../support/clock.ts';
import { addFinishedItem, paragraphs } from '../../support/content.ts';
import { openStores, rememberingLog, type TestStores } from '../../support/store/stores.ts';

const signal = new AbortController().signal;
let clock: ManualClock;
let testServer: TestStores;

beforeEach(async () => {
  clock = new ManualClock();
  testServer = await openStores(clock);
  const texts = ['The cat sleeps all day.', 'Bread needs flour.', 'Rivers run to the sea.', 'A letter came.'];
  for (const [index, text] of texts.entries()) {
    await addFinishedItem(testServer.store, { url: `https://example.com/${index}`, blocks: paragraphs(text) });
  }
});
afterEach(() => testServer.close());

/** Knows that a feline is a cat, in as many dimensions as its name has letters. */
function embedder(id: string): Embedder & { asked: string[] } {
  const vectorOf = (text: string): Float32Array => {
    const vector = new Float32Array(id.length);
    vector[/cat|feline/i.test(text) ? 0 : 1] = 1;
    return vector;
  };
  const asked: string[] = [];
  return {
    id,
    asked,
    dimensions: id.length,
    languages: null,
    embedPassages: async (texts) => texts.map(vectorOf),
    embedQuery: async (text) => {
      asked.push(text);
      return vectorOf(text);
    },
    close: async () => undefined,
  };
}

const settingsWith = (findEmbedder: (id: string) => Embedder | null) => ({
  rememberQueries: false,
  findEmbedder,
});

async function ask(wanted: Embedder, others: readonly Embedder[] = []) {
  const find = (id: string) => others.find((other) => other.id === id) ?? null;
  const search = createSearchService(testServer.stores, wanted, clock, rememberingLog(), settingsWith(find));
  const { mode, coverage, results } = await search.search(localAccountId, { query: 'feline', limit: 1 }, signal);
  return { mode, toEmbed: coverage.passagesToEmbed ?? 0, found: results.map(({ url }) => url?.at(-1)) };
}

it('during re-embedding, each passage is compared with the embedder that made its vector', async () => {
  const [before, after] = [embedder('before'), embedder('the new one')];
  await embedMissing(before, testServer.store, signal);
  expect(await ask(after, [before])).toEqual({ mode: 'hybrid', toEmbed: 0, found: ['0'] });
  expect([before.asked.length, after.asked.length]).toEqual([1, 0]);
  for (const limit of [1, 2]) {
    await embedMissing(after, testServer.store, signal, { limit });
    expect(await ask(after, [before])).toEqual({ mode: 'hybrid', toEmbed: 0, found: ['0'] });
  }
  expect([before.asked.length, after.asked.length]).toEqual([3, 2]);
  expect(await testServer.store.listEmbedders()).toEqual([
    { id: 'the new one', vectors: 3 },
    { id: 'before', vectors: 1 },
  ]);
  await embedMissing(after, testServer.store, signal);
  expect(await ask(after, [before])).toEqual({ mode: 'hybrid', toEmbed: 0, found: ['0'] });
  expect([before.asked.length, after.asked.length]).toEqual([3, 3]);
});

it('words alone answer when the previous embedder is unavailable, and the answer counts the waiting passages', async () => {
  const [before, after] = [embedder('before'), embedder('the new one')];
  await embedMissing(before, testServer.store, signal);
  expect(await ask(after)).toEqual({ mode: 'lexical', toEmbed: 4, found: [] });
  await embedMissing(after, testServer.store, signal, { limit: 3 });
  expect(await ask(after)).toEqual({ mode: 'lexical', toEmbed: 1, found: [] });
});

it('meaning is used once four in five passages are embedded, and the waiting ones are still counted', async () => {
  const one = embedder('one');
  await embedMissing(one, testServer.store, signal);
  await addFinishedItem(testServer.store, {
    url: 'https://example.com/4',
    blocks: paragraphs('The feline of the year.'),
  });
  expect(await ask(one)).toEqual({ mode: 'hybrid', toEmbed: 1, found: ['0'] });
  const search = createSearchService(testServer.stores, one, clock, rememberingLog());
  const waiting = async () =>
    (await search.search(localAccountId, { query: 'feline', limit: 1 }, signal)).coverage.passagesToEmbed;
  expect([await waiting(), await waiting()]).toEqual([1, 1]);
  await embedMissing(one, testServer.store, signal);
  clock.advance(5_000);
  expect(await waiting()).toBeUndefined();
});

it('a failing previous embedder costs a search its meaning, not its answer', async () => {
  const [before, after] = [embedder('before'), embedder('the new one')];
  await embedMissing(before, testServer.store, signal);
  await embedMissing(after, testServer.store, signal, { limit: 1 });
  const broken = { ...before, embedQuery: () => Promise.reject(new Error('broken')) };
  expect(await ask(after, [broken])).toMatchObject({ mode: 'lexical' });
});

it('one service switches to the new embedder within seconds', async () => {
  const [before, after] = [embedder('before'), embedder('the new one')];
  await embedMissing(before, testServer.store, signal);
  const search = createSearchService(
    testServer.stores,
    after,
    clock,
    rememberingLog(),
    settingsWith(() => before),
  );
  const find = () => search.search(localAccountId, { query: 'feline', limit: 1 }, signal);
  expect((await find()).results).toHaveLength(1);
  await embedMissing(after, testServer.store, signal);
  clock.advance(5_000);
  expect((await find()).results).toHaveLength(1);
  expect([before.asked.length, after.asked.length]).toEqual([1, 1]);
});

it('cosines of a model with high scores for unrelated texts are scaled to those of the other', async () => {
  const [before, after] = [embedder('before'), { ...embedder('the new one'), unrelatedCosine: 0.7 }];
  await embedMissing(before, testServer.store, signal);
  await embedMissing(after, testServer.store, signal, { limit: 1 });
  const search = createSearchService(
    testServer.stores,
    after,
    clock,
    rememberingLog(),
    settingsWith(() => before),
  );
  const { results } = await search.search(localAccountId, { query: 'feline', limit: 4 }, signal, 'meaning');
  expect(results.map(({ score }) => score)).toEqual([1, 0, 0, 0].map((score) => expect.closeTo(score, 2) as number));
});

it('a passage in an unsupported language is not pushed down by neighbours in meaning', async () => {
  const near = Float32Array.of(0.7, 0, Math.sqrt(1 - 0.7 ** 2));
  const english = { ...embedder('one'), languages: ['en'], embedQuery: async () => near };
  const blocks = paragraphs('Minka Mau: Feline, Katze, Hund.');
  await addFinishedItem(testServer.store, { url: 'https://example.com/de', about: { language: 'de' }, blocks });
  await embedMissing(english, testServer.store, signal);
  const search = createSearchService(testServer.stores, english, clock, rememberingLog());
  const find = async (query: string) =>
    (await search.search(localAccountId, { query, limit: 3 }, signal)).results.map(({ url }) => url?.slice(20));
  // Half of what its words score is less than half of that cosine.
  expect(await find('minka mau feline')).toEqual(['de', '0']);
});

it('where most texts are in other languages, only a visibly English question is compared by meaning', async () => {
  const english = { ...embedder('one'), languages: ['en'] };
  for (let index = 0; index < 40; index += 1) {
    const blocks = paragraphs(`Die Katze Nummer ${index} schläft.`);
    await addFinishedItem(testServer.store, {
      url: `https://example.com/de/${index}`,
      about: { language: 'de' },
      blocks,
    });
  }
  await embedMissing(english, testServer.store, signal);
  const search = createSearchService(testServer.stores, english, clock, rememberingLog());
  const modeOf = async (query: string) => (await search.search(localAccountId, { query, limit: 3 }, signal)).mode;
  expect(await modeOf('feline Nummer')).toBe('lexical');
  expect(await modeOf('where does a feline sleep')).toBe('hybrid');
});

it.each(['🎉', '???', '\ud800', '\ufe0f'])(
  '%j has no meaning: a model would find something near to anything',
  async (query) => {
    const wanted = embedder('wanted');
    await embedMissing(wanted, testServer.store, signal);
    const search = createSearchService(testServer.stores, wanted, clock, rememberingLog());
    const found = async (text: string) =>
      (await search.search(localAccountId, { query: text, limit: 9 }, signal)).results.length;
    expect(await found('!?')).toBe(0);
    expect(await found(query)).toBe(0);
    expect(wanted.asked).toEqual([]);
    expect(await found('feline')).toBe(1);
  },
);

it('a question in an unsupported language is compared by meaning where words find nothing', async () => {
  const matchFloors = { weak: 0.2, doubtful: 0.3, foreign: 0.3 };
  const askAt = async (cosine: number, query: string) => {
    const vector = Float32Array.of(cosine, 0, Math.sqrt(1 - cosine ** 2));
    const english = { ...embedder('one'), languages: ['en'], matchFloors, embedQuery: async () => vector };
    await embedMissing(english, testServer.store, signal);
    const search = createSearchService(testServer.stores, english, clock, rememberingLog());
    const { mode, match, results } = await search.search(localAccountId, { query, limit: 1 }, signal);
    return { mode, match, found: results.map(({ url }) => url?.slice(20)) };
  };
  const question = 'Wo schläft die Mieze?';
  expect(await askAt(0.8, question)).toEqual({ mode: 'hybrid', match: 'strong', found: ['0'] });
  expect(await askAt(0.5, question)).toEqual({ mode: 'lexical', match: 'weak', found: [] });
  // Its words are enough.
  expect(await askAt(0.8, 'Wie ist das flour für das Bread?')).toEqual({
    mode: 'lexical',
    match: 'strong',
    found: ['1'],
  });
});

it('a passage without any word of a foreign question has to be nearer than usual', async () => {
  const matchFloors = { weak: 0.2, doubtful: 0.3, foreign: 0.2 };
  const askAt = async (cosine: number) => {
    const vector = Float32Array.of(cosine, 0, Math.sqrt(1 - cosine ** 2));
    const english = { ...embedder('one'), languages: ['en'], matchFloors, embedQuery: async () => vector };
    await embedMissing(english, testServer.store, signal);
    const search = createSearchService(testServer.stores, english, clock, rememberingLog());
    const query = 'Wo ist flour mit Kartoffeln Möhren Zwiebeln Paprika Gurken Salat?';
    const { results } = await search.search(localAccountId, { query, limit: 5 }, signal);
    return results.map(({ url }) => url?.slice(20));
  };
  expect(await askAt(0.44)).toEqual(['1']);
  expect(await askAt(0.46)).toEqual(['0', '1']);
});

it("with texts in the question's language, meaning only adds results after those by words", async () => {
  for (const [at, text] of [
    'Die Mieze war zuletzt auf dem Dach.',
    'Das Dach ist neu und der Keller ist alt.',
  ].entries())
    await addFinishedItem(testServer.store, {
      url: `https://example.com/d${at}`,
      blocks: paragraphs(text),
      about: { language: 'de' },
    });
  const matchFloors = { weak: 0.2, doubtful: 0.3, foreign: 0.3 };
  const vector = Float32Array.of(0.8, 0, 0.6);
  const english = { ...embedder('one'), languages: ['en'], matchFloors, embedQuery: async () => vector };
  await embedMissing(english, testServer.store, signal);
  const search = createSearchService(testServer.stores, english, clock, rememberingLog());
  const ask = async (query: string) => {
    const { match, results } = await search.search(localAccountId, { query, limit: 5 }, signal);
    return { match, found: results.map(({ url }) => url?.slice(20)) };
  };
  const page = async (query: string, offset: number, limit: number) => {
    const { match, total, hint, results } = await search.search(localAccountId, { query, limit, offset }, signal);
    return { match, total, hint, found: results.map(({ url }) => url?.slice(20)) };
  };
  const words = 'Kartoffeln Möhren Zwiebeln Paprika Gurken Salat';
  expect(await ask(`Wo ist die Mieze mit ${words}?`)).toEqual({ match: 'weak', found: ['d0', '0'] });
  const whole = await page(`Wo ist die Mieze mit ${words}?`, 0, 5);
  expect(whole).toMatchObject({ match: 'weak', total: 2, found: ['d0', '0'] });
  expect(await page(`Wo ist die Mieze mit ${words}?`, 1, 5)).toEqual({ ...whole, found: ['0'] });
  expect(await page(`Wo ist die Mieze mit ${words}?`, 5, 5)).toEqual({ ...whole, found: [] });
  expect(await page(`Wo ist die Mieze mit ${words}?`, 0, 1)).toMatchObject({ total: 1, found: ['d0'] });
  // No text is in French, so the words that the texts share with the question are chance.
  expect((await ask(`Où est le Dach avec pour dans les ${words}?`)).found[0]).toBe('0');
  // To the model, other scripts are noise.
  expect((await ask('猫在哪里睡觉')).found).toEqual([]);
});

it('words answer while the model loads, at once the first time, and the answer says so', async () => {
  const model = embedder('a model');
  await embedMissing(model, testServer.store, signal);
  let loaded = Promise.withResolvers<void>();
  let isLoading = true;
  const late = withQueryCache({
    ...model,
    get isLoading() {
      return isLoading;
    },
    async embedQuery(...asked) {
      await loaded.promise;
      return model.embedQuery(...asked);
    },
  });
  const settings = { ...settingsWith(() => null), maxLoadingMs: { first: 40, later: 1_000 } };
  const search = createSearchService(testServer.stores, late, clock, rememberingLog(), settings);
  const askFor = (query: string) => search.search(localAccountId, { query, limit: 1 }, signal);
  const first = askFor('bread');
  await clock.untilAsleep(40);
  clock.advance(40);
  const hint = expect.stringContaining('still loading');
  expect(await first).toMatchObject({ mode: 'lexical', hint, results: [{ url: 'https://example.com/1' }] });
  const second = askFor('feline');
  await clock.untilAsleep(40);
  isLoading = false;
  loaded.resolve();
  expect(await second).toMatchObject({ mode: 'hybrid', results: [{ url: 'https://example.com/0' }] });
  expect(await askFor('bread')).toMatchObject({ mode: 'hybrid' });
  // A model that was unloaded is waited for.
  isLoading = true;
  loaded = Promise.withResolvers();
  const third = askFor('flour');
  await clock.untilAsleep(1_000);
  loaded.resolve();
  expect(await third).toMatchObject({ mode: 'hybrid' });
  expect(clock.sleeping).toBe(0);
  expect(model.asked).toEqual(['bread', 'feline', 'flour']);
});

it('a misspelt-looking word in another language is compared by meaning before it is corrected', async () => {
  await addFinishedItem(testServer.store, {
    url: 'https://example.com/4',
    blocks: paragraphs('Dormitory rules of chatter.'),
  });
  const matchFloors = { weak: 0.2, doubtful: 0.3, foreign: 0.3 };
  const askAt = async (cosine: number) => {
    const vector = Float32Array.of(cosine, 0, Math.sqrt(1 - cosine ** 2));
    const english = { ...embedder('one'), languages: ['en'], matchFloors, embedQuery: async () => vector };
    await embedMissing(english, testServer.store, signal);
    const search = createSearchService(testServer.stores, english, clock, rememberingLog());
    const { mode, searchedFor, results } = await search.search(
      localAccountId,
      { query: 'où est le chattre', limit: 1 },
      signal,
    );
    return { mode, searchedFor, found: results.map(({ url }) => url?.slice(20)) };
  };
  expect(await askAt(0.8)).toEqual({ mode: 'hybrid', searchedFor: undefined, found: ['0'] });
  expect(await askAt(0.1)).toEqual({ mode: 'lexical', searchedFor: 'où est le chatter', found: ['4'] });
});

it('the first search of a library in other languages suggests a model once', async () => {
  const english = { ...embedder('one'), languages: ['en'] };
  const search = createSearchService(testServer.stores, english, clock, rememberingLog());
  const hintFor = async (query: string) => (await search.search(localAccountId, { query, limit: 1 }, signal)).hint;
  expect(await hintFor('bread flour')).toBeUndefined();
  const texts = Array.from({ length: 30 }, (_, at) => `Die Mieze schläft seit ${at} Uhr in der Küche.`);
  for (const [at, text] of texts.entries())
    await addFinishedItem(testServer.store, {
      url: `https://example.com/de${at}`,
      blocks: paragraphs(text),
      about: { language: 'de' },
    });
  expect(await hintFor('Mieze Küche')).toContain('commonplace model install multilingual-e5-small');
  expect(await hintFor('Mieze Küche')).toBeUndefined();
});
