import { describe, expect, it } from 'vitest';
import type { Store } from '../../../../src/store/store.ts';
import { analysisOf, claim, passageIds, processToPassages, resource, saveAndProcess, saving } from './store-items.ts';
import type { StoreUnderTest } from '../store-under-test.ts';
import { keepOriginal } from '../../../support/store/claims.ts';

async function statusOf(store: Store, id: string): Promise<string | undefined> {
  return (await store.getContentSummary(id))?.status;
}

export function reprocessingContract(underTest: () => StoreUnderTest): void {
  describe('reprocessing', () => {
    it.each(['extract', 'split', 'embed', 'analyse'] as const)(
      'begins at %s and shows the old results meanwhile',
      async (from) => {
        const { store } = underTest();
        const id = await saveAndProcess(store, 'a', { text: 'An old fox.' });
        expect(await store.reprocess(from, id)).toEqual({ queued: 1, lacking: 0 });
        expect(await statusOf(store, id)).toBe('pending');
        expect(await store.searchWords('fox', {}, 9)).toHaveLength(1);
        expect(await claim(store)).toMatchObject({ contentId: id, stage: from, attempts: 1 });
      },
    );

    it('gives precedence to newly saved items', async () => {
      const { store, clock } = underTest();
      for (const url of ['a', 'b']) await saveAndProcess(store, url, { text: `Text of ${url}.` });
      expect(await store.reprocess('extract')).toEqual({ queued: 2, lacking: 0 });
      clock.advance(60_000);
      const { id } = await store.saveContent(saving('c'));
      expect((await claim(store)).contentId).toBe(id);
      expect((await claim(store)).stage).toBe('extract');
      expect(await store.nextJobDueAt()).toBe(clock.now() - 60_000);
    });

    it('skips items that have not reached the stage, and counts those without its input', async () => {
      const { store } = underTest();
      const waiting = await store.saveContent(saving('waiting'));
      const failed = await store.saveContent(saving('failed'));
      for (const taken of [await claim(store), await claim(store)]) {
        if (taken.contentId === failed.id) {
          await store.failJob(taken, { code: 'timeout', message: 'No answer.', retryable: false, nextAttemptAt: null });
        } else await keepOriginal(store, taken, resource(taken.url, 'x'));
      }
      expect(await store.reprocess('split')).toEqual({ queued: 0, lacking: 2 });
      expect(await store.reprocess('extract')).toEqual({ queued: 0, lacking: 1 });
      expect(await statusOf(store, waiting.id)).toBe('processing');
      expect(await statusOf(store, failed.id)).toBe('failed');
      expect(await store.reprocess('extract', 'c_aaaaaaaaaaaaaaaa')).toEqual({ queued: 0, lacking: 0 });
    });

    it('takes an item from a worker that holds it at a later stage', async () => {
      const { store } = underTest();
      await store.saveContent(saving('a'));
      const embedding = await processToPassages(store, await claim(store), { text: 'Text.' });
      expect(await store.reprocess('split')).toEqual({ queued: 1, lacking: 0 });
      await expect(store.finishEmbedding(embedding)).rejects.toThrow('lease');
      expect((await claim(store)).stage).toBe('split');
    });

    it('computes new vectors when it begins at embed', async () => {
      const { store } = underTest();
      const id = await saveAndProcess(store, 'a', { text: 'Text.' });
      const [passage] = await store.listPassagesToEmbed('e', 9);
      await store.keepVectors('e', [{ passageId: passage!.passageId, vector: Float32Array.of(1, 0) }]);
      await store.reprocess('embed', id);
      expect(await store.countVectors('e')).toEqual({ passages: 1, embedded: 0 });
    });

    it('keeps the vectors of unchanged passages in an unchanged language', async () => {
      const { store } = underTest();
      const vectors = [Float32Array.of(1, 0), Float32Array.of(0, 1), Float32Array.of(-1, 0)];
      const id = await saveAndProcess(store, 'a', { text: 'One.Two.Six.', passageLength: 4 });
      const waiting = () => store.listPassagesToEmbed('e', 9, { contentId: id });
      const embed = async () => {
        const passages = await waiting();
        await store.keepVectors(
          'e',
          passages.map(({ passageId }, at) => ({ passageId, vector: vectors[at]! })),
        );
      };
      const readAgain = async (text: string, language: string) => {
        await store.reprocess('extract', id);
        await processToPassages(store, await claim(store), { text, passageLength: 4, document: { language } });
        return (await waiting()).map((passage) => passage.text);
      };
      await embed();
      expect(await readAgain('Six.New.One.', 'en')).toEqual(['New.']);
      expect(await store.countVectors('e')).toEqual({ passages: 3, embedded: 2 });
      const hits = await store.searchVectors('e', vectors[0]!, {}, 9);
      const found = await store.readPassages(passageIds(hits));
      expect(found.map(({ text }, at) => [text, Math.round(hits[at]!.score)])).toEqual([
        ['One.', 1],
        ['Six.', -1],
      ]);
      await embed();
      expect(await readAgain('One.Six.New.', 'de')).toEqual(['One.', 'Six.', 'New.']);
    });

    it('keeps companions when the text cannot be read again, and fetches nothing', async () => {
      const { store } = underTest();
      const id = await saveAndProcess(store, 'a', { text: 'Text.' });
      await store.keepCompanion(id, 'captions', resource('captions', 'c'));
      await store.reprocess('extract', id);
      const failure = { code: 'internal', message: 'Broken.', retryable: false, nextAttemptAt: null } as const;
      await store.failJob(await claim(store), failure);
      expect(await store.readOriginal(id, 'captions')).not.toBeNull();
      expect(await store.getContent(id)).toMatchObject({ status: 'failed', transcript: 'Text.' });
      expect(await store.reprocess('extract')).toEqual({ queued: 1, lacking: 0 });
    });

    it('keeps old versions of the text while an action refers to them', async () => {
      const { store } = underTest();
      const id = await saveAndProcess(store, 'a', { text: 'Do one. Do two.', actions: ['Do one.'] });
      const [done] = (await store.getContent(id))!.actions;
      await store.updateAction(done!.id, { state: 'done' });
      for (const text of ['Do two.', 'Do two. Do one.']) {
        await store.reprocess('extract', id);
        const embedding = await processToPassages(store, await claim(store), { text });
        const { documentId } = (await store.readDocument(id))!;
        const quotes = text.includes('one') ? ['Do one.'] : [];
        await store.keepAnalysis(await store.finishEmbedding(embedding), documentId, analysisOf(text, quotes));
        expect((await store.getContent(id))!.actions).toEqual([
          expect.objectContaining({ id: done!.id, state: 'done', quote: 'Do one.' }),
        ]);
        expect((await store.getContent(id))!.actions[0]?.quoteGone).toBe(quotes.length > 0 ? undefined : true);
      }
      expect((await store.getContent(id))!.actions[0]?.locator).toEqual({ kind: 'text', start: 8, end: 15 });
    });
  });
}
