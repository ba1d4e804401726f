import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localAccountId as account } from '../../src/domain/records/account.ts';
import { ProcessingError } from '../../src/errors.ts';
import { createRequestThread, type RequestThread } from '../../src/requests/request-thread.ts';
import { createLibraryService, type LibraryService } from '../../src/services/library/library.ts';
import type { Progress } from '../../src/services/library/saving.ts';
import { addFinishedItem, paragraphs } from '../support/content.ts';
import { keepSomething, untilAborted } from '../support/vitest/stages.ts';
import { openWorkshop, until, withChangedStore, type Workshop } from '../support/vitest/workers.ts';
const url = 'https://example.com/essay';
let testServer: Workshop;
let library: LibraryService;
let queued: number;
let reports: Progress[];
let whyNoModel: string | null;
let requests: RequestThread;

beforeEach(async () => {
  testServer = await openWorkshop();
  queued = 0;
  reports = [];
  whyNoModel = null;
  requests = createRequestThread(1_000);
  library = createLibraryService(
    testServer.stores,
    testServer.clock,
    () => (queued += 1),
    requests.makeOriginal,
    async () => whyNoModel,
  );
});

afterEach(async () => {
  await requests.close();
  await testServer.close();
});

const waiting = (signal = new AbortController().signal) => ({
  signal,
  onProgress: (progress: Progress) => void reports.push(progress),
});

/** Lets time pass in the steps in which it is waited for. */
async function passTimeUntil(ended: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  const end = () => over.abort();
  void ended.then(end, end);
  while (!over.signal.aborted) {
    await new Promise((resolve) => setImmediate(resolve));
    if (testServer.clock.sleeping > 0) testServer.clock.advance(50);
  }
}

