import { z } from 'zod';
import { defineOperation } from '../operation.ts';

/** The command line has `retry --all-failed` for it. */
export const retryAll = defineOperation({
  name: 'retry_all',
  title: 'Try all failed items again',
  description: 'Queues every item that failed.',
  input: z.strictObject({}),
  output: z.object({ queued: z.int() }),
  permission: 'content:write',
  acknowledges: ['queued'],
  set: null,
  effects: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
  example: { input: {}, output: { queued: 3 } },
  async run(_, { library, account }) {
    const { queued } = await library.retryFailed(account);
    return { queued: Object.values(queued).reduce((sum, count) => sum + count, 0) };
  },
});
