import { z } from 'zod';
import { defineOperation } from './operation.ts';
import { listOf } from './fields.ts';
import { line, meta, printList } from './printed.ts';

export const listTags = defineOperation({
  name: 'list_tags',
  title: 'List tags',
  description: 'The tags of all saved items, most used first, each with the number of its items.',
  input: z.strictObject({
    limit: z.int().min(1).max(1_000).describe('How many tags at most.').default(100),
    offset: z.int().min(0).describe('How many to pass over, counted from the most used.').default(0),
  }),
  output: listOf(z.object({ tag: z.string(), count: z.int() })),
  scope: 'content:read',
  set: null,
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
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
