import { type Caption, readStampedText } from '../../domain/captions/timed-lines.ts';
import { type ContentType, contentType, warning } from '../../domain/records/content.ts';
import type { Document } from '../../domain/records/texts/document.ts';
import { type Resource, unlockedDocumentType } from '../../domain/records/resource.ts';
import { type PushedContent, pushedContent, pushedType } from '../../domain/records/pushed-content.ts';
import { isNoteAddress } from '../../domain/links/shown-address.ts';
import { plainText } from '../../domain/text/plain-text.ts';
import { shortened } from '../../domain/text/shortened.ts';
import { youtubeVideoId } from '../../domain/links/youtube-url.ts';
import { ProcessingError } from '../../errors.ts';
import { captionBlocks } from '../captions/caption-blocks.ts';
import { withRecording } from '../page/media-document.ts';
import { fileName, textDocument, readMarkdown } from '../text/read-text.ts';
import { readPage } from '../page/read-page.ts';
import { detectLanguage } from '../language/language.ts';
import type { Source, SourceContext } from '../source.ts';
import { lastSecond, watchAddress } from '../youtube/video-document.ts';
import { parseJson } from '../../domain/json/bounded-json.ts';
import { z } from 'zod';
import { maxBlocks } from '../host/reading-protocol.ts';

/** Content that a client sent together with an address. No network request is made for it. */
export const pushedSource: Source = {
  name: 'pushed',
  matches: (_url, mediaType) => mediaType === pushedType,
  async read(resource, context) {
    const pushed = pushedContent.safeParse(parseJson(resource.text ?? ''));
    if (!pushed.success)
      throw new ProcessingError('empty', 'There is no text in what was sent. Save the address again with its text.');
    const document = await readPushed(pushed.data, resource, context);
    return asVideo({ ...document, title: pushed.data.title ?? document.title }, resource.finalUrl);
  },
};

/** A page that a client had in front of it. No network request is made for it. */
export const givenPageSource: Source = {
  name: 'given-page',
  matches: (_url, mediaType) => mediaType === 'text/html' || mediaType === 'application/xhtml+xml',
  read: async (resource, context) =>
    asVideo(await withRecording(await readPage(resource, context, true), null), resource.finalUrl),
};

function asVideo(document: Document, url: string): Document {
  const videoId = youtubeVideoId(new URL(url));
  if (videoId === null) return document;
  return { ...document, contentType: 'youtube', siteName: 'YouTube', canonicalUrl: watchAddress(videoId) };
}

async function readPushed(
  { text, html, captions }: PushedContent,
  { finalUrl: url, fetchedAt }: Pick<Resource, 'finalUrl' | 'fetchedAt'>,
  context: SourceContext,
): Promise<Document> {
  if (isNoteAddress(url)) return readNote(text ?? '', url);
  if (html !== undefined)
    return withRecording(await readPage({ text: html, finalUrl: url, fetchedAt }, context, true), null);
  const timed =
    captions?.map((one): Caption => ({ ...one, duration: one.duration ?? null })) ?? readStampedText(text ?? '');
  if (timed !== null) {
    const blocks = captionBlocks(timed);
    const said = blocks.map((block) => block.text).join('\n\n');
    const language = await detectLanguage(said.slice(0, 20_000));
    return textDocument(blocks, { contentType: 'video', language, durationSeconds: lastSecond(timed) });
  }
  const document = await readMarkdown(text ?? '', url);
  // The last part of the address is a title only for files; here the address is a page.
  const title = document.title === fileName(url) ? null : document.title;
  return { ...document, title, contentType: pageType(url) };
}

const maxNoteTitle = 80;

/** A note is never read as captions: a line of it may well begin with a time. */
async function readNote(text: string, url: string): Promise<Document> {
  const document = await readMarkdown(text, url);
  const hasTitle = document.title !== null && document.title !== fileName(url);
  const [first] = document.blocks;
  const firstLine = plainText((first?.text ?? '').split('\n', 1)[0] ?? '');
  return { ...document, title: hasTitle ? document.title : shortened(firstLine, maxNoteTitle) || null };
}

function pageType(url: string): ContentType {
  return /\.pdf$/i.test(URL.parse(url)?.pathname ?? '') ? 'pdf' : 'article';
}

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

/** A document that was read before it was saved. Only what was handed over gets here (`Sources.findGiven`). */
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
      { cause },
    );
  }
}

/** Runs before the schema, whose list of problems would take far more memory than the entries themselves. */
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
