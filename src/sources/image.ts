import { ProcessingError } from '../errors.ts';
import type { FileProcesses } from './host/reader-process.ts';
import type { Source } from './source.ts';

const imageTypes = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/bmp', 'image/avif']);

/** Pictures of text: screenshots, photographs of pages. */
export function createImageSource(processes: FileProcesses, ocr: boolean): Source {
  return {
    name: 'image',
    matches: (_url, mediaType) => imageTypes.has(mediaType),
    async read({ bytes, finalUrl }, { signal }) {
      if (!ocr) {
        throw new ProcessingError(
          'scanned',
          'This is an image. Turn on text recognition (setting `ocr`; `commonplace doctor` says what it needs) and retry, or save its text.',
        );
      }
      return processes.read({ kind: 'image', bytes, url: finalUrl, password: null, ocr }, signal);
    },
  };
}
