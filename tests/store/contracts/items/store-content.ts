import { describe, expect, it } from 'vitest';
import {
  analysisOf,
  claim,
  documentOf,
  leaseMs,
  processToPassages,
  resource,
  saveAndProcess,
  saving,
  transcriptOf,
} from './store-items.ts';
import { LeaseLostError } from '../../../../src/store/records.ts';
import type { StoreUnderTest } from '../store-under-test.ts';
import { countUnfinishedJobs } from '../../../support/store/store-reads.ts';
import { claimJob, keepOriginal } from '../../../support/store/claims.ts';

const failure = { code: 'timeout' as const, message: 'The site did not answer.', retryable: true };

export function contentContract(underTest: () => StoreUnderTest): void {
  const list = async (query: object = {}) => {
    const { items, total } = await underTest().store.listContent({ limit: 100, offset: 0, ...query });
    return { urls: items.map(({ url }) => url), total };
  };

  describe('saving', () => {
    it('shows a new item as pending', async () => {
      const { store } = underTest();
      const { id, outcome } = await store.saveContent(
        saving('https://a.example/?utm_source=x', {
          canonicalUrl: 'https://a.example/',
          tags: ['Deep Work', 'zürich'],
          notes: 'from Ann',
        }),
      );
      expect(outcome).toBe('created');
      expect(await store.getContent(id)).toEqual({
        id,
        url: 'https://a.example/?utm_source=x',
        canonicalUrl: 'https://a.example/',
        title: null,
        summary: null,
        contentType: null,
        status: 'pending',
        progress: { stage: 'fetch', attempts: 0 },
        tags: ['Deep Work', 'zürich'],
        notes: 'from Ann',
        shelf: 'inbox',
        readAt: null,
        reading: null,
        author: null,
        siteName: null,
        publishedAt: null,
        language: null,
        wordCount: null,
        createdAt: '2026-01-01T00:00:00.000Z',
        processedAt: null,
        analysis: null,
        warnings: [],
        duplicateOf: null,
        keyInsights: [],
        actions: [],
      });
      const { keyInsights: _, actions: __, ...summary } = (await store.getContent(id))!;
      expect(await store.getContentSummary(id)).toEqual(summary);
      expect((await store.listContent({ limit: 1, offset: 0 })).items).toEqual([summary]);
    });

    it('returns nothing for unknown ids', async () => {
      const { store } = underTest();
      expect(await store.getContent('c_aaaaaaaaaaaaaaaa')).toBeNull();
      expect(await store.getContentSummary('')).toBeNull();
      expect(await store.findByAddress('https://nothing.example/')).toBeNull();
    });

    it('finds an item by its canonical URL until it is deleted', async () => {
      const { store } = underTest();
      const { id } = await store.saveContent(saving('https://found.example/page'));
      expect(await store.findByAddress('https://found.example/page')).toBe(id);
      await store.deleteContent(id);
      expect(await store.findByAddress('https://found.example/page')).toBeNull();
      await store.restoreContent(id);
      expect(await store.findByAddress('https://found.example/page')).toBe(id);
      expect(await store.retryContent('c_aaaaaaaaaaaaaaaa')).toBe(false);
    });

    it('merges a second save into the item with the same canonical URL', async () => {
      const { store } = underTest();
      const first = await store.saveContent(saving('https://a.example/', { tags: ['One', 'two'], notes: 'kept' }));
      const second = await store.saveContent(saving('https://a.example/', { tags: ['ONE', 'Three', 'three'] }));
      expect(second).toMatchObject({ id: first.id, outcome: 'existed' });
      expect(await store.getContent(first.id)).toMatchObject({ tags: ['One', 'two', 'Three'], notes: 'kept' });
      await store.saveContent(saving('https://a.example/', { notes: '' }));
      expect((await store.getContent(first.id))?.notes).toBeNull();
      expect(await countUnfinishedJobs(store)).toBe(1);
      const empty = await store.saveContent(saving('https://b.example/', { notes: '' }));
      expect((await store.getContent(empty.id))?.notes).toBeNull();
    });

    it('resumes a failed item at the stage that failed, and fetches an unreadable one again', async () => {
      const { store } = underTest();
      const { id } = await store.saveContent(saving('https://a.example/'));
      const extracting = await keepOriginal(store, await claim(store), resource('https://a.example/', 'text'));
      await store.failJob(extracting, { ...failure, nextAttemptAt: null });
      expect(await store.getContent(id)).toMatchObject({ status: 'failed', failure: { nextAttemptAt: null } });
      expect(await store.saveContent(saving('https://a.example/'))).toMatchObject({ id, outcome: 'requeued' });
      const again = await store.getContent(id);
      expect(again).toMatchObject({ status: 'pending', progress: { stage: 'fetch', attempts: 0 } });
      expect(again).not.toHaveProperty('failure');
      const embedding = await processToPassages(store, await claim(store), { text: 'text' });
      await store.failJob(embedding, { ...failure, nextAttemptAt: null });
      expect((await store.saveContent(saving('https://a.example/'))).outcome).toBe('requeued');
      expect(await claim(store)).toMatchObject({ contentId: id, stage: 'embed', attempts: 1 });
    });

    it('begins at extract when the caller provides the bytes', async () => {
      const { store } = underTest();
      const original = resource('file:///note.md', '# Note', { declaredType: 'text/markdown' });
      const { id } = await store.saveContent(saving('file:///note.md', { original }));
      const extracting = await claim(store);
      expect(extracting.stage).toBe('extract');
      expect(Buffer.from((await store.readOriginal(id))!.bytes).toString()).toBe('# Note');

      await store.failJob(extracting, { ...failure, nextAttemptAt: null });
      const changed = resource('file:///note.md', '# Changed', { declaredType: 'text/markdown' });
      expect((await store.saveContent(saving('file:///note.md', { original: changed }))).outcome).toBe('requeued');
      expect(Buffer.from((await store.readOriginal(id))!.bytes).toString()).toBe('# Changed');
      expect((await claim(store)).stage).toBe('extract');
    });

    it('stores changed bytes as the next version and shows the previous one meanwhile', async () => {
      const { store, clock } = underTest();
      const url = 'file:///note.md';
      const save = (text: string) => store.saveContent(saving(url, { original: resource(url, text) }));
      const before = 'The first words. '.repeat(20);
      const after = 'The second words. '.repeat(20);
      const { id } = await save(before);
      const embedding = await processToPassages(store, await claim(store), { text: before });
      const { documentId } = (await store.readDocument(id))!;
      await store.keepAnalysis(await store.finishEmbedding(embedding), documentId, analysisOf(before));
      expect(await save(before)).toMatchObject({ id, outcome: 'existed' });
      expect(await claimJob(store, leaseMs)).toBeNull();

      clock.advance(1000);
      expect(await save(after)).toMatchObject({ id, outcome: 'requeued' });
      expect(Buffer.from((await store.readOriginal(id))!.bytes).toString()).toBe(after);
      expect(await store.getContent(id)).toMatchObject({ status: 'pending', transcript: before });
      expect(await store.searchWords('first', {}, 9)).toHaveLength(1);
      const extracting = await claim(store);
      expect(extracting).toMatchObject({ stage: 'extract', attempts: 1 });
      await processToPassages(store, extracting, { text: after });
      expect(await store.readDocument(id)).toMatchObject({ version: 2 });
      expect((await store.getContent(id))?.transcript).toBe(after);
      expect(await store.searchWords('first', {}, 9)).toEqual([]);
      expect(await store.searchWords('second', {}, 9)).toHaveLength(1);
    });

    it('takes the job from a worker that reads outdated bytes', async () => {
      const { store } = underTest();
      const { id } = await store.saveContent(saving('https://a.example/'));
      const fetching = await claim(store);
      const original = resource('https://a.example/', 'given');
      expect((await store.saveContent(saving('https://a.example/', { original }))).outcome).toBe('requeued');
      await expect(keepOriginal(store, fetching, resource('https://a.example/', 'fetched'))).rejects.toThrow(
        LeaseLostError,
      );
      expect(Buffer.from((await store.readOriginal(id))!.bytes).toString()).toBe('given');
      expect((await claim(store)).stage).toBe('extract');
    });

    it('refuses more than fifty tags on one item and stores nothing of that call', async () => {
      const { store } = underTest();
      const some = (from: number, count: number) => Array.from({ length: count }, (_, index) => `tag ${from + index}`);
      const { id } = await store.saveContent(saving('https://a.example/', { tags: some(0, 49), notes: 'before' }));
      const tooMany = store.saveContent(saving('https://a.example/', { tags: some(49, 2), notes: 'after' }));
      await expect(tooMany).rejects.toMatchObject({ code: 'invalid_input' });
      expect(await store.getContent(id)).toMatchObject({ tags: some(0, 49), notes: 'before' });
      await store.saveContent(saving('https://a.example/', { tags: some(48, 2) }));
      expect((await store.getContent(id))?.tags).toHaveLength(50);
    });

    it('returns notes and tags as stored, without invalid characters', async () => {
      const { store } = underTest();
      const notes = `quote ' " NUL \u0000 emoji 🦊 \u2028`;
      const { id } = await store.saveContent(saving('https://a.example/', { notes, tags: [`a'b"\u0000🦊`, '\ud800'] }));
      expect(await store.getContent(id)).toMatchObject({ notes, tags: [`a'b"\u0000🦊`, '\ufffd'] });
      expect((await list({ filter: { tag: `A'B"\u0000🦊` } })).total).toBe(1);
    });
  });

  describe('listing', () => {
    it('puts the newest first and keeps a stable order within one instant', async () => {
      const { store, clock } = underTest();
      for (const name of ['a', 'b', 'c']) await store.saveContent(saving(name));
      clock.advance(1000);
      await store.saveContent(saving('d'));
      expect(await list()).toEqual({ urls: ['d', 'c', 'b', 'a'], total: 4 });
      expect(await list({ limit: 2, offset: 1 })).toEqual({ urls: ['c', 'b'], total: 4 });
      expect(await list({ offset: 4 })).toEqual({ urls: [], total: 4 });
    });

    it('sorts by age or title, also within filters', async () => {
      const { store, clock } = underTest();
      for (const [url, title] of [
        ['c', 'beta'],
        ['b', 'Alpha'],
        ['a', null],
      ] as const) {
        const { id } = await store.saveContent(saving(url, { tags: ['x'] }));
        if (title !== null) await store.updateContent(id, { title });
        clock.advance(1000);
      }
      expect((await list({ order: 'oldest' })).urls).toEqual(['c', 'b', 'a']);
      expect((await list({ order: 'newest' })).urls).toEqual(['a', 'b', 'c']);
      // An item without a title goes by its address, which is what is shown of it.
      expect((await list({ order: 'title' })).urls).toEqual(['a', 'b', 'c']);
      const second = await list({ order: 'title', status: 'pending', filter: { tag: 'x' }, limit: 1, offset: 2 });
      expect(second).toEqual({ urls: ['c'], total: 3 });
    });

    it('filters by type, by status and by several tags, and counts the matches', async () => {
      const { store } = underTest();
      await saveAndProcess(store, 'pdf', {
        text: 'A text.',
        document: { contentType: 'pdf' },
        save: { tags: ['x', 'Y'] },
      });
      await saveAndProcess(store, 'article', { text: 'Another text.', save: { tags: ['y', 'Straße'] } });
      await store.saveContent(saving('waiting', { tags: ['X', 'y', 'z'] }));
      expect(await list({ filter: { type: 'pdf' } })).toEqual({ urls: ['pdf'], total: 1 });
      expect(await list({ filter: { type: 'video' } })).toEqual({ urls: [], total: 0 });
      expect(await list({ status: 'completed' })).toEqual({ urls: ['article', 'pdf'], total: 2 });
      expect(await list({ filter: { tag: 'Y' } })).toEqual({ urls: ['waiting', 'article', 'pdf'], total: 3 });
      expect(await list({ filter: { all: [{ tag: 'Y' }, { tag: 'x' }] } })).toEqual({
        urls: ['waiting', 'pdf'],
        total: 2,
      });
      expect(await list({ filter: { all: [{ tag: 'y' }, { tag: 'x' }] }, status: 'pending', limit: 1 })).toEqual({
        urls: ['waiting'],
        total: 1,
      });
      expect(await list({ filter: { tag: 'STRASSE' } })).toEqual({ urls: [], total: 0 });
      expect(await list({ filter: { tag: 'STRAßE' } })).toEqual({ urls: ['article'], total: 1 });
      expect(await list({ filter: { all: [{ tag: 'y' }, { tag: 'nowhere' }] } })).toEqual({ urls: [], total: 0 });
    });

    it('derives the status from the job', async () => {
      const { store, clock } = underTest();
      const { id } = await store.saveContent(saving('a'));
      const statusAndProgress = async () => {
        const { status, progress, failure } = (await store.getContent(id))!;
        const listed = await list({ status });
        expect(listed).toEqual({ urls: ['a'], total: 1 });
        return [status, progress, failure?.nextAttemptAt];
      };
      const first = await claim(store);
      expect(await statusAndProgress()).toEqual(['processing', { stage: 'fetch', attempts: 1 }, undefined]);
      clock.advance(leaseMs);
      expect(await statusAndProgress()).toEqual(['pending', { stage: 'fetch', attempts: 1 }, undefined]);
      expect(await store.renewLease(first, leaseMs)).toBe(true);
      expect(await statusAndProgress()).toEqual(['processing', { stage: 'fetch', attempts: 1 }, undefined]);
      await store.failJob(first, { ...failure, nextAttemptAt: clock.now() + 5000 });
      expect(await store.getContentSummary(id)).toMatchObject({
        status: 'pending',
        progress: { stage: 'fetch', attempts: 1 },
        failure: {
          ...failure,
          message: `${failure.message} It is tried again by itself.`,
          attempts: 1,
          nextAttemptAt: '2026-01-01T00:01:05.000Z',
        },
      });
      clock.advance(5000);
      let next = await claim(store);
      expect(await statusAndProgress()).toEqual(['processing', { stage: 'fetch', attempts: 2 }, undefined]);
      next = await processToPassages(store, next, { text: 'Some text.' });
      expect(await statusAndProgress()).toEqual(['processing', { stage: 'embed', attempts: 1 }, undefined]);
      await store.failJob(next, { ...failure, nextAttemptAt: null });
      expect(await statusAndProgress()).toEqual(['failed', undefined, null]);
    });

    it('shows only what the document states', async () => {
      const { store } = underTest();
      const { id } = await store.saveContent(saving('a'));
      const extracting = await keepOriginal(store, await claim(store), resource('a', 'x'));
      const known = {
        contentType: 'video' as const,
        title: 'A title',
        author: 'Ann',
        siteName: 'Site',
        publishedAt: '2025-05-05T00:00:00.000Z',
        language: 'de',
        warnings: [{ code: 'w', message: 'Look out.' }],
      };
      await store.keepDocument(extracting, documentOf({ ...known, durationSeconds: 12.5 }), transcriptOf('Zwei Worte'));
      const item = (await store.getContent(id))!;
      expect(item).toMatchObject({ ...known, durationSeconds: 12.5, wordCount: 2, transcript: 'Zwei Worte' });
      expect(item).not.toHaveProperty('pageCount');
      expect(item.status).toBe('processing');
    });

    it('counts searchable, waiting and failed items', async () => {
      const { store } = underTest();
      const counts = () => store.coverage();
      expect(await counts()).toEqual({ searchable: 0, pending: 0, failed: 0 });
      await saveAndProcess(store, 'completed', { text: 'Text.' });
      await store.saveContent(saving('failed early'));
      await store.failJob(await claim(store), { ...failure, nextAttemptAt: null });
      await store.saveContent(saving('failed after its passages were kept'));
      const embedding = await processToPassages(store, await claim(store), { text: 'Other text.' });
      await store.failJob(embedding, { ...failure, nextAttemptAt: null });
      await store.saveContent(saving('searchable, not completed'));
      await processToPassages(store, await claim(store), { text: 'Third text.' });
      await saveAndProcess(store, 'completed without any text', { text: '' });
      await store.saveContent(saving('waiting'));
      expect(await counts()).toEqual({ searchable: 3, pending: 1, failed: 1 });
    });
  });
}