describe('waiting for an item', () => {
  it('reports rising progress and answers with the processed item', async () => {
    const worker = testServer.workerWith(async (store, claim) => {
      await testServer.clock.sleep(300);
      return keepSomething(store, claim);
    });
    worker.start();
    const saved = library.save(account, { url, wait: 45 }, waiting());
    await passTimeUntil(saved);
    expect(await saved).toMatchObject({ status: 'completed', outcome: 'created' });
    expect(reports.map(({ progress }) => progress)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(new Set(reports.map(({ total }) => total))).toEqual(new Set([5]));
    expect(reports.at(-1)?.message).toBe('Done');
  });

  it('ends at its timeout and leaves the item to be processed', async () => {
    const began = testServer.clock.now();
    const saved = library.save(account, { url, wait: 2 }, waiting());
    await passTimeUntil(saved);
    expect(await saved).toMatchObject({ status: 'pending' });
    expect(testServer.clock.now() - began).toBeGreaterThanOrEqual(2_000);
    expect(testServer.clock.now() - began).toBeLessThan(2_500);
    expect(reports.map(({ progress }) => progress)).toEqual([0]);
  });

  it.each([
    ['It could not be processed', false],
    ['Put off to a later attempt', true],
  ])('does not report an unfinished item as done: %s', async (message, retryable) => {
    const worker = testServer.workerWith(() =>
      Promise.reject(new ProcessingError('server_error', 'Down.', { retryable })),
    );
    worker.start();
    const saved = library.save(account, { url, wait: 45 }, waiting());
    await passTimeUntil(saved);
    expect((await saved).failure).toMatchObject({ code: 'server_error' });
    expect(reports.at(-1)).toEqual({ progress: 5, total: 5, message });
  });

  it('leaves the item saved when cancelled', async () => {
    const cancelling = new AbortController();
    const saved = library.save(account, { url, wait: 45 }, waiting(cancelling.signal));
    saved.catch(() => undefined);
    await until(() => testServer.clock.sleeping === 1);
    cancelling.abort();
    await expect(saved).rejects.toMatchObject({ name: 'AbortError' });
    expect(testServer.clock.sleeping).toBe(0);
    expect(await library.list(account, { limit: 20, offset: 0 })).toMatchObject({
      total: 1,
      items: [{ url, status: 'pending' }],
    });
  });

  it('continues without a limit when none was given', async () => {
    const { id } = await library.save(account, { url }, waiting());
    const finish = Promise.withResolvers<void>();
    const worker = testServer.workerWith(async (store, claim, signal) => {
      if (claim.stage === 'fetch') await Promise.race([finish.promise, untilAborted(signal)]);
      return keepSomething(store, claim);
    });
    worker.start();
    const ended = library.waitFor(account, id, waiting());
    for (let minute = 0; minute < 10; minute += 1) {
      await until(() => testServer.clock.sleeping >= 2);
      testServer.clock.advance(60_000);
    }
    finish.resolve();
    await passTimeUntil(ended);
    expect((await ended).status).toBe('completed');
  });

  it('returns at once for a processed item', async () => {
    const id = await addFinishedItem(testServer.store, { url, blocks: paragraphs('text') });
    expect(await library.waitFor(account, id, waiting())).toMatchObject({ id, status: 'completed' });
    expect(reports.map(({ message }) => message)).toEqual(['Done']);
  });
});

describe('retrying', () => {
  it('queues a failed item, and one that waits for a later attempt', async () => {
    for (const retryable of [true, false]) {
      const { id } = await library.save(account, { url: `${url}/${String(retryable)}` }, waiting());
      await testServer
        .workerWith(() => Promise.reject(new ProcessingError('timeout', 'Slow.', { retryable })))
        .runUntilEmpty();
      expect(await library.retry(account, id)).toMatchObject({
        id,
        status: 'pending',
        progress: { stage: 'fetch', attempts: 0 },
      });
      await testServer.workerWith(keepSomething).runUntilEmpty();
      expect((await library.get(account, id)).status).toBe('completed');
    }
  });

  it('reports that there is nothing to retry, or no such item', async () => {
    const id = await addFinishedItem(testServer.store, { url, blocks: paragraphs('text') });
    await expect(library.retry(account, id)).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(library.retry(account, 'c_aaaaaaaaaaaaaaaa')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('deleting', () => {
  it('answers the same when repeated, and can be undone', async () => {
    const id = await addFinishedItem(testServer.store, { url, blocks: paragraphs('text'), about: { title: 'Theirs' } });
    const deleted = await library.delete(account, id);
    expect(deleted).toEqual({
      id,
      title: 'Theirs',
      url,
      deletedAt: '2026-01-01T00:00:00.000Z',
      restorableUntil: '2026-01-31T00:00:00.000Z',
    });
    expect(await library.delete(account, id)).toEqual(deleted);
    await expect(library.get(account, id)).rejects.toMatchObject({ code: 'not_found' });
    expect((await library.list(account, { limit: 9, offset: 0, deleted: true })).items).toMatchObject([{ id }]);
    expect(await library.restore(account, id)).toMatchObject({ id, status: 'completed' });
    expect(await library.restore(account, id)).not.toHaveProperty('deletedAt');
    expect(queued).toBe(2);
    for (const change of ['delete', 'restore'] as const) {
      await expect(library[change](account, 'c_aaaaaaaaaaaaaaaa')).rejects.toMatchObject({ code: 'not_found' });
      const other = await testServer.stores.control.createAccount({ name: 'Another', plan: 'pro' });
      await expect(library[change](other.id, id)).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('stops the processing of the deleted item quietly', async () => {
    const { id } = await library.save(account, { url }, waiting());
    const worker = testServer.workerWith(async (store, claim) => {
      await library.delete(account, id);
      return keepSomething(store, claim);
    });
    await worker.runUntilEmpty();
    expect(testServer.log.entries.filter(({ level }) => level !== 'debug')).toEqual([]);
    await expect(library.get(account, id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await library.save(account, { url }, waiting())).toMatchObject({
      id,
      outcome: 'restored',
      status: 'pending',
    });
    await testServer.workerWith(keepSomething).runUntilEmpty();
    expect((await library.get(account, id)).status).toBe('completed');
  });
});

describe('an item whose LLM analysis waits', () => {
  it('gives the reason in both answers while it shows the extract', async () => {
    const id = await addFinishedItem(testServer.store, { url, blocks: paragraphs('Sleep is a skill that grows.') });
    expect((await library.get(account, id)).warnings).toEqual([]);
    whyNoModel = "today's budget is spent; it goes on tomorrow (UTC)";
    const warnings = [
      {
        code: 'analysis_waits',
        message:
          "The model has not analysed this yet: today's budget is spent; it goes on tomorrow (UTC). The extracted summary stands in until then.",
      },
    ];
    expect(await library.get(account, id)).toMatchObject({ analysis: { by: 'extractive' }, warnings });
    expect(await library.getPage(account, id, { maxTokens: 2_000 })).toMatchObject({ warnings });
  });
});

describe('a save that is undone at once', () => {
  it.each([[undefined], [1]])('is answered with the item as it was saved (wait: %s)', async (wait) => {
    const stores = withChangedStore(testServer.stores, (store) => ({
      saveContent: async (input) => {
        const saved = await store.saveContent(input);
        await store.deleteContent(saved.id);
        return saved;
      },
    }));
    const racing = createLibraryService(
      stores,
      testServer.clock,
      () => {},
      requests.makeOriginal,
      async () => null,
    );
    const saved = await racing.save(account, { url, tags: ['a'], wait }, waiting());
    expect(saved).toMatchObject({
      url,
      outcome: 'created',
      status: 'pending',
      tags: ['a'],
      keyInsights: [],
      actions: [],
    });
    await expect(racing.get(account, saved.id)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('failed items', () => {
  it('are queued again, all at once or by code, and counted', async () => {
    const fail = (code: 'timeout' | 'not_found') =>
      testServer.workerWith(() => Promise.reject(new ProcessingError(code, 'No.'))).runUntilEmpty();
    for (let at = 0; at < 70; at += 1) await library.save(account, { url: `${url}/${at}` }, waiting());
    await fail('timeout');
    await library.save(account, { url: `${url}/gone` }, waiting());
    await fail('not_found');
    const { id } = await library.save(account, { url: `${url}/deleted` }, waiting());
    await fail('not_found');
    await library.delete(account, id);
    queued = 0;
    expect(await library.retryFailed(account, ['not_found'])).toEqual({
      queued: { not_found: 1 },
      failed: { timeout: 70, not_found: 1 },
    });
    expect(queued).toBe(1);
    expect(await library.retryFailed(account)).toEqual({ queued: { timeout: 70 }, failed: { timeout: 70 } });
    expect(await library.retryFailed(account)).toEqual({ queued: {}, failed: {} });
    expect((await library.list(account, { limit: 1, offset: 0, status: 'pending' })).total).toBe(71);
  });
});
