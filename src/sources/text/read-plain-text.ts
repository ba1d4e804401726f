import type { Warning } from '../../domain/records/content.ts';
import type { Block, Document } from '../../domain/records/document.ts';
import { plainText } from '../../domain/text/plain-text.ts';
import { detectLanguage } from '../language/language.ts';

/** Reads plain text as paragraphs separated by blank lines. Nothing is taken as a heading. */
export async function readPlainText(text: string, url: string): Promise<Document> {
  const blocks: Block[] = oneLineEnd(text)
    .split(/\n(?:[ \t]*\n)+/)
    // `trimEnd`, not a pattern: `\s+$` takes quadratic time on a long run of spaces inside the text.
    .map((paragraph) => ({ text: paragraph.replace(/^\n+/, '').trimEnd(), kind: 'paragraph' as const }))
    .filter((block) => block.text !== '');
  return textDocument(blocks, { title: fileName(url), language: await detectLanguage(text) });
}

export function oneLineEnd(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

/** The last segment of the address, used as the title of texts that have none. */
export function fileName(url: string): string | null {
  const last = URL.parse(url)?.pathname.split('/').at(-1) ?? '';
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

/** The first heading of a text, one of the first level before others. */
export function firstHeading(blocks: readonly Block[]): string | null {
  const heading = blocks.find(({ level }) => level === 1) ?? blocks.find(({ kind }) => kind === 'heading');
  return heading === undefined ? null : plainText(heading.text);
}

export function warningsOf(...all: readonly (readonly [applies: boolean, code: string, message: string])[]): Warning[] {
  return all.flatMap(([applies, code, message]) => (applies ? [{ code, message }] : []));
}
