import { z } from 'zod';
import { tag } from '../domain/records/content.ts';
import { defineOperation } from './operation.ts';
import { listOf, undo, unlisted } from './fields.ts';
import { counted, line, meta, oneLine, printList } from './answers/printed.ts';

export const listTags = defineOperation({
  name: 'list_tags',
  title: 'List tags',
  description: 'With counts.',
  input: z.strictObject({
    limit: z.int().min(1).max(1_000).describe('How many tags at most.').default(100),
    offset: unlisted(z.int().min(0).describe('How many to pass over, counted from the most used.').default(0)),
  }),
  output: listOf(z.object({ tag: z.string(), count: z.int() })),
  permission: 'content:read',
  set: 'manage',
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  apiV1: {
    method: 'get',
    path: '/tags',
    about: 'Lists the tags of all items, most used first.',
    answers: { 200: 'One page of the list.' },
  },
  cli: {
    command: 'tags',
    print: (tags) => printList(tags, 'tag', ({ tag, count }) => [line(meta(String(count).padStart(6)), `  ${tag}`)]),
  },
  example: {
    input: { limit: 2 },
    output: {
      items: [
        { tag: 'sleep', count: 12 },
        { tag: 'health', count: 7 },
      ],
      total: 31,
      limit: 2,
      offset: 0,
    },
  },
  run: (input, { library, account }) => library.listTags(account, input),
});

export const renameTag = defineOperation({
  name: 'rename_tag',
  title: 'Rename a tag',
  description: 'One that exists is merged.',
  input: z.strictObject({
    from: tag.describe('The tag to rename, in any case.'),
    to: tag.describe('Its new name, as it is to be written from now on.'),
  }),
  output: z.object({
    tag: z.string(),
    items: z.int().describe('How many items had the old tag.'),
    merged: z.boolean().describe('Whether items had the new tag already.'),
    ...undo,
  }),
  permission: 'content:write',
  acknowledges: ['tag'],
  set: 'manage',
  // Destructive: which items had which of two merged tags is lost, unless the change is undone.
  effects: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  apiV1: {
    method: 'post',
    path: '/tags/rename',
    mayMissRecord: true,
    about: 'Renames a tag on all items. When items have the new tag already, the two become one.',
    answers: { 200: 'How many items had the old tag, and whether the two were merged.' },
  },
  cli: {
    command: 'tag rename <from> <to>',
    print: ({ tag: name, items, merged }) => [
      line(
        `${counted(items, 'item')} now ${items === 1 ? 'has' : 'have'} the tag ${oneLine(name, 100)}`,
        merged ? ', merged with those that had it.' : '.',
      ),
    ],
  },
  example: { input: { from: 'Sleep', to: 'sleep' }, output: { tag: 'sleep', items: 12, merged: false } },
  async run({ from, to }, { library, writer }) {
    return { tag: to, ...(await library.renameTag(writer, from, to)) };
  },
});
