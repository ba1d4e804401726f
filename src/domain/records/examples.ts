import type { ActionItem } from './analyses/action.ts';
import type { ContentItem, ContentSummary } from './content.ts';
import type { ItemList } from './list.ts';
import type { Goal } from './analyses/goal.ts';
import type { Highlight } from './highlights/highlight.ts';
import type { ExportJob, ImportJob } from './transfers/library-job.ts';
import type { Key } from '../access/key.ts';
import type { Source } from './sources/source.ts';
import type { Locator } from './texts/locator.ts';

/*
 * Sample records, for the examples of all operations: a saved page with an action item that serves a goal.
 */

export const exampleIds = {
  content: 'c_4kq7m2zt6wxp3ahr',
  action: 'a_w5n3yq7c2gvk6tdb',
  goal: 'g_2jxe6rmu4p7sfa3o',
  highlight: 'h_7m3kq2vx5w4tzc6a',
  list: 'l_3vqz7hk2mw5xt6ra',
  source: 'f_6wqk3vz7t2mhx5nb',
  change: 'x_7dwk3nq5vzt2hm6b',
  import: 'j_5vqk2mwz7t3hx6ra',
  export: 'j_2n6xwq4kzt7m3hvb',
  key: 'k_q5vzt2hm6b7dwk3n',
} as const;

/** A lease of the item for `submit_analysis`. */
export const exampleLease = 'l_6t3hqz5wkx2mra4p';

export const examplePage = 'https://example.com/articles/sleep';

/** A sentence of the page, and its place. */
export const exampleQuote = {
  quote: 'Get up at the same hour every day, weekends included.',
  locator: { kind: 'text', start: 214, end: 267 } satisfies Locator as Locator,
  url: `${examplePage}#:~:text=Get%20up%20at%20the%20same%20hour%20every%20day`,
} as const;

export const exampleAction: ActionItem = {
  id: exampleIds.action,
  contentId: exampleIds.content,
  contentTitle: 'What helps to sleep',
  goalId: exampleIds.goal,
  title: 'Get up at the same hour every day',
  goalReason: null,
  reason: null,
  ...exampleQuote,
  state: 'open',
  completed: false,
  completedAt: null,
  due: null,
  priority: 'normal',
  snoozedUntil: null,
  createdAt: '2026-03-02T07:15:11.204Z',
};

export const exampleGoal: Goal = {
  id: exampleIds.goal,
  title: 'Sleep eight hours',
  category: 'Health',
  description: 'In bed by eleven on weekdays.',
  createdAt: '2026-01-04T18:30:00.000Z',
};

export const exampleList: ItemList = {
  id: exampleIds.list,
  name: 'Better sleep',
  icon: '🌙',
  query: null,
  items: 1,
  createdAt: '2026-03-02T07:15:11.204Z',
  updatedAt: '2026-03-02T07:15:11.204Z',
};

export const exampleSource: Source = {
  id: exampleIds.source,
  kind: 'feed',
  address: 'https://example.com/feed.xml',
  name: 'Example',
  state: 'active',
  options: { tags: ['blogs'] },
  everyMinutes: null,
  items: 1,
  unread: 1,
  headlines: 0,
  checkedAt: '2026-03-02T07:15:11.204Z',
  changedAt: '2026-03-02T07:15:11.204Z',
  nextCheckAt: '2026-03-02T08:15:11.204Z',
  problem: null,
  createdAt: '2026-03-02T07:15:10.000Z',
};

export const exampleKey: Key = {
  id: exampleIds.key,
  name: 'reading list',
  permissions: ['content:read', 'search:read'],
  requestsPerMinute: null,
  createdAt: '2026-03-02T07:15:11.204Z',
  madeBy: null,
  expiresAt: '2026-05-31T07:15:11.204Z',
  rotatedAt: null,
  oldSecretUntil: null,
  lastUsedOn: '2026-03-09',
  lastUsedFrom: '203.0.113.0/24',
  revokedAt: null,
  heldTo: null,
};

export const exampleHighlight: Highlight = {
  id: exampleIds.highlight,
  contentId: exampleIds.content,
  contentTitle: 'What helps to sleep',
  quote: exampleQuote.quote,
  note: 'Try this first.',
  colour: null,
  place: 'found',
  locator: exampleQuote.locator,
  url: exampleQuote.url,
  source: null,
  createdAt: '2026-03-02T07:20:00.000Z',
  updatedAt: '2026-03-02T07:20:00.000Z',
};

export const exampleSummary: ContentSummary = {
  id: exampleIds.content,
  url: examplePage,
  title: 'What helps to sleep',
  summary: 'A steady hour of getting up does more for sleep than an early bedtime.',
  contentType: 'article',
  status: 'completed',
  tags: ['health', 'sleep'],
  notes: 'Read again in spring',
  shelf: 'inbox',
  readAt: null,
  reading: null,
  author: 'Ann Author',
  siteName: 'Example',
  publishedAt: '2025-11-20T00:00:00.000Z',
  language: 'en',
  wordCount: 1240,
  canonicalUrl: examplePage,
  createdAt: '2026-03-02T07:15:02.118Z',
  processedAt: '2026-03-02T07:15:11.204Z',
  analysis: { by: 'extractive', model: null, at: '2026-03-02T07:15:11.204Z', droppedQuotes: 0 },
  warnings: [],
  duplicateOf: null,
};

export const exampleItem: ContentItem = {
  ...exampleSummary,
  keyInsights: [
    {
      text: exampleQuote.quote,
      ...exampleQuote,
      goalId: exampleIds.goal,
      goalReason: 'Serves your goal "Sleep eight hours": it speaks of hour, weekends.',
    },
  ],
  actions: [exampleAction],
  transcript: '# What helps to sleep\n\nMost advice begins in the evening. …',
};

/** A note that was saved just now. */
export const exampleNote: Omit<ContentItem, 'transcript'> = {
  ...exampleSummary,
  url: null,
  canonicalUrl: null,
  title: 'Boiler',
  summary: null,
  contentType: null,
  status: 'pending',
  progress: { stage: 'extract', attempts: 0 },
  tags: ['house'],
  notes: null,
  author: null,
  siteName: null,
  publishedAt: null,
  language: null,
  wordCount: null,
  processedAt: null,
  analysis: null,
  keyInsights: [],
  actions: [],
};

export const exampleImport: ImportJob = {
  id: exampleIds.import,
  state: 'done',
  failure: null,
  createdAt: '2026-03-02T08:00:00.000Z',
  startedAt: '2026-03-02T08:00:00.012Z',
  endedAt: '2026-03-02T08:00:02.730Z',
  fileName: 'bookmarks.html',
  bytes: 482_113,
  tags: ['from the browser'],
  follow: false,
  progress: { done: 482_113, total: 482_113 },
  counts: { taken: 1_204, merged: 17, skipped: 3, failed: 0 },
  formats: ['bookmarks (HTML)'],
  undo: exampleIds.change,
};

export const exampleExport: ExportJob = {
  id: exampleIds.export,
  state: 'done',
  failure: null,
  createdAt: '2026-03-02T08:00:00.000Z',
  startedAt: '2026-03-02T08:00:00.012Z',
  endedAt: '2026-03-02T08:00:05.118Z',
  format: 'archive',
  since: null,
  progress: { done: 1_221, total: 1_221 },
  items: 1_221,
  bytes: 20_482_113,
  fileName: 'commonplace-2026-03-02.zip',
  expiresAt: '2026-03-03T08:00:05.118Z',
};
