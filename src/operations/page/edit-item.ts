import { z } from 'zod';
import { AppError } from '../../errors.ts';
import { contentSummary, givenTitle, notes, tags } from '../../domain/records/content.ts';
import { exampleIds, exampleSummary } from '../../domain/records/examples.ts';
import { clearable, someId, undo } from '../fields.ts';
import { defineOperation } from '../operation.ts';

const fields = {
  title: clearable(givenTitle).optional(),
  tags: clearable(tags).optional(),
  notes: clearable(notes).optional(),
};

/** What the page showed, as it was stored: titles of pages may be longer than one's own. */
const seenFields = {
  title: z.string().max(20_000).optional(),
  tags: z.array(z.string().max(1_000)).max(1_000).optional(),
  notes: z.string().max(20_000).optional(),
};

/**
 * `update_content`, unless a field has another value than the person saw. /api/v1 has `If-Match` for that; a page knows no ETag of
 * the items in its lists, and a change of other fields, such as a new summary, is in nobody's way.
 */
export const editItem = defineOperation({
  name: 'edit_item',
  title: 'Change an item that the person sees',
  description: 'Sets title, tags or notes, if they are what the person saw.',
  input: z.strictObject({ id: someId, ...fields, before: z.strictObject(seenFields) }),
  output: contentSummary.extend(undo),
  permission: 'content:write',
  acknowledges: ['id', 'status'],
  set: null,
  effects: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  example: {
    input: { id: exampleIds.content, title: 'A better title', before: { title: exampleSummary.title ?? '' } },
    output: { ...exampleSummary, title: 'A better title' },
  },
  async run({ id, before, ...changes }, { library, account, writer }) {
    // The version first: a change between this and the write makes the write fail.
    const version = await library.getVersion(account, id);
    const now = await library.getSummary(account, id);
    const isInTheWay = (['title', 'tags', 'notes'] as const).some((field) => {
      const there = JSON.stringify(now[field] ?? '');
      return before[field] !== undefined && ![before, changes].some((one) => JSON.stringify(one[field]) === there);
    });
    if (isInTheWay) throw new AppError('precondition_failed', 'The item was changed since. Read it again.');
    return library.update(writer, id, changes, version);
  },
});
