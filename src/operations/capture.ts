import { z } from 'zod';
import { exampleHighlight, exampleIds } from '../domain/records/examples.ts';
import { highlight } from '../domain/records/highlights/highlight.ts';
import { instant } from '../domain/records/instant.ts';
import { defineOperation } from './operation.ts';

/** Of a page that somebody looks at; more of them are not drawn on it. */
const maxHighlights = 100;
const maxTags = 200;

/** The browser extension's question about a page before it saves it. Not part of the public interfaces. */
export const lookUpPage = defineOperation({
  name: 'look_up_page',
  title: 'Look up a page by its address',
  description: 'Whether an address is saved, its highlights, and the tags there are.',
  input: z.strictObject({ url: z.string().min(1).max(2_048) }),
  output: z.object({
    item: z
      .object({ id: z.string(), savedAt: instant, tags: z.array(z.string()), notes: z.string().nullable() })
      .nullable(),
    highlights: z.array(highlight.pick({ id: true, quote: true })),
    tags: z.array(z.string()),
  }),
  permission: 'capture:read',
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  example: {
    input: { url: 'https://example.org/sleep' },
    output: {
      item: { id: exampleIds.content, savedAt: '2026-03-02T06:30:42.017Z', tags: ['sleep'], notes: null },
      highlights: [{ id: exampleIds.highlight, quote: exampleHighlight.quote }],
      tags: ['sleep', 'health'],
    },
  },
  async run({ url }, { library, highlights, account }) {
    const tags = await library.listTags(account, { limit: maxTags, offset: 0 });
    const names = tags.items.map(({ tag }) => tag);
    const id = await library.findByAddress(account, url);
    if (id === null) return { item: null, highlights: [], tags: names };
    const { createdAt, tags: ownTags, notes } = await library.getSummary(account, id);
    const marked = await highlights.list(account, { contentId: id, limit: maxHighlights, offset: 0 });
    return { item: { id, savedAt: createdAt, tags: ownTags, notes }, highlights: marked.items, tags: names };
  },
});
