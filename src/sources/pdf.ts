import type { FileProcesses } from './host/reader-process.ts';
import type { Source } from './source.ts';

/** PDF documents: their text in reading order, with its pages. */
export function createPdfSource(processes: FileProcesses, ocr: boolean): Source {
  return {
    name: 'pdf',
    matches: (_url, mediaType) => mediaType === 'application/pdf',
    read: ({ bytes, finalUrl }, { signal, password }) =>
      processes.read({ kind: 'pdf', bytes, url: finalUrl, password: password ?? null, ocr }, signal),
  };
}
