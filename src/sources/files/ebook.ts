import { readFile } from './read-file.ts';
import type { Source } from '../source.ts';

/** E-books (EPUB). */
export const ebookSource: Source = {
  name: 'ebook',
  matches: (_url, mediaType) => mediaType === 'application/epub+zip',
  read: (resource, context) => readFile('ebook', resource, false, context),
};
