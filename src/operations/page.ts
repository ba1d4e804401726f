import { z } from 'zod';
import {
  contentItem,
  contentStatus,
  contentSummary,
  contentType,
  givenTitle,
  itemOrder,
  notes,
  tags,
  itemCounts,
} from '../domain/records/content.ts';
import { exampleAction, exampleGoal, exampleIds, exampleItem, exampleSummary } from '../domain/records/examples.ts';
import { filterOf, furtherFilters, listQuery } from './content/filters.ts';
import { clearable, hint, listLimit, listOf, listOffset, someId, undo } from './fields.ts';
import { defineOperation, type Operation } from './operation.ts';
import { actionItem, actionOrder, actionState } from '../domain/records/analyses/action.ts';
import { goal } from '../domain/records/analyses/goal.ts';
import { blockKinds } from '../domain/records/texts/document.ts';
import { weeklyReview as review } from '../domain/records/analyses/weekly-review.ts';
import { locator } from '../domain/records/texts/locator.ts';
import { AppError } from '../errors.ts';
import { searchAnswer } from './search.ts';

/** Like `list_content`, in an order that the person chooses. */
const listLibrary = defineOperation({
  name: 'list_library',
  title: 'List saved items in an order',
  description: 'Saved items, by the time of saving or by title; those of a list in its order.',
  input: z.strictObject({
    limit: listLimit.default(50),
    offset: listOffset,
    order: itemOrder.default('list'),
    contentType: contentType.optional(),
    status: contentStatus.optional(),
    tags: tags.optional(),
    query: listQuery,
    list: furtherFilters.list,
  }),
  output: listOf(contentSummary).extend({ hint }),
  permission: 'content:read',
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  example: { input: { order: 'title' }, output: { items: [exampleSummary], total: 1, limit: 50, offset: 0 } },
  run: ({ contentType, tags, list, ...input }, { library, account }) =>
    library.list(account, { ...input, filter: filterOf({ contentType, tags, list }) }),
});

/**
 * The list's data about an item while scrolling: id, title, type and the day of saving. A tuple, because field names would make up
 * half of the answer.
 */
const passedItem = z.tuple([z.string(), z.string(), contentType.nullable(), z.string()]);

/** A long part of a list at once, with few details, so that the page can show something wherever somebody scrolls to. */
export const listTitles = defineOperation({
  name: 'list_titles',
  title: 'List titles of saved items',
  description: 'Titles of saved items, in the order of the library.',
  input: z.strictObject({
    limit: z.int().min(1).max(2_000),
    offset: listOffset,
    order: itemOrder.default('list'),
    contentType: contentType.optional(),
    status: contentStatus.optional(),
    tags: tags.optional(),
    query: listQuery,
    list: furtherFilters.list,
  }),
  output: z.object({ items: z.array(passedItem), total: z.int() }),
  permission: 'content:read',
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  example: {
    input: { limit: 1_000, offset: 0, order: 'newest' },
    output: {
      items: [[exampleIds.content, 'The dull habits that cured my insomnia', 'article', '2026-03-02']],
      total: 1,
    },
  },
  async run({ contentType, tags, list, ...input }, { library, account }) {
    const { items, total } = await library.listTitles(account, {
      ...input,
      filter: filterOf({ contentType, tags, list }),
    });
    return {
      total,
      items: items.map(({ id, title, contentType: kind, createdAt }): z.infer<typeof passedItem> => [
        id,
        title,
        kind,
        createdAt.slice(0, 10),
      ]),
    };
  },
});

/** Only the page calls it. Other clients have `list_actions`, which cannot list dismissed actions or those without a goal. */
const listTodo = defineOperation({
  name: 'list_todo',
  title: 'Action items in one state',
  description: 'Action items that are open, done or dismissed, in the order of goals, items or days.',
  input: z.strictObject({
    state: actionState,
    goalId: z.string().max(100).nullable().describe('Only those that serve this goal; null: no goal.').optional(),
    order: actionOrder.default('goal'),
    snoozed: z.boolean().optional(),
    limit: listLimit.default(100),
    offset: listOffset,
  }),
  output: listOf(actionItem),
  permission: 'actions:read',
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  example: { input: { state: 'open' }, output: { items: [exampleAction], total: 1, limit: 100, offset: 0 } },
  run: (input, { actions, account }) => actions.list(account, input),
});

const counts = z.object({ open: z.int(), snoozed: z.int(), done: z.int(), dismissed: z.int() });

/** Others list goals and action items apart. */
export const goalsOverview = defineOperation({
  name: 'goals_overview',
  title: 'Goals and how much serves them',
  description: 'All goals, with counts of the action items that serve them.',
  input: z.strictObject({}),
  output: z.object({ goals: z.array(goal.extend({ counts })), withoutGoal: counts }),
  permission: 'goals:read',
  alsoPermissions: ['actions:read'],
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  example: {
    input: {},
    output: {
      goals: [{ ...exampleGoal, counts: { open: 2, snoozed: 0, done: 1, dismissed: 0 } }],
      withoutGoal: { open: 4, snoozed: 1, done: 0, dismissed: 3 },
    },
  },
  run: (_, { goals, account }) => goals.overview(account),
});

