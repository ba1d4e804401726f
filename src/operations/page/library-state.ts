import { z } from 'zod';
import { contentType } from '../../domain/records/content.ts';
import { defineOperation } from '../operation.ts';

/** What stands around every view: how much there is, what is under way, and what can be filtered by. */
export const libraryState = defineOperation({
  name: 'library_state',
  title: 'The state of the library',
  description: 'Counts of items by state and kind.',
  input: z.strictObject({}),
  output: z.object({
    searchable: z.int(),
    pending: z.int(),
    failed: z.int(),
    kinds: z.array(z.object({ kind: contentType, count: z.int() })),
  }),
  permission: 'content:read',
  set: null,
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  example: { input: {}, output: { searchable: 41, pending: 1, failed: 0, kinds: [{ kind: 'article', count: 41 }] } },
  run: (_, { library, account }) => library.state(account),
});
