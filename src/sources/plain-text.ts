import type { Block, Document } from '../domain/document.ts';
import type { Resource } from '../domain/resource.ts';
import { ProcessingError } from '../errors.ts';
import type { ReadingThreads } from './reading-threads.ts';
import type { Source } from './source.ts';

/** Textual types that are no text for reading, or will be read by a source of their own. */
const notForReading = new Set([
  'text/html',
  'text/markdown',
  'text/css',
  'text/javascript',
  'text/vtt',
  'text/calendar',
  'text/vcard',
]);

/** Plain text: its paragraphs, parted by blank lines. Nothing in it is taken for a heading. */
export function createPlainTextSource(threads: ReadingThreads): Source {
  return {
    name: 'text',
    matches: (_url, mediaType) => mediaType.startsWith('text/') && !notForReading.has(mediaType),
    async read(resource, { signal }) {
      const text = textOf(resource);
      const blocks: Block[] = text
        .split(/\n(?:[ \t]*\n)+/)
        .map((paragraph) => ({ text: paragraph.replaceAll(/^\n+|\s+$/g, ''), kind: 'paragraph' as const }))
        .filter((block) => block.text !== '');
      return textDocument(blocks, { title: fileName(resource), language: await threads.detectLanguage(text, signal) });
    },
  };
}

/** The text of a textual resource, line ends made one. @throws {ProcessingError} `empty` */
export function textOf(resource: Resource): string {
  const text = (resource.text ?? '').replaceAll(/\r\n?/g, '\n');
  if (text.trim() === '') {
    throw new ProcessingError('empty', 'There is no text in it. Check that it is the right file or address.');
  }
  return text;
}

/** The last part of the address, which for texts without a title is their name. */
export function fileName(resource: Resource): string | null {
  const last = URL.parse(resource.finalUrl)?.pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last) || null;
  } catch (error) {
    if (error instanceof URIError) return last;
    throw error;
  }
}

export function textDocument(blocks: Block[], known: Partial<Document>): Document {
  return {
    contentType: 'text',
    title: null,
    author: null,
    siteName: null,
    publishedAt: null,
    language: null,
    canonicalUrl: null,
    durationSeconds: null,
    pageCount: null,
    warnings: [],
    ...known,
    blocks,
  };
}
