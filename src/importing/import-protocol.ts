import type { FolderBatch, ReadFolder } from '../domain/records/sources/folder.ts';
import type { ImportBatch } from '../domain/records/transfers/import.ts';
import type { ErrorCode } from '../errors.ts';
import type { ReadExport } from './read-export.ts';

/** Messages to the import thread. It sends the next batch when the last one was taken. */
export type ToImportThread = { kind: 'read'; request: ReadExport | ReadFolder } | { kind: 'next' };

/** Messages from the import thread. */
export type FromImportThread =
  | { kind: 'batch'; batch: ImportBatch | FolderBatch }
  | { kind: 'end' }
  | { kind: 'refused'; code: ErrorCode; message: string }
  | { kind: 'broken'; message: string; stack: string | undefined };
