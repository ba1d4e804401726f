import { plainText } from '../domain/plain-text.ts';
import { markdownBlocks } from './markdown-blocks.ts';
import { fileName, textDocument, textOf } from './plain-text.ts';
import { parsePublished } from './published-date.ts';
import type { ReadingThreads } from './reading-threads.ts';
import type { Source } from './source.ts';

/** Markdown files and notes. YAML front matter gives title, author and date, and is no part of the text. */
export function createMarkdownSource(threads: ReadingThreads): Source {
  return {
    name: 'markdown',
    matches: (_url, mediaType) => mediaType === 'text/markdown',
    async read(resource, { signal }) {
      const { fields, body } = splitFrontMatter(textOf(resource));
      const blocks = markdownBlocks(body);
      const heading = blocks.find(({ level }) => level === 1) ?? blocks.find(({ kind }) => kind === 'heading');
      return textDocument(blocks, {
        title: fields.get('title') ?? (heading === undefined ? null : plainText(heading.text)) ?? fileName(resource),
        author: fields.get('author') ?? null,
        publishedAt: parsePublished(fields.get('date') ?? null),
        language: await threads.detectLanguage(plainText(body), signal),
      });
    },
  };
}

/** Only `name: value` lines are read, which is what titles, authors and dates are written as. */
function splitFrontMatter(text: string): { fields: Map<string, string>; body: string } {
  const fields = new Map<string, string>();
  const matter = /^\ufeff?---[ \t]*\n((?:(?!---[ \t]*$)[^\n]*\n){0,200}?)(?:---|\.\.\.)[ \t]*(?:\n|$)/m.exec(text);
  const lines = matter?.[1]?.split('\n') ?? [];
  // Two thematic breaks with prose between them look the same, but hold no fields.
  if (matter?.index !== 0 || !lines.some((line) => /^[\w-]+:/.test(line))) return { fields, body: text };
  for (const line of lines) {
    const [, name, value = ''] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
    const bare = value.trim().replace(/^(["'])(.*)\1$/, '$2');
    if (name !== undefined && bare !== '') fields.set(name.toLowerCase(), bare);
  }
  return { fields, body: text.slice(matter[0].length) };
}
