import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Filter } from '../../../../src/domain/search/filter.ts';
import { claim, leaseMs, passageIds, processToPassages, saveAndProcess, saving } from '../items/store-items.ts';
import type { StoreUnderTest } from '../store-under-test.ts';
import { listPassages } from '../../../support/store/store-reads.ts';

function unit(components: readonly number[]): Float32Array {
  const length = Math.hypot(...components);
  return Float32Array.from(components, (component) => component / length);
}

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, component, i) => sum + component * (b[i] ?? 0), 0);

export function vectorContract(underTest: () => StoreUnderTest): void {
  const passagesOf = async (id: string) => {
    const { store } = underTest();
    return listPassages(store, id);
  };

  describe('searching by vectors', () => {
    it('ranks by cosine as exact floats would', async () => {
      const { store } = underTest();
      const id = await saveAndProcess(store, 'a', { text: 'x'.repeat(200), passageLength: 1 });
      const component = fc.double({ min: -1, max: 1, noNaN: true });
      const vector = fc
        .array(component, { minLength: 384, maxLength: 384 })
        .filter((v) => Math.hypot(...v) > 1)
        .map(unit);
      const [query, ...vectors] = fc.sample(vector, { numRuns: 201, seed: 7 });
      const stored = await passagesOf(id);
      const kept = stored.map(({ passageId }, i) => ({ passageId, vector: vectors[i]! }));
      await store.keepVectors('e', kept);
      const hits = await store.searchVectors('e', query!, {}, 200);
      expect(hits).toHaveLength(200);
      const exact = new Map(kept.map(({ passageId, vector }) => [passageId, dot(query!, vector)]));
      for (const { passageId, score } of hits) expect(Math.abs(score - exact.get(passageId)!)).toBeLessThan(0.004);
      const best = [...exact]
        .toSorted((a, b) => b[1] - a[1])
        .slice(0, 10)
        .map(([passageId]) => passageId);
      const found = new Set(passageIds(hits.slice(0, 12)));
      expect(best.filter((passageId) => found.has(passageId)).length).toBeGreaterThanOrEqual(9);
      expect(hits.every(({ contentId }) => contentId === id)).toBe(true);
    });

    it('returns only the best, best first', async () => {
      const { store } = underTest();
      const id = await saveAndProcess(store, 'a', { text: 'abc', passageLength: 1 });
      const [a, b, c] = passageIds(await passagesOf(id));
      await store.keepVectors('e', [
        { passageId: a!, vector: unit([1, 1]) },
        { passageId: b!, vector: unit([1, 0]) },
        { passageId: c!, vector: unit([-1, 0]) },
      ]);
      const hits = await store.searchVectors('e', unit([1, 0]), {}, 2);
      expect(passageIds(hits)).toEqual([b, a]);
      expect(hits[0]!.score).toBeCloseTo(1, 5);
      expect(hits[1]!.score).toBeCloseTo(Math.SQRT1_2, 3);
      expect((await store.searchVectors('e', unit([1, 0]), {}, 9)).at(-1)!.score).toBeCloseTo(-1, 5);
    });

    it('filters before it ranks', async () => {
      const { store } = underTest();
      const near = await saveAndProcess(store, 'near', { text: 'a' });
      const pdf = await saveAndProcess(store, 'far', {
        text: 'b',
        document: { contentType: 'pdf' },
        save: { tags: ['T'] },
      });
      const [nearPassage, pdfPassage] = [(await passagesOf(near))[0]!, (await passagesOf(pdf))[0]!];
      await store.keepVectors('e', [
        { passageId: nearPassage.passageId, vector: unit([1, 0]) },
        { passageId: pdfPassage.passageId, vector: unit([0, 1]) },
      ]);
      const search = async (items: Filter | null) =>
        passageIds(await store.searchVectors('e', unit([1, 0]), { items }, 1));
      expect(await search(null)).toEqual([nearPassage.passageId]);
      expect(await search({ type: 'pdf' })).toEqual([pdfPassage.passageId]);
      expect(await search({ tag: 't' })).toEqual([pdfPassage.passageId]);
      expect(await search({ all: [{ tag: 't' }, { type: 'article' }] })).toEqual([]);
    });

    it('says which passages lack a vector of an embedder', async () => {
      const { store } = underTest();
      const first = await saveAndProcess(store, 'a', { text: 'abc', passageLength: 1, headingPath: ['H'] });
      const second = await saveAndProcess(store, 'b', { text: 'd' });
      const all = [...(await passagesOf(first)), ...(await passagesOf(second))];
      expect(await store.listPassagesToEmbed('e', 2)).toEqual(
        all.slice(0, 2).map(({ passageId, text, headingPath }) => ({ passageId, text, headingPath })),
      );
      await store.keepVectors('e', [{ passageId: all[0]!.passageId, vector: unit([1, 0]) }]);
      expect(passageIds(await store.listPassagesToEmbed('e', 10))).toEqual(passageIds(all.slice(1)));
      expect(passageIds(await store.listPassagesToEmbed('e', 10, { contentId: first }))).toEqual(
        passageIds(all.slice(1, 3)),
      );
      expect(passageIds(await store.listPassagesToEmbed('e', 10, { contentId: second }))).toEqual(
        passageIds(all.slice(3)),
      );
      expect(await store.countVectors('e')).toEqual({ passages: 4, embedded: 1 });
      await store.keepVectors(
        'e',
        all.map(({ passageId }) => ({ passageId, vector: unit([0, 1]) })),
      );
      expect(await store.listPassagesToEmbed('e', 10)).toEqual([]);
      expect(await store.countVectors('e')).toEqual({ passages: 4, embedded: 4 });
    });

    it('compares languages by their first subtag', async () => {
      const { store } = underTest();
      for (const [url, language] of Object.entries({ a: 'en-US', b: 'EN_gb', c: 'eng', d: 'de', e: null, f: 'en' })) {
        await saveAndProcess(store, url, { text: `${url} text`, document: { language } });
      }
      const texts = async (languages: string[]) =>
        (await store.listPassagesToEmbed('e', 9, { languages })).map(({ text }) => text[0]).join('');
      expect(await texts(['en'])).toBe('abef');
      expect(await texts(['en-GB', 'de'])).toBe('abdef');
      expect(await store.countVectors('e', ['en'])).toEqual({ passages: 4, embedded: 0 });
      expect(await store.countVectors('e', [])).toEqual({ passages: 1, embedded: 0 });
      expect(await store.countVectors('e')).toEqual({ passages: 6, embedded: 0 });
    });

    it('skips passages that the pipeline is about to embed', async () => {
      const { store, clock } = underTest();
      const waiting = async () => (await store.listPassagesToEmbed('e', 9)).length;
      const { id } = await store.saveContent(saving('a'));
      const embedding = await processToPassages(store, await claim(store), { text: 'a' });
      expect(await waiting()).toBe(0);
      expect(await store.listPassagesToEmbed('e', 9, { contentId: id })).toHaveLength(1);
      clock.advance(leaseMs);
      expect(await waiting()).toBe(0);
      const failure = { code: 'embedding_failed' as const, message: 'Later.', retryable: true };
      await store.failJob(embedding, { ...failure, nextAttemptAt: clock.now() + 5 });
      expect(await waiting()).toBe(1);
      clock.advance(5);
      expect(await waiting()).toBe(0);
      const again = await claim(store);
      expect(await waiting()).toBe(0);
      await store.finishEmbedding(again);
      expect(await waiting()).toBe(1);
      await store.failJob(again, { ...failure, nextAttemptAt: null });
      expect(await waiting()).toBe(1);
    });

    it('never mixes embedders: a new one replaces the old passage by passage', async () => {
      const { store } = underTest();
      const id = await saveAndProcess(store, 'a', { text: 'ab', passageLength: 1 });
      const [a, b] = passageIds(await passagesOf(id));
      await store.keepVectors('old', [
        { passageId: a!, vector: unit([1, 0]) },
        { passageId: b!, vector: unit([1, 0]) },
      ]);
      await store.keepVectors('new', [{ passageId: a!, vector: unit([1, 0, 0]) }]);
      expect(passageIds(await store.searchVectors('new', unit([1, 0, 0]), {}, 9))).toEqual([a]);
      expect(passageIds(await store.searchVectors('old', unit([1, 0]), {}, 9))).toEqual([b]);
      expect(passageIds(await store.listPassagesToEmbed('new', 9))).toEqual([b]);
      expect(await store.searchVectors('unknown', unit([1, 0]), {}, 9)).toEqual([]);
      await expect(store.searchVectors('new', unit([1, 0]), {}, 9)).rejects.toThrow('dimensions');
      await expect(store.keepVectors('new', [{ passageId: b!, vector: unit([1, 0]) }])).rejects.toThrow('dimensions');
    });

    it('skips vectors of missing passages', async () => {
      const { store } = underTest();
      await store.keepVectors('e', [{ passageId: 12_345, vector: unit([1, 0]) }]);
      expect(await store.countVectors('e')).toEqual({ passages: 0, embedded: 0 });
    });
  });
}
