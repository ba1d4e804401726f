import { afterAll, beforeAll, expect, test } from 'vitest';
import { localAccountId } from '../../src/domain/records/account.ts';
import { tokensOf } from '../../src/domain/text/token-budget.ts';
import { createReviewService } from '../../src/services/analyses/review.ts';
import type { Store } from '../../src/store/store.ts';
import { ManualClock } from '../support/clock.ts';
import { addFinishedItem, emptyAnalysis, paragraphs } from '../support/content.ts';
import { openStores, type TestStores } from '../support/store/stores.ts';
import { claimJob } from '../support/store/claims.ts';

const hour = 60 * 60_000;
const day = 24 * hour;
const clock = new ManualClock();
let testServer: TestStores;
let store: Store;
beforeAll(async () => {
  testServer = await openStores(clock);
  store = testServer.store;
});
afterAll(() => testServer.close());

const week = (maxTokens = 5_000) => createReviewService(testServer.stores, clock).week(localAccountId, maxTokens);
const page = (name: string) => `https://example.org/${name}`;
const waiting = (name: string) =>
  store.saveContent({ url: page(name), canonicalUrl: page(name), tags: [], notes: undefined });

test('an empty library has an empty week', async () => {
  const review = await week();
  expect(review).toMatchObject({ from: '2025-12-25T00:00:00.000Z', to: '2026-01-01T00:00:00.000Z' });
  const { from: _, to: __, ...lists } = review;
  for (const list of Object.values(lists)) expect(list).toEqual({ total: 0, items: [] });
});

test('the week covers exactly seven days, and an item is stuck after one day', async () => {
  await addFinishedItem(store, { url: page('old'), blocks: paragraphs('Old.') });
  clock.advance(hour);
  await addFinishedItem(store, { url: page('new'), blocks: paragraphs('New.') });
  clock.advance(7 * day - hour / 2);
  expect((await week()).saved.items.map(({ url }) => url)).toEqual([page('new')]);
  clock.advance(day);
  await waiting('slow');
  clock.advance(day);
  expect((await week()).stuck.total).toBe(0);
  clock.advance(1);
  expect((await week()).stuck.items).toMatchObject([{ url: page('slow'), status: 'pending' }]);
});

test('an older item finished now counts as finished, and a reprocessed one is not stuck', async () => {
  clock.advance(10 * day);
  expect((await week()).finished.total).toBe(0);
  await store.reprocess('analyse');
  expect((await week()).stuck.items.map(({ url }) => url)).toEqual([page('slow')]);
  for (let claim = await claimJob(store, 1_000); claim !== null; claim = await claimJob(store, 1_000)) {
    if (claim.url === page('slow')) {
      const failure = {
        code: 'timeout' as const,
        message: 'Later.',
        retryable: true,
        nextAttemptAt: clock.now() + day,
      };
      await store.failJob(claim, failure);
      continue;
    }
    const document = await store.readDocument(claim.contentId);
    await store.keepAnalysis(claim, document?.documentId ?? -1, emptyAnalysis);
  }
  const review = await week();
  expect(review.finished.items.map(({ url }) => url)).toEqual([page('new'), page('old')]);
  expect(review.saved.total).toBe(0);
});

test('overdue actions and those due in seven days are listed separately, each once, without snoozed ones', async () => {
  const { items } = await store.listContent({ limit: 1, offset: 0 });
  const contentId = items[0]!.id;
  const inDays = (count: number) => new Date(clock.now() + count * day).toISOString().slice(0, 10);
  const days: [title: string, more: object][] = [
    ['Yesterday', { due: inDays(-1), priority: 'high' }],
    ['Today', { due: inDays(0) }],
    ['In six days', { due: inDays(6), snoozedUntil: inDays(0) }],
    ['In seven days', { due: inDays(7) }],
    ['Not before tomorrow', { due: inDays(0), snoozedUntil: inDays(1) }],
    ['Some day', {}],
  ];
  for (const [title, more] of days) await store.addAction({ contentId, title, ...more });
  const shown = async () => {
    const { actionsOverdue, actionsDue, actionsOpen } = await week();
    return [actionsOverdue, actionsDue, actionsOpen].map(({ items: some, total }) => {
      expect(some).toHaveLength(total);
      return some.map(({ title }) => title);
    });
  };
  expect(await shown()).toEqual([['Yesterday'], ['Today', 'In six days'], ['In seven days', 'Some day']]);
  expect((await week()).actionsOverdue.items).toMatchObject([{ due: inDays(-1), priority: 'high' }]);
  const [overdue] = (await week()).actionsOverdue.items;
  await store.updateAction(overdue!.id, { state: 'done' });
  clock.advance(day);
  expect(await shown()).toEqual([
    ['Not before tomorrow', 'Today'].toReversed(),
    ['In six days', 'In seven days'],
    ['Some day'],
  ]);
});

test.each([5_000, 2_000, 800])('a full week stays under %i tokens and gives the totals', async (budget) => {
  for (let at = 0; at < 20; at++) await waiting(`${budget}-${at}?${'long'.repeat(200)}`);
  const review = await week(budget);
  expect(tokensOf(review)).toBeLessThanOrEqual(budget);
  expect(review.saved.total).toBeGreaterThanOrEqual(20);
  expect(review.saved.items.length).toBeLessThan(20);
});
