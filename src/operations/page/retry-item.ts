import { z } from 'zod';
import { contentSummary } from '../../domain/records/content.ts';
import { exampleIds, exampleSummary } from '../../domain/records/examples.ts';
import { someId } from '../fields.ts';
import { defineOperation } from '../operation.ts';

/** The command line has `retry` for it, and assistants save the address again. */
export const retryItem = defineOperation({
  name: 'retry_item',
  title: 'Try a failed item again',
  description: 'Queues an item that failed.',
  input: z.strictObject({ id: someId }),
  output: contentSummary,
  permission: 'content:write',
  acknowledges: ['id', 'status'],
  set: null,
  effects: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
  example: { input: { id: exampleIds.content }, output: exampleSummary },
  run: ({ id }, { library, account }) => library.retry(account, id),
});