/** Data of every view: how many items there are, which are being processed, and the available filters. */
export const libraryState = defineOperation({
  name: 'library_state',
  title: 'The state of the library',
  description: 'Counts of items by state, kind and shelf.',
  input: z.strictObject({}),
  output: z.object({
    searchable: z.int(),
    pending: z.int(),
    failed: z.int(),
    kinds: z.array(z.object({ kind: contentType, count: z.int() })),
    shelves: itemCounts.shape.shelves,
  }),
  permission: 'content:read',
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  example: {
    input: {},
    output: {
      searchable: 41,
      pending: 1,
      failed: 0,
      kinds: [{ kind: 'article', count: 41 }],
      shelves: { inbox: 3, later: 12, archive: 26 },
    },
  },
  run: (_, { library, account }) => library.state(account),
});

/** A saved item with the structure of its text, so that a page can be drawn of it. */
export const readItem = defineOperation({
  name: 'read_item',
  title: 'Read a saved item with its structure',
  description: 'A saved item, the blocks of its text and its outline.',
  input: z.strictObject({ id: someId }),
  output: contentItem.extend({
    blocks: z.array(
      z.object({
        start: z.int(),
        end: z.int(),
        kind: z.enum(blockKinds),
        level: z.int().optional(),
        locator: locator.optional(),
      }),
    ),
    outline: z.array(
      z.object({
        title: z.string(),
        start: z.int(),
        level: z.int(),
        seconds: z.int().optional(),
        page: z.int().optional(),
      }),
    ),
  }),
  permission: 'content:read',
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  example: { input: { id: exampleIds.content }, output: { ...exampleItem, blocks: [], outline: [] } },
  run: ({ id }, { library, account }) => library.getStructured(account, id),
});

const fields = {
  title: clearable(givenTitle).optional(),
  tags: clearable(tags).optional(),
  notes: clearable(notes).optional(),
};

/** The shown value as stored: page titles may be longer than a person's own. */
const seenFields = {
  title: z.string().max(20_000).optional(),
  tags: z.array(z.string().max(1_000)).max(1_000).optional(),
  notes: z.string().max(20_000).optional(),
};

/**
 * `update_content`, unless a field has another value than the person saw. /api/v1 has `If-Match` for that; a page has no ETags of
 * listed items, and a change of other fields, such as a new summary, is no conflict.
 */
const editItem = defineOperation({
  name: 'edit_item',
  title: 'Change an item that the person sees',
  description: 'Sets title, tags or notes, if they are what the person saw.',
  input: z.strictObject({ id: someId, ...fields, before: z.strictObject(seenFields) }),
  output: contentSummary.extend(undo),
  permission: 'content:write',
  acknowledges: ['id', 'status'],
  effects: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  example: {
    input: { id: exampleIds.content, title: 'A better title', before: { title: exampleSummary.title ?? '' } },
    output: { ...exampleSummary, title: 'A better title' },
  },
  async run({ id, before, ...changes }, { library, account, writer }) {
    // The version first: a change between this and the write makes the write fail.
    const version = await library.getVersion(account, id);
    const now = await library.getSummary(account, id);
    const isInTheWay = (['title', 'tags', 'notes'] as const).some((field) => {
      const there = JSON.stringify(now[field] ?? '');
      return before[field] !== undefined && ![before, changes].some((one) => JSON.stringify(one[field]) === there);
    });
    if (isInTheWay) throw new AppError('precondition_failed', 'The item was changed since. Read it again.');
    return library.update(writer, id, changes, version);
  },
});

/** Other clients delete items one at a time, with an undo for each. Here several are one change, which one undo takes back. */
const deleteItems = defineOperation({
  name: 'delete_items',
  title: 'Delete saved items',
  description: 'Moves items to the trash, as one change.',
  input: z.strictObject({ ids: z.array(someId).min(1).max(100) }),
  output: z.object({ deleted: z.int(), ...undo }),
  permission: 'content:delete',
  acknowledges: ['deleted'],
  effects: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  example: { input: { ids: [exampleIds.content] }, output: { deleted: 1 } },
  async run({ ids }, { library, writer }) {
    let deleted = 0;
    for (const id of new Set(ids)) {
      const isThere = await library.delete(writer, id).catch((error: unknown) => {
        // Another window has purged it; the others still have to be deleted.
        if (error instanceof AppError && error.code === 'not_found') return null;
        throw error;
      });
      if (isThere !== null) deleted += 1;
    }
    return { deleted };
  },
});

