import type { ActionItem } from '../../domain/records/analyses/action.ts';
import { isoTime, utcDay, type Clock } from '../../domain/clock.ts';
import type { ContentSummary } from '../../domain/records/content.ts';
import { modelName } from '../../domain/text/model-names.ts';
import { shortened } from '../../domain/text/shortened.ts';
import type { ReviewedAction, ReviewedItem, WeeklyReview } from '../../domain/records/analyses/weekly-review.ts';
import type { Page } from '../../store/records.ts';
import type { Store, Stores } from '../../store/store.ts';
import { tokensOf } from '../../domain/text/token-budget.ts';

export type ReviewService = ReturnType<typeof createReviewService>;

const dayMs = 24 * 60 * 60_000;
const weekMs = 7 * dayMs;
const neglectedMs = 14 * dayMs;
const stuckMs = dayMs;
/** Maximum length of each list, tried in this order until the review fits the budget. */
const lengths = [15, 10, 6, 3, 1, 0];
/** At most this many failed items are skipped to find others. */
const maxFailed = 500;
const maxSummaryLength = 240;
const maxTitleLength = 120;
const maxAddressLength = 300;

export function createReviewService(stores: Stores, clock: Clock) {
  return {
    /** Within `maxTokens`: lists are shortened before anything else. */
    async week(account: string, maxTokens: number): Promise<WeeklyReview> {
      const store = await stores.open(account);
      const now = clock.now();
      const whole = await reviewOf(store, now);
      const reviews = lengths.map((length) => shorten(whole, length));
      return reviews.find((review) => tokensOf(review) <= maxTokens) ?? shorten(whole, 0);
    },
  };
}

async function reviewOf(store: Store, now: number): Promise<WeeklyReview> {
  const since = now - weekMs;
  const some = { limit: Math.max(...lengths), offset: 0 };
  const { items: goals } = await store.listGoals({ offset: 0 });
  const titles = new Map(goals.map(({ id, title }) => [id, title]));
  const action = (one: ActionItem): ReviewedAction => ({
    id: one.id,
    title: modelName(one.title, maxTitleLength),
    goal: one.goalId === null ? null : (titles.get(one.goalId) ?? null),
    url: one.url === null || one.url.length > maxAddressLength ? null : one.url,
    createdAt: one.createdAt,
    ...(one.due !== null && { due: one.due }),
    ...(one.priority !== 'normal' && { priority: one.priority }),
  });

  const finished = await store.listContent({
    ...some,
    status: 'completed',
    filter: { saved: { before: since } },
    processedSince: since,
  });
  const failed = await store.listContent({ ...some, status: 'failed' });
  const done = await store.listActions({ ...some, completed: true, completedSince: since });
  const today = utcDay(now);
  const nextWeek = utcDay(now + weekMs);
  const awake = { ...some, completed: false, snoozed: { after: today, is: false } };
  const later = { ...awake, notDueBefore: nextWeek };
  const [overdue, due, open, neglected] = await Promise.all([
    store.listActions({ ...awake, order: 'day', dueBefore: today }),
    store.listActions({ ...awake, order: 'day', dueSince: today, dueBefore: nextWeek }),
    store.listActions({ ...later, createdSince: now - neglectedMs }),
    store.listActions({ ...later, createdBefore: now - neglectedMs }),
  ]);
  const counts = new Map((await store.countActionsByGoal(since)).map((count) => [count.goalId, count]));
  const standing = goals.map(({ id, title, category }) => {
    const { open = 0, done: doneThisWeek = 0 } = counts.get(id) ?? {};
    return { id, title, category, openActions: open, doneThisWeek };
  });
  return {
    from: isoTime(since),
    to: isoTime(now),
    saved: counted(await savedItems(store, since), item),
    finished: counted(finished, item),
    failed: counted(failed, item),
    stuck: await stuckItems(store, now - stuckMs),
    actionsOverdue: counted(overdue, action),
    actionsDue: counted(due, action),
    actionsDone: counted(done, (one) => ({ ...action(one), completedAt: one.completedAt ?? '' })),
    actionsOpen: counted(open, action),
    actionsNeglected: counted(neglected, (one) => ({
      ...action(one),
      daysOpen: Math.floor((now - Date.parse(one.createdAt)) / dayMs),
    })),
    goalsWithProgress: all(standing.filter(({ doneThisWeek }) => doneThisWeek > 0)),
    goalsWithoutProgress: all(standing.filter(({ doneThisWeek }) => doneThisWeek === 0)),
  };
}

async function savedItems(store: Store, since: number): Promise<Page<ContentSummary>> {
  const filter = { saved: { since } };
  const { total: failed } = await store.listContent({ limit: 1, offset: 0, filter, status: 'failed' });
  const limit = Math.max(...lengths) + Math.min(failed, maxFailed);
  const { items, total } = await store.listContent({ limit, offset: 0, filter });
  return { items: items.filter(({ status }) => status !== 'failed'), total: total - failed };
}

/** Items that are processed again in the background are not stuck: they were finished once and can be read. */
async function stuckItems(store: Store, before: number): Promise<Page<ReviewedItem>> {
  const query = { limit: Math.max(...lengths), offset: 0, filter: { saved: { before } }, neverProcessed: true };
  const processing = await store.listContent({ ...query, status: 'processing' });
  const pending = await store.listContent({ ...query, status: 'pending' });
  const items = [...processing.items, ...pending.items].slice(0, query.limit);
  return counted({ items, total: processing.total + pending.total }, item);
}

function item({ id, title, url, contentType, status, createdAt, summary, failure }: ContentSummary): ReviewedItem {
  return {
    id,
    title: title === null ? null : modelName(title, maxTitleLength),
    url: url === null ? null : shortened(url, maxAddressLength),
    contentType,
    status,
    savedAt: createdAt,
    ...(summary !== null && { summary: shortened(summary, maxSummaryLength) }),
    ...(failure !== undefined && { problem: failure.message }),
  };
}

function counted<T, U>({ items, total }: Page<T>, show: (one: T) => U): Page<U> {
  return { total, items: items.map(show) };
}

function all<T>(items: T[]): Page<T> {
  return { total: items.length, items };
}

function shorten(review: WeeklyReview, length: number): WeeklyReview {
  const short = <T>({ total, items }: Page<T>): Page<T> => ({ total, items: items.slice(0, length) });
  return {
    from: review.from,
    to: review.to,
    saved: short(review.saved),
    finished: short(review.finished),
    failed: short(review.failed),
    stuck: short(review.stuck),
    actionsOverdue: short(review.actionsOverdue),
    actionsDue: short(review.actionsDue),
    actionsDone: short(review.actionsDone),
    actionsOpen: short(review.actionsOpen),
    actionsNeglected: short(review.actionsNeglected),
    goalsWithProgress: short(review.goalsWithProgress),
    goalsWithoutProgress: short(review.goalsWithoutProgress),
  };
}
