import { z } from 'zod';

/** The position of a piece of text in its source. Text offsets count UTF-16 units of the stored transcript. */
export const locator = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('time'), seconds: z.number().min(0).describe('From the start of the recording.') }),
  z.strictObject({ kind: z.literal('page'), page: z.int().min(1).describe('Counted from 1.') }),
  z.strictObject({
    kind: z.literal('text'),
    start: z.int().min(0).describe('Offset into the transcript, in UTF-16 units.'),
    end: z.int().min(0).describe('Offset of the first unit after it.'),
  }),
]);
export type Locator = z.infer<typeof locator>;

/** A locator that the source itself gives: seconds of a recording or a page of a document. */
export type SourceLocator = Extract<Locator, { kind: 'time' | 'page' }>;
