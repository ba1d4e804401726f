import { keepSomething } from '../../../support/vitest/stages.ts';
import { describe, expect, it } from 'vitest';
import { type Claim, type JobsToClaim, LeaseLostError } from '../../../../src/store/records.ts';
import {
  analysisOf,
  claim,
  documentOf,
  leaseMs,
  resource,
  saveAndProcess,
  saving,
  transcriptOf,
} from './store-items.ts';
import type { StoreUnderTest } from '../store-under-test.ts';
import { countUnfinishedJobs } from '../../../support/store/store-reads.ts';
import { claimJob, keepOriginal } from '../../../support/store/claims.ts';

const failure = { code: 'server_error' as const, message: 'The site has trouble. Try again later.', retryable: true };

export function jobContract(underTest: () => StoreUnderTest): void {
  describe('jobs', () => {
    it('hands out each job once, the oldest first', async () => {
      const { store, clock } = underTest();
      for (const url of ['a', 'b', 'c']) await store.saveContent(saving(url));
      expect(await countUnfinishedJobs(store)).toBe(3);
      expect((await claim(store)).url).toBe('a');
      expect((await claim(store)).url).toBe('b');
      expect(await claim(store)).toMatchObject({
        url: 'c',
        stage: 'fetch',
        attempts: 1,
        leaseExpiresAt: clock.now() + leaseMs,
      });
      expect(await claimJob(store, leaseMs)).toBeNull();
      expect(await countUnfinishedJobs(store)).toBe(3);
    });

    it('takes jobs in the order in which they fell due, retries and new ones alike', async () => {
      const { store, clock } = underTest();
      await store.saveContent(saving('retried'));
      await store.failJob(await claim(store), { ...failure, nextAttemptAt: clock.now() + 1000 });
      await store.saveContent(saving('saved before the retry'));
      clock.advance(2000);
      await store.saveContent(saving('saved after the retry'));
      const order = [(await claim(store)).url, (await claim(store)).url, (await claim(store)).url];
      expect(order).toEqual(['saved before the retry', 'retried', 'saved after the retry']);
    });

    it('hands out fetching, reading and enriching jobs separately, oldest or newest first', async () => {
      const { store, clock } = underTest();
      for (const url of ['a', 'b', 'c', 'd']) {
        clock.advance(1);
        await store.saveContent(saving(url));
      }
      await store.releaseJob(await keepOriginal(store, await claim(store), resource('a', 'x')));
      const take = async (which: JobsToClaim) => (await claimJob(store, leaseMs, which))?.url;
      expect(await take({ work: 'read', newestFirst: true })).toBe('a');
      expect(await take({ work: 'read' })).toBeUndefined();
      expect(await take({ work: 'fetch', newestFirst: true })).toBe('d');
      expect(await take({ work: 'fetch' })).toBe('b');
      expect(await take({ newestFirst: true })).toBe('c');
    });

    it('hands out an item that is already findable by words as another kind of work', async () => {
      const { store } = underTest();
      await store.saveContent(saving('a'));
      const take = async (work: JobsToClaim['work']) => claimJob(store, leaseMs, { work });
      let held = await claim(store);
      for (const stage of ['extract', 'split', 'embed', 'analyse'] as const) {
        const next = await keepSomething(store, held);
        if (next !== null) await store.releaseJob(next);
        const isRead = stage === 'extract' || stage === 'split';
        expect(await take('fetch')).toBeNull();
        expect(await take(isRead ? 'enrich' : 'read')).toBeNull();
        expect(await store.nextJobDueAt()).not.toBeNull();
        held = (await take(isRead ? 'read' : 'enrich'))!;
        expect(held).toMatchObject({ stage });
      }
      const { searchable } = await store.coverage();
      expect(searchable).toBe(1);
    });

    it('skips jobs for a busy host', async () => {
      const { store } = underTest();
      for (const url of ['https://a.example/1', 'https://a.example/2', 'https://b.example:8443/', 'file:///c'])
        await store.saveContent(saving(url));
      const which = { busyHosts: ['a.example', 'b.example:8443'] };
      expect(await claimJob(store, leaseMs, which)).toMatchObject({ url: 'file:///c', host: null });
      expect(await claimJob(store, leaseMs, which)).toBeNull();
      const other = await claimJob(store, leaseMs, { busyHosts: ['a.example'] });
      expect(other).toMatchObject({ url: 'https://b.example:8443/', host: 'b.example:8443' });
      // It was led to another host.
      await store.releaseJob(other!, 'c.example');
      expect(await claimJob(store, leaseMs, { busyHosts: ['a.example', 'c.example'] })).toBeNull();
      const led = await claimJob(store, leaseMs, which);
      expect(led).toMatchObject({ host: 'c.example', attempts: 1 });
      // What comes after the fetch needs no host.
      await store.releaseJob(await keepOriginal(store, led!, resource('https://b.example:8443/', 'x')));
      const reading = await claimJob(store, leaseMs, { ...which, work: 'read' });
      expect(reading).toMatchObject({ host: null });
    });

    it('skips jobs that fetch a second time from a busy host', async () => {
      const { store } = underTest();
      const { id } = await store.saveContent(saving('https://a.example/1'));
      const reading = await keepOriginal(store, await claim(store), resource('https://a.example/1', 'x'));
      await store.failJob(reading, { ...failure, nextAttemptAt: null });
      expect(await store.retryContent(id)).toBe(true);
      expect(await claimJob(store, leaseMs, { busyHosts: ['a.example'] })).toBeNull();
      expect(await claimJob(store, leaseMs, {})).toMatchObject({ stage: 'fetch', host: 'a.example' });
    });

    it('remembers on a retry the host to which a fetch was redirected', async () => {
      const { store } = underTest();
      const { id } = await store.saveContent(saving('https://a.example/1'));
      await store.releaseJob(await claim(store), 'c.example');
      await store.failJob(await claim(store), { ...failure, nextAttemptAt: null });
      expect(await store.retryContent(id)).toBe(true);
      expect(await claimJob(store, leaseMs, {})).toMatchObject({ stage: 'fetch', host: 'c.example' });
    });

    it('hands out several jobs at once, newest and oldest alternating, one per host', async () => {
      const { store, clock } = underTest();
      for (const url of ['a', 'b', 'c', 'd', 'e']) {
        clock.advance(1);
        await store.saveContent(saving(url));
      }
      const urls = (claims: readonly Claim[]) => claims.map(({ url }) => url);
      const some = await store.claimJobs(leaseMs, 3, { newestFirst: true });
      expect(urls(some)).toEqual(['e', 'a', 'd']);
      for (const one of some) expect(one).toMatchObject({ attempts: 1, leaseExpiresAt: clock.now() + leaseMs });
      expect(new Set(some.map(({ leaseToken }) => leaseToken)).size).toBe(3);
      expect(urls(await store.claimJobs(leaseMs, 9))).toEqual(['b', 'c']);
      expect(await store.claimJobs(leaseMs, 9)).toEqual([]);
      expect(await store.claimJobs(leaseMs, 9, { work: 'enrich' })).toEqual([]);
      clock.advance(leaseMs);
      expect(await store.claimJobs(leaseMs, 9)).toHaveLength(5);

      for (const url of ['https://a.example/1', 'https://a.example/2', 'https://b.example/', 'https://c.example/'])
        await store.saveContent(saving(url));
      const elsewhere = await store.claimJobs(leaseMs, 9, { busyHosts: ['c.example'] });
      expect(urls(elsewhere)).toEqual(['https://a.example/1', 'https://b.example/']);
    });

    it('keeps a result and releases the job at once for the next stage', async () => {
      const { store } = underTest();
      const { id } = await store.saveContent(saving('https://a.example/'));
      const fetching = await claim(store);
      await store.keepOriginalAndRelease(fetching, resource('https://a.example/', 'x'));
      expect(await store.readOriginal(id)).not.toBeNull();
      expect(await store.getContent(id)).toMatchObject({ progress: { stage: 'extract', attempts: 0 } });
      await expect(store.keepOriginalAndRelease(fetching, resource('https://a.example/', 'y'))).rejects.toThrow(
        LeaseLostError,
      );
      const reading = await claim(store);
      expect(reading).toMatchObject({ stage: 'extract', attempts: 1, host: null });

      const text = 'Foxes dig.';
      const locator = { kind: 'text', start: 0, end: text.length } as const;
      const passages = [{ ordinal: 0, start: 0, end: text.length, headingPath: [], locator }];
      const kept = {
        document: documentOf({ title: 'Foxes' }),
        transcript: transcriptOf(text),
        passages,
        wordCount: 2,
        fingerprint: null,
      };
      await store.keepReadingAndRelease(reading, kept, 'embed');
      expect(await store.getContent(id)).toMatchObject({ title: 'Foxes', progress: { stage: 'embed', attempts: 0 } });
      expect((await store.coverage()).searchable).toBe(1);
      await expect(store.keepReadingAndRelease(reading, kept, 'embed')).rejects.toThrow(LeaseLostError);
      const embedding = await claim(store);
      expect(embedding).toMatchObject({ stage: 'embed', attempts: 1 });
      await store.finishEmbedding(embedding);

      await store.saveContent(saving('b'));
      const other = await keepOriginal(store, await claim(store), resource('b', 'x'));
      await store.keepReadingAndRelease(other, kept, 'analyse');
      expect(await claim(store)).toMatchObject({ stage: 'analyse', attempts: 1 });
    });

    it('postpones an untried job with its companions and does not count an attempt', async () => {
      const { store, clock } = underTest();
      const { id } = await store.saveContent(saving('a'));
      const reading = await keepOriginal(store, await claim(store), resource('a', 'x'));
      await store.keepCompanion(id, 'captions', resource('captions', 'x'));
      await store.failJob(reading, { ...failure, nextAttemptAt: clock.now() + 1_000, isUntried: true });
      expect(await claimJob(store, leaseMs)).toBeNull();
      expect((await store.getContent(id))?.failure).toMatchObject({ code: 'server_error', attempts: 0 });
      clock.advance(1_000);
      expect(await claim(store)).toMatchObject({ stage: 'extract', attempts: 1 });
      expect(await store.readOriginal(id, 'captions')).not.toBeNull();
    });

    it('gives the time at which the next job is due', async () => {
      const { store, clock } = underTest();
      expect(await store.nextJobDueAt()).toBeNull();
      await store.saveContent(saving('a'));
      expect(await store.nextJobDueAt()).toBe(clock.now());
      const taken = await claim(store);
      expect(await store.nextJobDueAt()).toBe(clock.now() + leaseMs);
      expect(await store.nextLeaseEndsAt()).toBe(clock.now() + leaseMs);
      await store.failJob(taken, { ...failure, nextAttemptAt: clock.now() + 5 });
      expect(await store.nextJobDueAt()).toBe(clock.now() + 5);
      expect(await store.nextLeaseEndsAt()).toBeNull();
      clock.advance(5);
      await store.failJob(await claim(store), { ...failure, nextAttemptAt: null });
      expect(await store.nextJobDueAt()).toBeNull();
      expect(await countUnfinishedJobs(store)).toBe(0);
    });

    it('hands out a job with an expired lease again, as a further attempt', async () => {
      const { store, clock } = underTest();
      await store.saveContent(saving('a'));
      const first = await claim(store);
      clock.advance(leaseMs - 1);
      expect(await claimJob(store, leaseMs)).toBeNull();
      clock.advance(1);
      const second = await claim(store);
      expect(second).toMatchObject({ jobId: first.jobId, attempts: 2 });
      expect(second.leaseToken).not.toBe(first.leaseToken);
      clock.advance(leaseMs);
      expect((await claim(store)).attempts).toBe(3);
    });

    it('keeps a renewed lease, whatever stage the claim names', async () => {
      const { store, clock } = underTest();
      await store.saveContent(saving('a'));
      const first = await keepOriginal(store, await claim(store), resource('a', 'x'), leaseMs);
      clock.advance(leaseMs / 2);
      await store.keepDocument(first, documentOf(), transcriptOf('x'));
      expect(await store.renewLease(first, leaseMs)).toBe(true);
      clock.advance(leaseMs / 2);
      expect(await claimJob(store, leaseMs)).toBeNull();
      clock.advance(leaseMs / 2);
      expect(await claimJob(store, leaseMs)).not.toBeNull();
      expect(await store.renewLease(first, leaseMs)).toBe(false);
    });

    it('does not count an attempt that was given back', async () => {
      const { store } = underTest();
      const { id } = await store.saveContent(saving('a'));
      await store.releaseJob(await claim(store));
      expect(await store.getContent(id)).toMatchObject({ status: 'pending', progress: { attempts: 0 } });
      expect((await claim(store)).attempts).toBe(1);
    });

    it('counts attempts per stage', async () => {
      const { store, clock } = underTest();
      await store.saveContent(saving('a'));
      await store.failJob(await claim(store), { ...failure, nextAttemptAt: clock.now() });
      const second = await claim(store);
      expect(second.attempts).toBe(2);
      await store.keepOriginalAndRelease(second, resource('a', 'x'));
      const extracting = await claim(store);
      expect(extracting).toMatchObject({ stage: 'extract', attempts: 1 });
      const splitting = await store.keepDocument(extracting, documentOf(), transcriptOf('x'));
      expect(splitting).toEqual({ ...extracting, stage: 'split' });
      await store.releaseJob(splitting);
      expect(await claim(store)).toMatchObject({ stage: 'split', attempts: 1 });
    });

    it('refuses results from a worker whose job another one has', async () => {
      const { store, clock } = underTest();
      const { id } = await store.saveContent(saving('a'));
      let stale = await claim(store);
      /** Lets the lease run out and another worker take over; that one's claim is given back. */
      const overtake = async (): Promise<Claim> => {
        clock.advance(leaseMs);
        return claim(store);
      };
      let owner = await overtake();
      await expect(keepOriginal(store, stale, resource('a', 'x'))).rejects.toThrow(LeaseLostError);
      expect(await store.readOriginal(id)).toBeNull();
      stale = await keepOriginal(store, owner, resource('a', 'x'));
      owner = await overtake();
      await expect(store.keepDocument(stale, documentOf(), transcriptOf('x'))).rejects.toThrow(LeaseLostError);
      expect(await store.readDocument(id)).toBeNull();
      stale = await store.keepDocument(owner, documentOf(), transcriptOf('x'));
      const { documentId } = (await store.readDocument(id))!;
      owner = await overtake();
      await expect(store.keepPassages(stale, documentId, [])).rejects.toThrow(LeaseLostError);
      stale = await store.keepPassages(owner, documentId, []);
      owner = await overtake();
      await expect(store.finishEmbedding(stale)).rejects.toThrow(LeaseLostError);
      stale = await store.finishEmbedding(owner);
      owner = await overtake();
      await expect(store.keepAnalysis(stale, documentId, analysisOf('x', ['x']))).rejects.toThrow(LeaseLostError);
      expect(await store.getContent(id)).toMatchObject({ status: 'processing', summary: null, actions: [] });
      await store.failJob(stale, { ...failure, nextAttemptAt: null });
      await store.releaseJob(stale);
      expect(await store.getContent(id)).toMatchObject({
        status: 'processing',
        progress: { stage: 'analyse', attempts: 2 },
      });
      expect(await store.keepAnalysis(owner, documentId, analysisOf('x'))).toBeNull();
      expect((await store.getContent(id))?.status).toBe('completed');
    });

    it('refuses the same result a second time', async () => {
      const { store } = underTest();
      await store.saveContent(saving('a'));
      const fetching = await claim(store);
      await keepOriginal(store, fetching, resource('a', 'x'));
      await expect(keepOriginal(store, fetching, resource('a', 'y'))).rejects.toThrow(LeaseLostError);
    });

    it('shows what became known of a failed item until a document says it', async () => {
      const { store } = underTest();
      const { id } = await store.saveContent(saving('a'));
      const known = { contentType: 'youtube', title: 'Foxes', author: 'Ann', durationSeconds: 90 } as const;
      await store.failJob(await claim(store), { ...failure, nextAttemptAt: null, known });
      const expected = { status: 'failed', ...known, language: null };
      expect(await store.getContent(id)).toMatchObject(expected);
      expect(await store.getContent(id)).not.toHaveProperty('transcript');
      expect((await store.listContent({ limit: 9, offset: 0, filter: { type: 'youtube' } })).items).toMatchObject([
        expected,
      ]);

      await store.retryContent(id);
      await store.failJob(await claim(store), { ...failure, nextAttemptAt: null, known: { title: 'Red foxes' } });
      expect(await store.getContent(id)).toMatchObject({ ...known, title: 'Red foxes' });
      await store.retryContent(id);
      const extracting = await keepOriginal(store, await claim(store), resource('a', 'x'));
      await store.keepDocument(extracting, documentOf({ title: 'All foxes' }), transcriptOf('x'));
      const read = await store.getContent(id);
      expect(read).toMatchObject({ title: 'All foxes', author: 'Ann', durationSeconds: 90, contentType: 'article' });
      expect(read?.failure).toBeUndefined();
    });

    it('retries failed and waiting items at once and restarts their count of attempts', async () => {
      const { store, clock } = underTest();
      const { id } = await store.saveContent(saving('a'));
      expect(await store.retryContent(id)).toBe(false);
      await store.failJob(await claim(store), { ...failure, nextAttemptAt: clock.now() + 60_000 });
      expect(await claimJob(store, leaseMs)).toBeNull();
      expect(await store.retryContent(id)).toBe(true);
      const again = await claim(store);
      expect(again.attempts).toBe(1);
      expect(await store.retryContent(id)).toBe(false);
      await store.failJob(again, { ...failure, nextAttemptAt: null });
      expect(await store.retryContent(id)).toBe(true);
      expect(await store.getContent(id)).toMatchObject({ status: 'pending', progress: { attempts: 0 } });
      expect(await store.getContent(id)).not.toHaveProperty('failure');
      expect((await claim(store)).attempts).toBe(1);
    });

    it('fetches an unreadable item and its companions again when a person asks', async () => {
      const { store, clock } = underTest();
      const { id } = await store.saveContent(saving('https://a.example/'));
      const fail = async (taken: Claim, nextAttemptAt: number | null) => {
        await store.keepCompanion(id, 'captions', resource('captions', 'x'));
        await store.failJob(taken, { ...failure, nextAttemptAt });
        expect(await store.readOriginal(id, 'captions')).toBeNull();
      };
      await fail(await keepOriginal(store, await claim(store), resource('https://a.example/', 'x')), clock.now() + 5);
      clock.advance(5);
      const again = await claim(store);
      expect(again).toMatchObject({ stage: 'extract', attempts: 2 });
      await fail(again, clock.now() + 5);
      expect(await store.readOriginal(id)).not.toBeNull();
      expect(await store.retryContent(id)).toBe(true);
      const fetching = await claim(store);
      expect(fetching).toMatchObject({ stage: 'fetch', attempts: 1 });
      await fail(await keepOriginal(store, fetching, resource('https://a.example/', 'y')), null);
      expect(await store.retryContent(id)).toBe(true);
      expect((await claim(store)).stage).toBe('fetch');
    });

    it("reads the caller's own text again, whatever its address", async () => {
      const { store } = underTest();
      const original = resource('https://a.example/', 'given');
      const { id } = await store.saveContent(saving('https://a.example/', { original }));
      await store.failJob(await claim(store), { ...failure, nextAttemptAt: null });
      expect(await store.retryContent(id)).toBe(true);
      const again = await claim(store);
      expect(again).toMatchObject({ stage: 'extract', attempts: 1 });
      await store.failJob(again, { ...failure, nextAttemptAt: null });
      expect((await store.saveContent(saving('https://a.example/'))).outcome).toBe('requeued');
      expect((await claim(store)).stage).toBe('extract');
    });

    it('finds nothing to retry in a completed item', async () => {
      const { store } = underTest();
      const id = await saveAndProcess(store, 'a', { text: 'Text.' });
      expect(await store.retryContent(id)).toBe(false);
      expect((await store.getContent(id))?.status).toBe('completed');
      expect(await store.nextJobDueAt()).toBeNull();
    });
  });
}
