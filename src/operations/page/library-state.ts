import { z } from 'zod';
import { contentType } from '../../domain/records/content.ts';
import { defineOperation } from '../operation.ts';

/** What every view of the page shows: how many items there are, what is being processed, and the available filters. */
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
