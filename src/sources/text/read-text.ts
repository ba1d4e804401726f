import type { Warning } from '../../domain/records/content.ts';
import type { Block, Document } from '../../domain/records/texts/document.ts';
import { plainText } from '../../domain/text/plain-text.ts';
import { detectLanguage } from '../language/language.ts';
import { withoutDataPictures } from '../page/markdown/tidy-markdown.ts';
import { markdownBlocks } from './markdown-blocks.ts';
import { parsePublished } from '../page/metadata/published-date.ts';

/** Reads plain text as paragraphs separated by blank lines. Nothing is taken as a heading. */
export async function readPlainText(text: string, url: string): Promise<Document> {
  const blocks: Block[] = oneLineEnd(text)
    .split(/\n(?:[ \t]*\n)+/)
    // `trimEnd`, not a pattern: `\s+$` takes quadratic time on a long run of spaces inside the text.
    .map((paragraph) => ({ text: paragraph.replace(/^\n+/, '').trimEnd(), kind: 'paragraph' as const }))
    .filter((block) => block.text !== '');
  return textDocument(blocks, { title: fileName(url), language: await detectLanguage(text) });
}

function oneLineEnd(text: string): string {
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

/** Longer than the sample that the language detector uses, so that enough text is left without markup and links. */
const languageSample = 40_000;

/** YAML front matter gives title, author and date and is not part of the text. */
export async function readMarkdown(markdown: string, url: string): Promise<Document> {
  const { fields, body } = splitFrontMatter(withoutDataPictures(oneLineEnd(markdown)));
  const blocks = markdownBlocks(body);
  return textDocument(blocks, {
    title: fields.get('title') ?? firstHeading(blocks) ?? fileName(url),
    author: fields.get('author') ?? null,
    publishedAt: parsePublished(fields.get('date') ?? null),
    language: await detectLanguage(plainText(body.slice(0, languageSample))),
  });
}

/** Only `name: value` lines are read: titles, authors and dates are written like that. */
function splitFrontMatter(text: string): { fields: Map<string, string>; body: string } {
  const fields = new Map<string, string>();
  const { lines, end } = frontMatter(text);
  // Two thematic breaks with prose between them look the same, but hold no fields.
  if (!lines.some((line) => /^[\w-]+:/.test(line))) return { fields, body: text };
  for (const line of lines) {
    const [, name, value = ''] = /^([\w-]+):(.*)$/.exec(line) ?? [];
    const bare = value.trim().replace(/^(["'])(.*)\1$/, '$2');
    if (name !== undefined && bare !== '') fields.set(name.toLowerCase(), bare);
  }
  return { fields, body: text.slice(end) };
}

const maxMatterLines = 200;

/** The lines of the front matter, and where the body begins. No lines and 0 if there is none. */
function frontMatter(text: string): { lines: string[]; end: number } {
  const lines: string[] = [];
  let start = text.startsWith('\ufeff') ? 1 : 0;
  for (let number = 0; number <= maxMatterLines + 1 && start <= text.length; number += 1) {
    const lineEnd = text.indexOf('\n', start);
    const next = lineEnd === -1 ? text.length + 1 : lineEnd + 1;
    const line = text.slice(start, next - 1);
    const isMark = /^(?:---|\.\.\.)[ \t]*$/.test(line);
    if (number === 0 && (!isMark || line.startsWith('.'))) break;
    if (number > 0 && isMark) return { lines, end: Math.min(next, text.length) };
    if (number > 0) lines.push(line);
    start = next;
  }
  return { lines: [], end: 0 };
}
