import { afterEach, beforeEach, expect, it } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { localAccountId, scopes } from '../../src/domain/records/account.ts';
import { rulesVersion } from '../../src/domain/records/analyses/analysis.ts';
import type { AnalysisInput, Analyst } from '../../src/models/analysis/analyst.ts';
import { renewAnalyses, type RenewalParts } from '../../src/pipeline/renew-analyses.ts';
import type { Store } from '../../src/store/store.ts';
import { addFinishedItem, emptyAnalysis, paragraphs } from '../support/content.ts';
import { keepSomething } from '../support/vitest/stages.ts';
import { saveUrls } from '../support/store/stores.ts';
import { textWork } from '../support/texts/text-work.ts';
import { openWorkshop, until, withChangedStore, type Workshop } from '../support/vitest/workers.ts';

let testServer: Workshop;
const signal = new AbortController().signal;
beforeEach(async () => {
  testServer = await openWorkshop();
});
afterEach(() => testServer.close());

const add = (store: Store, text: string, by: 'extractive' | 'claude' | 'assistant' = 'extractive') =>
  addFinishedItem(store, {
    url: `https://example.com/${encodeURIComponent(text)}`,
    blocks: paragraphs(text),
    analysis: { ...emptyAnalysis, summary: 'Old.', info: { ...emptyAnalysis.info, by } },
  });

/** Sums up a text by repeating it, and notes the texts that it was given. */
function repeating(seen: string[]): Analyst {
  return {
    by: 'extractive',
    model: null,
    analyse: async ({ text }: AnalysisInput) => {
      seen.push(text);
      if (text.startsWith('Broken')) throw new Error('broken');
      return { summary: text, insights: [], actions: [], droppedQuotes: 0 };
    },
  };
}

/** The walk, with a clock on which no sleep takes time. */
function walk(seen: string[], more: Partial<RenewalParts> = {}, slept: number[] = []): Promise<void> {
  const { clock, log, stores } = testServer;
  return renewAnalyses(
    {
      stores,
      takeTurn: () => Promise.resolve(true),
      isIdle: () => true,
      analyst: repeating(seen),
      place: textWork.place,
      proposeTags: async () => ({ found: [], areComputed: true, areApplied: true }),
      clock: {
        now: () => clock.now(),
        elapsed: () => clock.elapsed(),
        uptime: () => clock.uptime(),
        sleep: async (ms, stop) => {
          stop?.throwIfAborted();
          slept.push(ms);
        },
      },
      log,
      ...more,
    },
    signal,
  );
}

const summaryOf = async (store: Store, id: string) => (await store.getContentSummary(id))?.summary;

it('renews extractive analyses by outdated rules once, and no others, with accounts in turns', async () => {
  const { id: account } = await testServer.stores.control.createAccount({ name: 'other', plan: 'pro' });
  const theirs = await testServer.stores.open(account);
  const first = await add(testServer.store, 'First.');
  const written = [
    await add(testServer.store, 'By a model.', 'claude'),
    await add(testServer.store, 'Or not.', 'assistant'),
  ];
  const broken = await add(testServer.store, 'Broken.');
  await add(testServer.store, 'Second.');
  const other = await add(theirs, 'Theirs.');
  const seen: string[] = [];
  await walk(seen);
  expect(seen).toHaveLength(4);
  expect(new Set(seen.slice(0, 2))).toEqual(new Set(['First.', 'Theirs.']));
  expect(seen.slice(2)).toEqual(['Broken.', 'Second.']);
  expect(await testServer.store.getContent(first)).toMatchObject({
    status: 'completed',
    summary: 'First.',
    analysis: { by: 'extractive', promptVersion: rulesVersion },
  });
  expect(await summaryOf(theirs, other)).toBe('Theirs.');
  for (const id of [broken, ...written]) expect(await summaryOf(testServer.store, id)).toBe('Old.');
  const told = testServer.log.entries.filter(({ level }) => level === 'info').map(({ fields }) => fields);
  expect(told).toContainEqual({ accountId: localAccountId, renewed: 2, left: 1 });
  expect(testServer.log.entries.filter(({ level }) => level === 'warn')).toEqual([]);
  expect(await testServer.store.listHistory({ scopes, limit: 9, offset: 0 })).toMatchObject({ total: 0 });
  // The next start tries what failed again, and finds nothing else.
  await walk(seen);
  expect(seen.slice(4)).toEqual(['Broken.']);
});

