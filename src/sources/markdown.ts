import type { ReadingThreads } from './reading-threads.ts';
import type { Source } from './source.ts';

/** Markdown files and notes. */
export function createMarkdownSource(threads: ReadingThreads): Source {
  return {
    name: 'markdown',
    matches: (_url, mediaType) => mediaType === 'text/markdown',
    read: (resource, { signal }) => threads.readText('markdown', resource.text ?? '', resource.finalUrl, signal),
  };
}
