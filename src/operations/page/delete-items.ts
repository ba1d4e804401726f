import { z } from 'zod';
import { exampleIds } from '../../domain/records/examples.ts';
import { AppError } from '../../errors.ts';
import { someId, undo } from '../fields.ts';
import { defineOperation } from '../operation.ts';

/** Other clients delete items one at a time, with an undo for each. Here several are one change, which one undo takes back. */
export const deleteItems = defineOperation({
  name: 'delete_items',
  title: 'Delete saved items',
  description: 'Moves items to the trash, as one change.',
  input: z.strictObject({ ids: z.array(someId).min(1).max(100) }),
  output: z.object({ deleted: z.int(), ...undo }),
  permission: 'content:delete',
  acknowledges: ['deleted'],
  set: null,
  effects: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  example: { input: { ids: [exampleIds.content] }, output: { deleted: 1 } },
  async run({ ids }, { library, writer }) {
    let deleted = 0;
    for (const id of new Set(ids)) {
      const isThere = await library.delete(writer, id).catch((error: unknown) => {
        // Another window has removed it for good; the others are still to be deleted.
        if (error instanceof AppError && error.code === 'not_found') return null;
        throw error;
      });
      if (isThere !== null) deleted += 1;
    }
    return { deleted };
  },
});
