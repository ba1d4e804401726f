import type { Document } from '../../domain/records/document.ts';
import type { Resource } from '../../domain/records/resource.ts';
import type { FileTask } from './file-task.ts';
import type { FileKind } from '../host/reading-protocol.ts';
import type { SourceContext } from '../source.ts';

type ReadFile = (bytes: Uint8Array, task: FileTask) => Promise<Document>;

/** Each reader is loaded on first use. */
const readers: Readonly<Record<FileKind, () => Promise<ReadFile>>> = {
  pdf: async () => (await import('../pdf/read-pdf.ts')).readPdf,
  ebook: async () => (await import('./read-ebook.ts')).readEbook,
  docx: async () => (await import('./docx/read-docx.ts')).readDocx,
  mail: async () => (await import('./read-mail.ts')).readMail,
  image: async () => (await import('./read-image.ts')).readImage,
};

/**
 * Reads a file with the reader for its kind.
 * @param ocr whether text recognition runs on pages that are pictures
 * @throws {ProcessingError} as the reader of its kind
 */
export async function readFile(
  kind: FileKind,
  { bytes, finalUrl }: Pick<Resource, 'bytes' | 'finalUrl'>,
  ocr: boolean,
  { password, report }: Pick<SourceContext, 'password' | 'report'>,
): Promise<Document> {
  report.loading();
  const read = await readers[kind]();
  report.begun(kind);
  return read(bytes, { url: finalUrl, password: password ?? null, ocr, progress: report.progress });
}
