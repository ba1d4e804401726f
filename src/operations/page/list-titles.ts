import { z } from 'zod';
import { contentStatus, contentType, itemOrder, tags } from '../../domain/records/content.ts';
import { exampleIds } from '../../domain/records/examples.ts';
import { listOffset } from '../fields.ts';
import { defineOperation } from '../operation.ts';

/** What the list shows of an item while somebody scrolls past it: id, title, type and the day of saving. A tuple, because field names would make up half of the answer. */
const passedItem = z.tuple([z.string(), z.string(), contentType.nullable(), z.string()]);

/** A long part of a list at once, with few details, so that the page can show something wherever somebody scrolls to. */
export const listTitles = defineOperation({
  name: 'list_titles',
  title: 'List titles of saved items',
  description: 'Titles of saved items, in the order of the library.',
  input: z.strictObject({
    limit: z.int().min(1).max(2_000),
    offset: listOffset,
    order: itemOrder.default('newest'),
    contentType: contentType.optional(),
    status: contentStatus.optional(),
    tags: tags.optional(),
  }),
  output: z.object({ items: z.array(passedItem), total: z.int() }),
  permission: 'content:read',
  set: null,
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  example: {
    input: { limit: 1_000, offset: 0, order: 'newest' },
    output: {
      items: [[exampleIds.content, 'The dull habits that cured my insomnia', 'article', '2026-03-02']],
      total: 1,
    },
  },
  async run(input, { library, account }) {
    const { items, total } = await library.listTitles(account, input);
    return {
      total,
      items: items.map(({ id, title, contentType: kind, createdAt }): z.infer<typeof passedItem> => [
        id,
        title,
        kind,
        createdAt.slice(0, 10),
      ]),
    };
  },
});
