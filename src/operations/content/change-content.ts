import { z } from 'zod';
import { manyChanged } from '../../domain/records/answers.ts';
import {
  contentSummary,
  givenTitle,
  notes,
  tags,
  reading,
  shelf,
  libraryCounts,
} from '../../domain/records/content.ts';
import { nameOf } from '../../domain/records/item.ts';
import { exampleIds, exampleSummary } from '../../domain/records/examples.ts';
import { refusedField } from '../../services/library/change-many.ts';
import { pushedText } from '../../domain/records/pushed-content.ts';
import { defineOperation } from '../operation.ts';
import { clear, clearable, modelWords, someId, undo, withCleared } from '../fields.ts';
import { printSummary } from '../answers/print-item.ts';
import { counted, indented, line, oneLine, shownTime } from '../answers/printed.ts';

const aboutShelf = shelf.describe('Where it is kept.').optional();
const aboutRead = z.boolean().describe('Whether it was read.').optional();
// Unlisted for tools: models add tags, and seldom judge proposed ones.
const rejectTags = tags
  .describe('Proposed tags that are not right: they are not proposed for it any more.')
  .optional()
  .register(modelWords, { isUnlisted: true });

export const updateContent = defineOperation({
  name: 'update_content',
  title: 'Change a saved item',
  description: 'tags: all of them; clear empties.',
  largeInputs: ['text'],
  input: z.strictObject({
    id: someId,
    title: clearable(givenTitle).describe("Your own title; empty for the page's.").optional(),
    text: pushedText
      .min(1)
      .describe('The new text of a note.')
      .register(modelWords, { description: 'Of a note' })
      .optional(),
    tags: clearable(tags).describe('All its tags, in place of those before; empty for none.').optional(),
    notes: clearable(notes).describe('Your own words about it; empty for none.').optional(),
    shelf: aboutShelf.clone().register(modelWords, { isUnlisted: true }),
    read: aboutRead.clone().register(modelWords, { isUnlisted: true }),
    rejectTags,
  }),
  output: contentSummary.extend(undo),
  assistant: { input: clear('title', 'tags', 'notes') },
  permission: 'content:write',
  acknowledges: ['id', 'status'],
  set: 'manage',
  // Destructive: overwritten notes are lost, so hosts may ask first.
  effects: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  apiV1: {
    method: 'put',
    path: '/content/:id',
    bodyRules: { minProperties: 1 },
    maxBodyBytes: 10 * 2 ** 20,
    about:
      'Changes the title, tags, notes or shelf of an item, marks it as read or unread, or changes the text of a note. Fields that are left out stay as they are; an empty one is cleared. With the `ETag` of the item in `If-Match` nothing that somebody else changed meanwhile is overwritten.',
    answers: { 200: 'The item as it is now, in full, with its new `ETag`.' },
  },
  cli: { command: 'edit <id>', print: printSummary },
  example: {
    input: { id: exampleIds.content, title: 'A better title', tags: ['sleep', 'edited'] },
    output: { ...exampleSummary, title: 'A better title', tags: ['sleep', 'edited'] },
  },
  run: ({ id, ...changes }, { library, writer, unchangedSince }) =>
    library.update(writer, id, withCleared(changes), unchangedSince),
});

export const updateContents = defineOperation({
  name: 'update_contents',
  title: 'Change many saved items',
  description: 'Adds and removes tags; clear empties.',
  input: z.strictObject({
    ids: z.array(someId).min(1).max(100).describe('The ids of the items.'),
    removeTags: tags.describe('Tags to take away, whatever their case.').optional(),
    addTags: tags.describe('Tags to add to those that an item has.').optional(),
    notes: clearable(notes).describe('Your own words about all of them; empty for none.').optional(),
    shelf: aboutShelf,
    read: aboutRead,
    rejectTags,
  }),
  output: manyChanged.extend(undo),
  assistant: {
    input: {
      ids: z.array(someId).max(100).optional().register(modelWords, { isForModels: true }),
      titles: z
        .array(z.strictObject({ id: someId, title: givenTitle.min(1) }))
        .max(100)
        .optional()
        .register(modelWords, { isForModels: true }),
      refresh: z.boolean().optional().register(modelWords, { description: 'Fetch again', isForModels: true }),
      clear: z
        .array(z.enum(['title', 'tags', 'notes']).register(modelWords, { isKnownChoice: true }))
        .optional()
        .register(modelWords, { isForModels: true }),
    },
    lean: ({ items, changed }) => ({ changed, failed: items.filter(({ outcome }) => outcome !== 'changed') }),
  },
  permission: 'content:write',
  acknowledges: ['items', 'changed'],
  set: 'manage',
  // Destructive: overwritten notes and removed tags are lost, so hosts may ask first.
  effects: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  apiV1: {
    method: 'post',
    path: '/content/changes',
    bodyRules: {
      anyOf: ['addTags', 'removeTags', 'rejectTags', 'notes', 'shelf', 'read'].map((name) => ({ required: [name] })),
    },
    about:
      'Adds and removes tags, sets notes, moves to a shelf, or marks as read or unread, up to 100 items. Each item is changed whole or not at all, and the answer says which.',
    answers: { 200: 'What became of each item, in the given order.' },
  },
  cli: {
    command: 'edit-many',
    print: ({ items, changed }) => [
      line(`Changed: ${counted(changed, 'item')}.`),
      ...items
        .filter(({ outcome }) => outcome !== 'changed')
        .map(({ id, message }) => line(`${oneLine(id, 100)}: ${message ?? ''}`)),
    ],
    isFailure: ({ items }) => items.some(({ outcome }) => outcome !== 'changed'),
  },
  example: {
    input: { ids: [exampleIds.content], addTags: ['sleep'], removeTags: ['to read'] },
    output: { items: [{ id: exampleIds.content, outcome: 'changed' }], changed: 1 },
  },
  async run({ ids = [], titles = [], clear: cleared = [], refresh, ...given }, { library, writer }) {
    if (refresh === true) {
      if (titles.length + cleared.length + Object.keys(given).length > 0)
        throw refusedField('refresh', 'takes ids alone: change the items in another call');
      const asked = await library.refresh(writer, { ids });
      const items = asked.items.map(({ outcome, ...item }) => ({
        ...item,
        outcome: outcome === 'queued' ? ('changed' as const) : outcome,
      }));
      return { items, changed: asked.queued };
    }
    // The page's title replaces the person's own.
    const pageTitles = cleared.includes('title') ? ids.map((id): [string, string] => [id, '']) : [];
    const changes = withCleared({ ...given, clear: cleared.filter((name) => name !== 'title') });
    const ownTitles = titles.map(({ id, title: own }): [string, string] => [id, own]);
    return library.updateMany(writer, ids, changes, new Map([...pageTitles, ...ownTitles]));
  },
});

