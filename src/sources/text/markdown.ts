import type { Source } from '../source.ts';

/** Markdown files and notes. */
export const markdownSource: Source = {
  name: 'markdown',
  matches: (_url, mediaType) => mediaType === 'text/markdown',
  read: async (resource) => (await import('./read-markdown.ts')).readMarkdown(resource.text ?? '', resource.finalUrl),
};
