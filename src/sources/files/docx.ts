import { readFile } from './read-file.ts';
import type { Source } from '../source.ts';

const docxTypes = new Set([
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.template',
  'application/vnd.ms-word.document.macroenabled.12',
]);

/** Word documents (DOCX). Macros are never read. */
export const docxSource: Source = {
  name: 'docx',
  matches: (_url, mediaType) => docxTypes.has(mediaType),
  read: (resource, context) => readFile('docx', resource, false, context),
};
