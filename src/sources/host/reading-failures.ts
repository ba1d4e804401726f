import { ProcessingError } from '../../errors.ts';
import type { FileKind } from '../files/file-protocol.ts';

const names: Record<FileKind, string> = {
  pdf: 'PDF',
  ebook: 'e-book',
  docx: 'Word document',
  image: 'image',
};

const wayOut = 'Open it and save it anew (printing to PDF often helps), or save its text as a file.';

export function slowFile(kind: FileKind, cause?: unknown): ProcessingError {
  return new ProcessingError(
    'extraction_timeout',
    `Reading this ${names[kind]} took too long and was given up: it is built in a way that cannot be read in reasonable time. ${wayOut}`,
    { cause },
  );
}

export function tooMuchMemory(kind: FileKind): ProcessingError {
  return new ProcessingError(
    'extraction_failed',
    `Reading this ${names[kind]} took more than 1 GB of memory and was given up. ${wayOut}`,
  );
}

export function tooMuchText(kind: FileKind): ProcessingError {
  return new ProcessingError(
    'too_large',
    `This ${names[kind]} holds more than 20 million characters of text. Split it into smaller files, and save those.`,
  );
}

export function brokenFile(kind: FileKind, cause?: unknown): ProcessingError {
  return new ProcessingError('extraction_failed', `This ${names[kind]} breaks its reader. ${wayOut}`, { cause });
}
