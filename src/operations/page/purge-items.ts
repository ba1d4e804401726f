import { z } from 'zod';
import { exampleIds } from '../../domain/records/examples.ts';
import { someId } from '../fields.ts';
import { defineOperation } from '../operation.ts';

/** Only a person who looks at the trash removes what is in it before its 30 days are over; there is no undo. */
export const purgeItems = defineOperation({
  name: 'purge_items',
  title: 'Remove deleted items for good',
  description: 'Removes items that are in the trash, or all of them.',
  input: z.strictObject({ ids: z.array(someId).min(1).max(100).optional() }),
  output: z.object({ purged: z.int() }),
  permission: 'content:delete',
  acknowledges: ['purged'],
  set: null,
  effects: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  example: { input: { ids: [exampleIds.content] }, output: { purged: 1 } },
  run: async ({ ids }, { library, account }) => ({ purged: await library.purge(account, ids ?? null) }),
});
