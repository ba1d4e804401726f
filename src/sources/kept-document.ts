import { z } from 'zod';
import { keptDocumentMark, keptDocumentType } from '../domain/kept-document.ts';
import { contentType, type Warning, warning } from '../domain/content.ts';
import type { Document, Transcript } from '../domain/document.ts';
import type { Resource } from '../domain/resource.ts';
import { ProcessingError } from '../errors.ts';
import type { Source } from './source.ts';

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

/** Said of every item whose file is not kept: processing it again works with the text as it was read. */
const fileNotKept: Warning = {
  code: 'file_not_kept',
  message:
    'This file was locked: its text is kept, the file and its password are not. To have it read anew, save it again with the password.',
};

/** The resource to save in place of the one that the document was read from. `url` is the address that the item stands for. */
export function keepDocument(
  resource: Resource,
  read: Omit<Document, 'blocks'>,
  transcript: Transcript,
  url: string,
): Resource {
  const blocks = transcript.blocks.map(({ start, end, ...rest }) => ({
    ...rest,
    text: transcript.text.slice(start, end),
  }));
  const document = { ...read, canonicalUrl: null, warnings: [...read.warnings, fileNotKept], blocks };
  const text = `${keptDocumentMark}"document":${JSON.stringify(document)}}`;
  const bytes = new TextEncoder().encode(text);
  return {
    url,
    finalUrl: url,
    bytes,
    mediaType: keptDocumentType,
    declaredType: keptDocumentType,
    charset: 'utf-8',
    text,
    fetchedAt: resource.fetchedAt,
  };
}

export function createKeptDocumentSource(): Source {
  return {
    name: 'kept-document',
    matches: (_url, mediaType) => mediaType === keptDocumentType,
    read: ({ text }) => Promise.resolve(parse(text ?? '')),
  };
}

/** Parsed like any other file of other people's making: a site may serve one. */
function parse(text: string): Document {
  try {
    return kept.parse(JSON.parse(text)).document;
  } catch (cause) {
    throw new ProcessingError('extraction_failed', 'What was kept of this document is damaged. Save the file again.', {
      cause,
    });
  }
}
