import type { FileProcesses } from './host/reader-process.ts';
import type { Source } from './source.ts';

/** E-books (EPUB). */
export function createEbookSource(processes: FileProcesses): Source {
  return {
    name: 'ebook',
    matches: (_url, mediaType) => mediaType === 'application/epub+zip',
    read: ({ bytes, finalUrl }, { signal }) =>
      processes.read({ kind: 'ebook', bytes, url: finalUrl, password: null, ocr: false }, signal),
  };
}