/** The page and other readers tell it while somebody reads. Assistants and the command line do not read. */
export const updateReading = defineOperation({
  name: 'update_reading',
  title: 'Note where reading stopped',
  description: 'Notes where reading stopped; no change of the item.',
  input: z.strictObject({
    id: someId,
    start: reading.shape.start.unwrap().describe('Offset of the passage in `transcript`, if it is known.').optional(),
    share: reading.shape.share,
  }),
  output: z.object({ id: z.string(), reading }),
  permission: 'content:write',
  acknowledges: ['id', 'reading'],
  effects: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  apiV1: {
    method: 'put',
    path: '/content/:id/reading',
    about:
      'Notes where reading stopped, so that it goes on there on another device. Cheap enough to call every few seconds: it is not a change of the item, and not in its history. When the text is read again, `start` becomes null, and `share` stays.',
    answers: { 200: 'What was noted.' },
  },
  example: {
    input: { id: exampleIds.content, start: 4_120, share: 0.4 },
    output: { id: exampleIds.content, reading: { start: 4_120, share: 0.4 } },
  },
  async run({ id, start = null, share }, { library, account }) {
    // By the account, not the writer: it is not recorded.
    await library.keepReading(account, id, { start, share });
    return { id, reading: { start, share } };
  },
});

export const countItems = defineOperation({
  name: 'count_items',
  title: 'Count saved items',
  description: 'How many items are on each shelf and in each list, and how many are unread.',
  input: z.strictObject({}),
  output: libraryCounts,
  permission: 'content:read',
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  apiV1: {
    method: 'get',
    path: '/counts',
    about: 'How many items are on each shelf and in each list, and how many are unread, without deleted ones.',
    answers: { 200: 'The counts.' },
  },
  example: {
    input: {},
    output: { shelves: { inbox: 3, later: 12, archive: 26 }, unread: 20, lists: [{ id: exampleIds.list, count: 1 }] },
  },
  run: (_, { library, account }) => library.count(account),
});

export const deleteContent = defineOperation({
  name: 'delete_content',
  title: 'Delete a saved item',
  description: 'When told so; restorable for 30 days.',
  input: z.strictObject({ id: someId }),
  output: z.object({
    id: z.string(),
    title: z.string().nullable(),
    url: z.string().nullable(),
    deletedAt: z.string(),
    restorableUntil: z.string(),
    ...undo,
  }),
  permission: 'content:delete',
  acknowledges: ['id', 'deletedAt', 'restorableUntil'],
  set: 'manage',
  // Destructive: the item can be restored only for a limited time, so hosts should ask.
  effects: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  apiV1: {
    method: 'delete',
    path: '/content/:id',
    about:
      'Moves an item to the trash. It is found nowhere, and can be restored for 30 days; then it is removed for good. Deleting again gives the same answer.',
    answers: { 200: 'What was deleted, and until when it can be restored.' },
  },
  cli: {
    command: 'delete <id>',
    print: ({ id, title, url, restorableUntil }) => [
      line(`Deleted: ${oneLine(nameOf({ title, url }), 100)}`),
      ...indented('    ', [line(`commonplace restore ${id} brings it back until ${shownTime(restorableUntil)}.`)]),
    ],
  },
  example: {
    input: { id: exampleIds.content },
    output: {
      id: exampleIds.content,
      title: exampleSummary.title,
      url: exampleSummary.url,
      deletedAt: '2026-03-09T06:30:42.017Z',
      restorableUntil: '2026-04-08T06:30:42.017Z',
    },
  },
  run: ({ id }, { library, writer, unchangedSince }) => library.delete(writer, id, unchangedSince),
});

export const restoreContent = defineOperation({
  name: 'restore_content',
  title: 'Restore a deleted item',
  description: 'Of `list_content` deleted=true.',
  input: z.strictObject({ id: someId }),
  output: contentSummary.extend(undo),
  permission: 'content:write',
  acknowledges: ['id', 'status'],
  set: 'manage',
  effects: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  apiV1: {
    method: 'post',
    path: '/content/:id/restore',
    about: 'Brings a deleted item back. It takes no body; an item that is not deleted stays as it is.',
    answers: { 200: 'The item, in short form.' },
  },
  cli: { command: 'restore <id>', print: printSummary },
  example: { input: { id: exampleIds.content }, output: exampleSummary },
  run: ({ id }, { library, writer }) => library.restore(writer, id),
});
