import { readFile } from '../files/read-file.ts';
import type { Source } from '../source.ts';

/** PDF documents: their text in reading order, with its pages. */
export function createPdfSource(ocr: boolean): Source {
  return {
    name: 'pdf',
    matches: (_url, mediaType) => mediaType === 'application/pdf',
    read: (resource, context) => readFile('pdf', resource, ocr, context),
  };
}
