import type { FileProcesses } from './host/reader-process.ts';
import type { Source } from './source.ts';

const docxTypes = new Set([
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.template',
  'application/vnd.ms-word.document.macroenabled.12',
]);

/** Word documents (DOCX). Macros are never looked at. */
export function createDocxSource(processes: FileProcesses): Source {
  return {
    name: 'docx',
    matches: (_url, mediaType) => docxTypes.has(mediaType),
    read: ({ bytes, finalUrl }, { signal }) =>
      processes.read({ kind: 'docx', bytes, url: finalUrl, password: null, ocr: false }, signal),
  };
}