it('waits while the worker is busy', async () => {
  const old = await add(testServer.store, 'Old text.');
  const [id] = await saveUrls(testServer.store, ['https://example.com/new']);
  const held = Promise.withResolvers<void>();
  const worker = testServer.workerWith(async (store, claim) => {
    await held.promise;
    return keepSomething(store, claim);
  });
  worker.start();
  await until(() => !worker.isIdle);
  const seen: string[] = [];
  const seenWhileBusy: number[] = [];
  const sleep = async () => {
    if (worker.isIdle) return;
    seenWhileBusy.push(seen.length);
    if (seenWhileBusy.length < 3) return;
    held.resolve();
    await until(() => worker.isIdle);
  };
  const { clock } = testServer;
  const reading = { now: () => clock.now(), elapsed: () => clock.elapsed(), uptime: () => clock.uptime() };
  await walk(seen, { isIdle: () => worker.isIdle, clock: { ...reading, sleep } });
  expect(seenWhileBusy.slice(0, 3)).toEqual([0, 0, 0]);
  expect(seen[0]).toContain('Old text.');
  expect(await summaryOf(testServer.store, old)).toBe('Old text.');
  await until(async () => (await testServer.store.getContentSummary(id!))?.status === 'completed');
});

it('waits at most a minute for a worker that never rests', async () => {
  const id = await add(testServer.store, 'Text.');
  const slept: number[] = [];
  await walk([], { isIdle: () => false }, slept);
  expect(await summaryOf(testServer.store, id)).toBe('Text.');
  const untilFirst = slept.slice(1, slept.indexOf(0)).reduce((sum, ms) => sum + ms, 0);
  expect(untilFirst).toBe(60_000);
});

it('returns to an unavailable account a few times, and waits for its turn among servers', async () => {
  const id = await add(testServer.store, 'Text.');
  let failing = 2;
  const stores = withChangedStore(testServer.stores, (store) => ({
    listAnalysed: (after, limit) => {
      failing -= 1;
      return failing >= 0 ? Promise.reject(new Error('away')) : store.listAnalysed(after, limit);
    },
  }));
  let asked = 0;
  const slept: number[] = [];
  const takeTurn = () => {
    asked += 1;
    return asked === 1 ? Promise.reject(new Error('away')) : Promise.resolve(asked > 2);
  };
  await walk([], { stores, takeTurn }, slept);
  expect(await summaryOf(testServer.store, id)).toBe('Text.');
  expect(testServer.log.entries.filter(({ level }) => level === 'warn')).toHaveLength(2);
  expect(slept.filter((ms) => ms === 600_000)).toHaveLength(4);
  failing = Number.POSITIVE_INFINITY;
  await walk([], { stores });
  expect(testServer.log.entries.filter(({ level }) => level === 'warn')).toHaveLength(8);
});

it('skips an account that was removed meanwhile without a message', async () => {
  const slept: number[] = [];
  const open = () => Promise.reject(new AppError('not_found', 'There is no such account.'));
  await walk([], { stores: { ...testServer.stores, open } }, slept);
  expect(slept).toEqual([60_000]);
  expect(testServer.log.entries).toEqual([]);
});

it('ends quietly when the server stops, and reports when the accounts cannot be listed', async () => {
  const { clock, log, stores } = testServer;
  const stopping = new AbortController();
  const parts = {
    stores,
    takeTurn: () => Promise.resolve(true),
    isIdle: () => true,
    place: textWork.place,
    proposeTags: async () => ({ found: [], areComputed: true, areApplied: true }),
    clock,
    log,
  };
  const ended = renewAnalyses({ ...parts, analyst: repeating([]) }, stopping.signal);
  stopping.abort();
  await ended;
  expect(log.entries).toEqual([]);
  const listAccounts = () => Promise.reject(new Error('away'));
  await walk([], { stores: { ...stores, control: { ...stores.control, listAccounts } } });
  expect(log.entries.map(({ level }) => level)).toEqual(['warn']);
});
