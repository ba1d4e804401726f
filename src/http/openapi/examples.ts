/*
 * Sample data that all examples of the document share. A test checks each response against the operation's output
 * schema.
 */

const contentId = 'c_4kq7m2zt6wxp3ahr';
const actionId = 'a_w5n3yq7c2gvk6tdb';
const goalId = 'g_2jxe6rmu4p7sfa3o';

const page = 'https://example.com/articles/sleep';
const quote = 'Get up at the same hour every day, weekends included.';
const place = { kind: 'text', start: 214, end: 267 };
const placeUrl = `${page}#:~:text=Get%20up%20at%20the%20same%20hour%20every%20day`;

const action = {
  id: actionId,
  contentId,
  goalId,
  title: 'Get up at the same hour every day',
  goalReason: null,
  reason: null,
  quote,
  locator: place,
  url: placeUrl,
  state: 'open',
  completed: false,
  completedAt: null,
  createdAt: '2026-03-02T07:15:11.204Z',
};

const goal = {
  id: goalId,
  title: 'Sleep eight hours',
  category: 'Health',
  description: 'In bed by eleven on weekdays.',
  createdAt: '2026-01-04T18:30:00.000Z',
};

const summary = {
  id: contentId,
  url: page,
  title: 'What helps to sleep',
  summary: 'A steady hour of getting up does more for sleep than an early bedtime.',
  contentType: 'article',
  status: 'completed',
  tags: ['health', 'sleep'],
  notes: 'Read again in spring',
  author: 'Ann Author',
  siteName: 'Example',
  publishedAt: '2025-11-20T00:00:00.000Z',
  language: 'en',
  wordCount: 1240,
  canonicalUrl: page,
  createdAt: '2026-03-02T07:15:02.118Z',
  processedAt: '2026-03-02T07:15:11.204Z',
  analysis: { by: 'extractive', model: null, at: '2026-03-02T07:15:11.204Z', droppedQuotes: 0 },
  warnings: [],
  duplicateOf: null,
};

const item = {
  ...summary,
  keyInsights: [{ text: quote, quote, locator: place, url: placeUrl }],
  actions: [action],
  transcript: '# What helps to sleep\n\nMost advice begins in the evening. …',
};

const saved = {
  ...summary,
  title: null,
  summary: null,
  contentType: null,
  status: 'pending',
  progress: { stage: 'fetch', attempts: 0 },
  author: null,
  siteName: null,
  publishedAt: null,
  language: null,
  wordCount: null,
  processedAt: null,
  analysis: null,
  keyInsights: [],
  actions: [],
  outcome: 'created',
};

const found = {
  results: [
    {
      id: contentId,
      title: summary.title,
      url: page,
      contentType: 'article',
      tags: summary.tags,
      score: 0.82,
      passages: [{ text: quote, locator: place, url: placeUrl, score: 0.82 }],
    },
  ],
  mode: 'hybrid',
  coverage: { searchable: 41, pending: 1, failed: 0 },
};

export interface OperationExample {
  input: Readonly<Record<string, unknown>>;
  /** Response bodies by status. */
  answers: Readonly<Record<number, unknown>>;
}

/** Examples by operation name. */
export const openApiExamples: Readonly<Record<string, OperationExample>> = {
  list_content: {
    input: { limit: 20, contentType: 'article', status: 'completed', tags: ['health', 'sleep'] },
    answers: { 200: { items: [summary], total: 1, limit: 20, offset: 0 } },
  },
  get_content: { input: { id: contentId }, answers: { 200: item } },
  save_content: {
    input: { url: page, tags: summary.tags, notes: summary.notes },
    answers: {
      200: { ...summary, keyInsights: item.keyInsights, actions: item.actions, outcome: 'existed' },
      201: saved,
    },
  },
  search: {
    input: { query: 'how to sleep better', limit: 3, filters: { contentType: 'article', tags: ['sleep'] } },
    answers: { 200: found },
  },
  list_actions: {
    input: { completed: false },
    answers: { 200: { items: [action], total: 1, limit: 1, offset: 0 } },
  },
  complete_action: {
    input: { id: actionId },
    answers: { 200: { ...action, state: 'done', completed: true, completedAt: '2026-03-09T06:30:42.017Z' } },
  },
  list_goals: { input: {}, answers: { 200: { items: [goal], total: 1, limit: 1, offset: 0 } } },
};
