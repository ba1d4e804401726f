import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { localAccountId } from '../../../src/domain/records/account.ts';
import type { Embedder } from '../../../src/models/embedding/embedder.ts';
import { createRelatedService } from '../../../src/services/search/related.ts';
import { createSearchService } from '../../../src/services/search/search.ts';
import { createSuggestionService } from '../../../src/services/search/suggestions.ts';
import { ManualClock } from '../../support/clock.ts';
import { addFinishedItem, paragraphs } from '../../support/content.ts';
import { openStores, rememberingLog, type TestStores } from '../../support/store/stores.ts';

const signal = new AbortController().signal;

describe('related items', () => {
  let testServer: TestStores;
  const ids: Record<string, string> = {};
  const topics: Record<string, string[]> = {
    bread: [
      'Knead the dough for ten minutes. Then let it rest.',
      'Bake the bread in a hot oven until the crust is brown.',
    ],
    baking: ['A hot oven gives the crust its colour. Bake bread on a stone.', 'Rye needs more water than wheat.'],
    cake: ['Beat the eggs and the sugar. Bake the cake in a hot oven until it is brown.', 'Let the cake cool down.'],
    sleep: ['Go to bed at the same hour.', 'Keep the bedroom dark and cool.'],
  };
  const embedder: Embedder = {
    id: 'three-1',
    dimensions: 3,
    languages: null,
    embedPassages: async (texts) => texts.map(() => Float32Array.of(1, 0, 0)),
    embedQuery: async () => Float32Array.of(1, 0, 0),
    close: async () => undefined,
  };

  beforeAll(async () => {
    testServer = await openStores(new ManualClock());
    for (const [name, texts] of Object.entries(topics)) {
      ids[name] = await addFinishedItem(testServer.store, {
        url: `https://example.com/${name}`,
        about: { title: `On ${name}` },
        blocks: paragraphs(...texts),
      });
    }
    ids['copy'] = await addFinishedItem(testServer.store, {
      url: 'https://example.com/copy',
      about: { title: 'On bread' },
      blocks: paragraphs(...(topics['bread'] ?? [])),
    });
  });
  afterAll(() => testServer.close());

  const near = (name: string, limit = 5, using: Embedder | null = null) =>
    createRelatedService(testServer.stores, using).related(localAccountId, ids[name] ?? '', limit, signal);

  it('are found by words where there are no vectors, and name the similar passages', async () => {
    const { by, items } = await near('bread');
    expect(by).toBe('words');
    expect(items.map(({ id }) => id)).toEqual([ids['baking'], ids['cake']]);
    const [pair] = items[0]?.why ?? [];
    expect(pair?.here.text).toBe('Bake the bread in a hot oven until the crust is brown.');
    expect(pair?.there).toMatchObject({
      text: 'A hot oven gives the crust its colour. Bake bread on a stone.',
      url: expect.stringMatching(/^https:\/\/example\.com\/baking#:~:text=A%20hot%20oven/),
    });
  });

  it('exclude the item itself and its duplicates, and respect the limit', async () => {
    expect((await near('copy')).items.map(({ id }) => id)).not.toContain(ids['bread']);
    expect((await near('bread', 1)).items).toHaveLength(1);
    await expect(near('nothing')).rejects.toMatchObject({ code: 'not_found' });
    expect((await near('sleep')).items).toEqual([]);
  });

  it('are shown even if one was made to have the fingerprint of another', async () => {
    const own = await openStores(new ManualClock());
    const said = (subject: string) => Array.from({ length: 40 }, (_, at) => `${subject}${at}`).join(' ');
    const fingerprint = new Uint8Array(32).fill(7);
    const saved: string[] = [];
    for (const subject of ['asked', 'real', 'made']) {
      const blocks = paragraphs(said(subject));
      saved.push(await addFinishedItem(own.store, { url: `https://example.com/${subject}`, blocks, fingerprint }));
    }
    const passages = await own.store.listPassagesToEmbed(embedder.id, 9);
    const vectors = passages.map(({ passageId }) => ({ passageId, vector: Float32Array.of(1, 0, 0) }));
    await own.store.keepVectors(embedder.id, vectors);
    const [asked = '', ...others] = saved;
    const { items } = await createRelatedService(own.stores, embedder).related(localAccountId, asked, 5, signal);
    expect(items.map(({ id }) => id).toSorted()).toEqual(others.toSorted());
    await own.close();
  });

  it('are found by vectors where there are some, the broadest similarity first', async () => {
    const pointing: Record<string, [number, number, number][]> = {
      bread: [
        [1, 0, 0],
        [0, 1, 0],
      ],
      baking: [
        [1, 0.1, 0],
        [0.1, 1, 0],
      ],
      cake: [
        [1, 0.1, 0],
        [0, 0, 1],
      ],
      sleep: [
        [0, 0, 1],
        [0, 0, 1],
      ],
      copy: [
        [0, 0, 1],
        [0.1, 1, 0],
      ],
    };
    for (const [name, directions] of Object.entries(pointing)) {
      const sample = await testServer.store.sampleItem(ids[name] ?? '', null, 8);
      await testServer.store.keepVectors(
        embedder.id,
        sample.map(({ passageId }, index) => {
          const vector = Float32Array.from(directions[index] ?? []);
          return { passageId, vector: vector.map((one) => one / Math.hypot(...vector)) };
        }),
      );
    }
    const { by, items } = await near('bread', 5, embedder);
    expect(by).toBe('meaning');
    expect(items.map(({ id }) => id)).toEqual([ids['baking'], ids['cake']]);
    expect(items.map(({ why }) => why.length)).toEqual([2, 1]);
    expect(items[0]?.score).toBeGreaterThan(items[1]?.score ?? 1);
    // Of an item and its copy one is shown, with passages of its own alone.
    const [nearest] = (await near('baking', 1, embedder)).items;
    expect(nearest?.why.map(({ there }) => (there.url ?? '').split('#')[0])).toEqual([nearest?.url]);
    const sampled = await testServer.store.sampleItem(ids['bread'] ?? '', embedder.id, 1);
    expect(sampled).toHaveLength(1);
    expect(Math.hypot(...(sampled[0]?.vector ?? []))).toBeCloseTo(1);
  });
});

describe('suggestions', () => {
  let testServer: TestStores;
  let clock: ManualClock;
  const texts = async (typed: string, limit = 10) =>
    (await createSuggestionService(testServer.stores).suggest(localAccountId, typed, limit)).suggestions.map(
      ({ kind, text }) => `${kind}: ${text}`,
    );
  const save = (title: string, tags: string[] = []) =>
    addFinishedItem(testServer.store, {
      url: `https://example.com/${encodeURIComponent(title)}`,
      about: { title },
      tags,
      blocks: paragraphs(`A text called ${title}.`),
    });
  beforeEach(async () => {
    clock = new ManualClock();
    testServer = await openStores(clock);
  });
  afterEach(() => testServer.close());

  it('come from titles, tags, frequent phrases and past questions', async () => {
    await save('Deep sleep and the brain', ['sleep', 'Health']);
    await save('Why deep sleep matters');
    await save('Slow bread');
    await testServer.store.rememberQuery('how to sleep better');
    expect(await texts('sle')).toEqual([
      'query: how to sleep better',
      'tag: sleep',
      'title: Why deep sleep matters',
      'title: Deep sleep and the brain',
    ]);
    expect(await texts('deep sl')).toEqual([
      'phrase: Deep sleep',
      'title: Why deep sleep matters',
      'title: Deep sleep and the brain',
    ]);
    expect(await texts('HEAL')).toEqual(['tag: Health']);
    // Operators, and their values, in the query that is typed so far.
    await testServer.store.addList({ name: 'To read' });
    expect(await texts('bread ta')).toEqual(['operator: bread tag:']);
    expect(await texts('bread tag:he', 1)).toEqual(['operator: bread tag:Health']);
    expect(await texts('is:un', 1)).toEqual(['operator: is:unread']);
    expect(await texts('list:to', 1)).toEqual(['operator: list:"To read"']);
    expect(await texts('leep')).toEqual([]);
    expect(await texts('sle', 2)).toHaveLength(2);
    expect(await texts('')).toEqual(['query: how to sleep better', 'tag: Health', 'tag: sleep']);
  });

  it('follow changes of the items', async () => {
    const id = await save('Old title', ['rare']);
    await testServer.store.updateContent(id, { title: 'Fresh title' });
    expect(await texts('old')).toEqual([]);
    expect(await texts('fresh')).toEqual(['title: Fresh title']);
    await testServer.store.deleteContent(id);
    expect(await texts('fresh')).toEqual([]);
    expect(await texts('rare')).toEqual([]);
    await testServer.store.restoreContent(id);
    expect(await texts('fresh')).toEqual(['title: Fresh title']);
  });

  it('accept any text, and scripts without spaces', async () => {
    await save('良い睡眠の話');
    expect(await texts('睡眠')).toEqual(['title: 良い睡眠の話']);
    for (const typed of ['"', "'); --", '%', '_', '\\', '*', 'a" OR "b', 'NEAR(', '\u0000', '🙂'])
      expect(await texts(typed)).toBeInstanceOf(Array);
  });

  it('keep a limited number of the newest questions, each once, until they are forgotten', async () => {
    for (let index = 0; index < 1_005; index += 1) {
      clock.advance(1);
      await testServer.store.rememberQuery(`question ${index}`);
    }
    await testServer.store.rememberQuery('QUESTION  1004');
    const kept = await testServer.store.listPastQueries();
    expect(kept).toHaveLength(1_000);
    expect(kept[0]).toMatchObject({ text: 'QUESTION  1004', times: 2 });
    expect(kept.at(-1)?.text).toBe('question 5');
    expect(await createSuggestionService(testServer.stores).forgetQueries(localAccountId)).toEqual({
      forgotten: 1_000,
    });
    expect(await texts('question')).toEqual([]);
  });

  it('learn from searches with results, when the setting is on', async () => {
    await save('Deep sleep');
    const log = rememberingLog();
    const asking = async (query: string, rememberQueries: boolean, remember = true) => {
      const search = createSearchService(testServer.stores, null, clock, log, { rememberQueries });
      await search.search(localAccountId, { query, limit: 1, remember }, signal);
      await new Promise(setImmediate);
    };
    await asking('deep sleep today', false);
    await asking('deep sleep measured', true, false);
    await asking('nothing of it zzz'.slice(14), true);
    expect(await testServer.store.listPastQueries()).toEqual([]);
    await asking('deep sleep', true);
    expect(await testServer.store.listPastQueries()).toMatchObject([{ text: 'deep sleep', times: 1 }]);
  });
});
