import { z } from 'zod';
import { unlockedDocumentType } from '../../domain/records/unlocked-document.ts';
import { contentType, warning } from '../../domain/records/content.ts';
import type { Document } from '../../domain/records/document.ts';
import { ProcessingError } from '../../errors.ts';
import { maxBlocks } from '../host/reading-protocol.ts';
import type { Source } from '../source.ts';

const block = z.object({
  text: z.string(),
  kind: z.enum(['heading', 'paragraph', 'list', 'quote', 'code', 'table', 'caption']),
  level: z.int().min(1).max(6).optional(),
  locator: z
    .union([
      z.strictObject({ kind: z.literal('page'), page: z.int().min(1) }),
      z.strictObject({ kind: z.literal('time'), seconds: z.number().min(0) }),
    ])
    .optional(),
});
const document = z.object({
  contentType,
  title: z.string().nullable(),
  author: z.string().nullable(),
  siteName: z.string().nullable(),
  publishedAt: z.iso.datetime().nullable(),
  language: z.string().max(35).nullable(),
  canonicalUrl: z.null(),
  durationSeconds: z.number().nullable(),
  pageCount: z.int().nullable(),
  warnings: z.array(warning),
  blocks: z.array(block),
});
const kept = z.object({ commonplaceDocument: z.literal(1), document });

/** Maximum number of warnings. Only documents that this program wrote are read here. */
const maxWarnings = 100;

/**
 * A document that was read before it was saved. Only content that was handed over gets here: see `Sources.findGiven`.
 */
export const unlockedDocumentSource: Source = {
  name: 'unlocked-document',
  matches: (_url, mediaType) => mediaType === unlockedDocumentType,
  read: ({ text }) => Promise.resolve(parse(text ?? '')),
};

function parse(text: string): Document {
  try {
    const value: unknown = JSON.parse(text);
    checkCounts(value);
    return kept.parse(value).document;
  } catch (cause) {
    throw new ProcessingError(
      'extraction_failed',
      'The stored copy of this document is damaged. Save the file again.',
      {
        cause,
      },
    );
  }
}

/**
 * Checks list lengths before the schema runs. The schema's list of problems would take far more memory than the entries
 * themselves.
 */
function checkCounts(value: unknown): void {
  const inner: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'document') : null;
  if (typeof inner !== 'object' || inner === null) throw new TypeError('there is no document');
  for (const [name, limit] of [
    ['blocks', maxBlocks],
    ['warnings', maxWarnings],
  ] as const) {
    const list: unknown = Reflect.get(inner, name);
    if (!Array.isArray(list) || list.length > limit) throw new RangeError(`no list of ${name} that we made`);
  }
}
