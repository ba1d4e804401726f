import { z } from 'zod';
import { contentStatus, contentSummary, contentType, itemOrder, tags } from '../../domain/records/content.ts';
import { exampleSummary } from '../../domain/records/examples.ts';
import { listLimit, listOf, listOffset } from '../fields.ts';
import { defineOperation } from '../operation.ts';

/** Like `list_content`, in an order that the person chooses. */
export const listLibrary = defineOperation({
  name: 'list_library',
  title: 'List saved items in an order',
  description: 'Saved items, by the time of saving or by title.',
  input: z.strictObject({
    limit: listLimit.default(50),
    offset: listOffset,
    order: itemOrder.default('newest'),
    contentType: contentType.optional(),
    status: contentStatus.optional(),
    tags: tags.optional(),
  }),
  output: listOf(contentSummary),
  permission: 'content:read',
  set: null,
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  example: { input: { order: 'title' }, output: { items: [exampleSummary], total: 1, limit: 50, offset: 0 } },
  run: (input, { library, account }) => library.list(account, input),
});
