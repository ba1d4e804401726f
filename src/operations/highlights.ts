import { z } from 'zod';
import { contentId } from '../domain/records/content.ts';
import { exampleHighlight, exampleIds } from '../domain/records/examples.ts';
import { highlight, highlightColour, highlightNote, highlightQuote } from '../domain/records/highlights/highlight.ts';
import { defineOperation } from './operation.ts';
import {
  budgetedListOf,
  clear,
  clearable,
  cursor,
  listLimit,
  listOf,
  listOffset,
  maxTokens,
  someId,
  undo,
  withCleared,
} from './fields.ts';
import { leanHighlight } from './answers/lean.ts';
import { printHighlight } from './answers/print-item.ts';
import { line, meta, printList } from './answers/printed.ts';

export const listHighlights = defineOperation({
  name: 'list_highlights',
  title: 'List highlights',
  description: 'What the user marked in saved items, with notes.',
  input: z.strictObject({
    contentId: contentId.describe('Only those of this saved item, in the order of its text.').optional(),
    query: z.string().min(1).max(200).describe('Only those whose quote or note contains this.').optional(),
    limit: listLimit.default(20),
    offset: listOffset,
  }),
  output: listOf(highlight),
  assistant: {
    input: { maxTokens: maxTokens(), cursor },
    output: budgetedListOf(highlight),
    lean: (list) => ({ ...list, items: list.items.map(leanHighlight) }),
  },
  permission: 'content:read',
  set: 'highlights',
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  apiV1: {
    method: 'get',
    path: '/highlights',
    mayMissRecord: true,
    about: 'Lists what was marked in saved items, newest first; of one item, in the order of its text.',
    answers: { 200: 'One page of the list.' },
  },
  cli: { command: 'highlights', print: (list) => printList(list, 'highlight', printHighlight) },
  example: {
    input: { contentId: exampleIds.content },
    output: { items: [exampleHighlight], total: 1, limit: 20, offset: 0 },
  },
  run: ({ query, ...input }, { highlights, account, isLean }) =>
    highlights.list(account, { ...input, text: query, ...(isLean && { show: leanHighlight }) }),
});

export const addHighlight = defineOperation({
  name: 'add_highlight',
  title: 'Highlight words of a saved item',
  description: 'quote: words of its text, exactly. place says whether they were found.',
  input: z.strictObject({
    contentId: contentId.describe('The saved item.'),
    quote: highlightQuote.describe('The words to mark, as they stand in its text.'),
    note: highlightNote.describe('Your own words about them.').optional(),
    colour: highlightColour.describe('A colour, such as yellow.').optional(),
  }),
  output: highlight.extend(undo),
  assistant: { input: {}, output: highlight.extend(undo), lean: leanHighlight },
  permission: 'content:write',
  // `place` would tell whether the text has the words.
  acknowledges: ['id'],
  set: 'highlights',
  effects: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  apiV1: {
    method: 'post',
    path: '/highlights',
    mayMissRecord: true,
    about:
      'Marks words of a saved item, with a note and a colour. `place` says whether its text has these words. The same words again are the same highlight.',
    answers: { 200: 'The highlight.' },
  },
  cli: { command: 'highlight add <contentId> <quote>', print: printHighlight },
  example: {
    input: { contentId: exampleIds.content, quote: exampleHighlight.quote, note: 'Try this first.' },
    output: exampleHighlight,
  },
  run: (input, { highlights, writer }) => highlights.add(writer, input),
});

export const updateHighlight = defineOperation({
  name: 'update_highlight',
  title: 'Change a highlight',
  description: 'Only what is given; clear empties.',
  input: z.strictObject({
    id: someId,
    quote: highlightQuote.describe('Other words of the text.').optional(),
    note: clearable(highlightNote).describe('Your own words about them; empty for none.').optional(),
    colour: clearable(highlightColour).describe('A colour; empty for none.').optional(),
  }),
  output: highlight.extend(undo),
  assistant: { input: clear('note', 'colour'), lean: leanHighlight },
  permission: 'content:write',
  // `place` would tell whether the text has the words.
  acknowledges: ['id'],
  set: 'highlights',
  // Destructive: the note before is lost.
  effects: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  apiV1: {
    method: 'put',
    path: '/highlights/:id',
    bodyRules: { minProperties: 1 },
    about: 'Changes a highlight. Fields that are left out stay as they are; an empty one is cleared.',
    answers: { 200: 'The highlight as it is now.' },
  },
  cli: { command: 'highlight edit <id>', print: printHighlight },
  example: {
    input: { id: exampleIds.highlight, note: 'It works.' },
    output: { ...exampleHighlight, note: 'It works.' },
  },
  run: ({ id, ...changes }, { highlights, writer }) => highlights.update(writer, id, withCleared(changes)),
});

export const deleteHighlight = defineOperation({
  name: 'delete_highlight',
  title: 'Delete a highlight',
  description: 'With its note.',
  input: z.strictObject({ id: someId }),
  output: z.object({ id: z.string(), contentId: z.string(), ...undo }),
  permission: 'content:delete',
  acknowledges: ['id'],
  set: 'highlights',
  effects: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  apiV1: {
    method: 'delete',
    path: '/highlights/:id',
    about: 'Deletes a highlight. The history takes it back for 30 days.',
    answers: { 200: 'What was deleted.' },
  },
  cli: { command: 'highlight delete <id>', print: ({ id }) => [line('Deleted: ', meta(id))] },
  example: { input: { id: exampleIds.highlight }, output: { id: exampleIds.highlight, contentId: exampleIds.content } },
  run: ({ id }, { highlights, writer }) => highlights.delete(writer, id),
});
