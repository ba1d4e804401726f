import { z } from 'zod';
import { instant } from './instant.ts';

/** A text that an item has, or had before its page was fetched anew. */
export const itemVersion = z.object({
  version: z.int().describe('Its number. A version that is shown again gets a new one.'),
  createdAt: instant.describe('When it was read.'),
  title: z.string().nullable(),
  wordCount: z.int(),
  isShown: z.boolean().describe('Whether it is the one that is shown and searched.'),
});
export type ItemVersion = z.infer<typeof itemVersion>;

/** A version with its text, and how the texts of two versions differ: the older one is before. */
export const readVersion = itemVersion.extend({
  text: z.string().describe('As Markdown.'),
  against: z.int().describe('The version that it is compared with.'),
  added: z.int().describe('Paragraphs that only the later one of the two has.'),
  removed: z.int().describe('Paragraphs that only the earlier one has.'),
  changes: z
    .array(z.object({ change: z.enum(['added', 'removed']), text: z.string() }))
    .describe('Those paragraphs in their order: the first 200, the first 2,000 characters of each.'),
});
export type ReadVersion = z.infer<typeof readVersion>;
