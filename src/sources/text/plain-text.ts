import type { Source } from '../source.ts';

/** Text types that are not meant for reading, or that another source reads. */
const notForReading = new Set([
  'text/html',
  'text/markdown',
  'text/css',
  'text/javascript',
  'text/vtt',
  'text/calendar',
  'text/vcard',
]);

/** Plain text, as paragraphs. */
export const plainTextSource: Source = {
  name: 'text',
  matches: (_url, mediaType) => mediaType.startsWith('text/') && !notForReading.has(mediaType),
  read: async (resource) =>
    (await import('./read-plain-text.ts')).readPlainText(resource.text ?? '', resource.finalUrl),
};
