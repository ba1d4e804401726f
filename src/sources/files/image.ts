import { ProcessingError } from '../../errors.ts';
import { readFile } from './read-file.ts';
import type { Source } from '../source.ts';

const imageTypes = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/bmp', 'image/avif']);

/** Pictures of text: screenshots, photographs of pages. */
export function createImageSource(ocr: boolean): Source {
  return {
    name: 'image',
    matches: (_url, mediaType) => imageTypes.has(mediaType),
    async read(resource, context) {
      if (!ocr) {
        throw new ProcessingError(
          'scanned',
          'This is an image. Turn on text recognition (setting `ocr`; `commonplace doctor` says what it needs) and retry, or save its text.',
        );
      }
      return readFile('image', resource, ocr, context);
    },
  };
}
