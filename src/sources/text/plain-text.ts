import type { Source } from '../source.ts';

/** Textual types that are no text for reading, or will be read by a source of their own. */
const notForReading = new Set([
  'text/html',
  'text/markdown',
  'text/css',
  'text/javascript',
  'text/vtt',
  'text/calendar',
  'text/vcard',
]);

/** Plain text: its paragraphs as they are. */
export const plainTextSource: Source = {
  name: 'text',
  matches: (_url, mediaType) => mediaType.startsWith('text/') && !notForReading.has(mediaType),
  read: async (resource) =>
    (await import('./read-plain-text.ts')).readPlainText(resource.text ?? '', resource.finalUrl),
};