/** Only a person who looks at the trash removes what is in it before its 30 days are over; there is no undo. */
const purgeItems = defineOperation({
  name: 'purge_items',
  title: 'Remove deleted items for good',
  description: 'Removes items that are in the trash, or all of them.',
  input: z.strictObject({ ids: z.array(someId).min(1).max(100).optional() }),
  output: z.object({ purged: z.int() }),
  permission: 'content:delete',
  acknowledges: ['purged'],
  effects: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  example: { input: { ids: [exampleIds.content] }, output: { purged: 1 } },
  run: async ({ ids }, { library, account }) => ({ purged: await library.purge(account, ids ?? null) }),
});

/** The command line has `retry` for it, and assistants save the address again. */
const retryItem = defineOperation({
  name: 'retry_item',
  title: 'Try a failed item again',
  description: 'Queues an item that failed.',
  input: z.strictObject({ id: someId }),
  output: contentSummary,
  permission: 'content:write',
  acknowledges: ['id', 'status'],
  effects: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
  example: { input: { id: exampleIds.content }, output: exampleSummary },
  run: ({ id }, { library, account }) => library.retry(account, id),
});

/** The command line has `retry --all-failed` for it. */
export const retryAll = defineOperation({
  name: 'retry_all',
  title: 'Try all failed items again',
  description: 'Queues every item that failed.',
  input: z.strictObject({}),
  output: z.object({ queued: z.int() }),
  permission: 'content:write',
  acknowledges: ['queued'],
  effects: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
  example: { input: {}, output: { queued: 3 } },
  async run(_, { library, account }) {
    const { queued } = await library.retryFailed(account);
    return { queued: Object.values(queued).reduce((sum, count) => sum + count, 0) };
  },
});

const nothing = { total: 0, items: [] };
const maxTokens = 20_000;

/** Assistants have the prompt of the same name for it. */
export const weeklyReview = defineOperation({
  name: 'weekly_review',
  title: 'The last seven days',
  description: 'What was saved, done and left in the last seven days.',
  input: z.strictObject({}),
  output: review,
  permission: 'content:read',
  alsoPermissions: ['actions:read', 'goals:read'],
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  example: {
    input: {},
    output: {
      from: '2026-03-02T06:30:42.017Z',
      to: '2026-03-09T06:30:42.017Z',
      saved: nothing,
      finished: nothing,
      failed: nothing,
      stuck: nothing,
      actionsOverdue: nothing,
      actionsDue: nothing,
      actionsDone: nothing,
      actionsOpen: nothing,
      actionsNeglected: nothing,
      goalsWithProgress: nothing,
      goalsWithoutProgress: nothing,
    },
  },
  run: (_, { review: service, account }) => service.week(account, maxTokens),
});

const { results, match, mode, searchedFor, coverage } = searchAnswer.shape;
const { status, passages } = results.element.shape;

/** Like `search`, in pages of any size, with list data for each item and the total number. */
export const searchLibrary = defineOperation({
  name: 'search_library',
  title: 'Search saved items page by page',
  description: 'Finds saved items by words and meaning.',
  input: z.strictObject({
    query: z.string().trim().min(1).max(2_000),
    limit: z.int().min(1).max(50),
    offset: listOffset,
    filters: z
      .strictObject({ contentType: contentType.optional(), tags: tags.optional(), list: furtherFilters.list })
      .optional(),
  }),
  output: z.object({
    items: z.array(z.object({ item: contentSummary, status, passages })),
    match,
    mode,
    searchedFor,
    hint,
    coverage,
    total: z.int(),
    hasMore: z.literal(true).optional().describe('More items match than were counted.'),
    isUpperBound: z.literal(true).optional().describe('The total counts copies that later pages may leave out.'),
  }),
  permission: 'search:read',
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  example: {
    input: { query: 'how to sleep better', limit: 20, offset: 0 },
    output: {
      items: [{ item: exampleSummary, passages: [] }],
      total: 1,
      mode: 'hybrid',
      coverage: { searchable: 41, pending: 1, failed: 0 },
    },
  },
  async run({ filters, ...input }, { search, library, account, signal }) {
    const asked = { ...input, filter: filterOf(filters ?? {}), remember: input.offset === 0 };
    const { results, ...found } = await search.search(account, asked, signal);
    const ids = results.map(({ id }) => id);
    const items = new Map((await library.summaries(account, ids)).map((item) => [item.id, item]));
    return {
      ...found,
      total: found.total ?? 0,
      items: results.flatMap(({ id, ...shown }) => {
        const item = items.get(id);
        return item === undefined ? [] : [{ item, status: shown.status, passages: shown.passages }];
      }),
    };
  },
});

/** Operations that only the page calls. They have no tool, route or command, and may change with the page. */
export const pageOperations: readonly Operation[] = [
  searchLibrary,
  deleteItems,
  editItem,
  goalsOverview,
  libraryState,
  listLibrary,
  listTitles,
  listTodo,
  purgeItems,
  readItem,
  retryAll,
  retryItem,
  weeklyReview,
];
