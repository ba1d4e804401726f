import type { Block, Document } from '../../domain/document.ts';
import type { FailureCode } from '../../errors.ts';

/** Which reader of the file process reads it. */
export type FileKind = 'pdf' | 'ebook' | 'docx' | 'image';

/** What the file process is asked: `size` bytes of the file follow on its stdin. */
export interface FileRequest {
  kind: FileKind;
  /** Where the file is from, for names and links. */
  url: string;
  size: number;
  /** For a locked file. Never logged, kept nowhere. */
  password: string | null;
  /** Whether text is recognised on pages that are pictures. */
  ocr: boolean;
}

/**
 * What the process sends: `ready` once, when it can begin; then for each request any number of `progress` and `blocks`
 * and one of the others. Blocks come in pieces, so that a book is never one message.
 */
export type FileMessage =
  | { kind: 'ready' }
  /** `done` counts finished pages or chapters; it may stand still while a page is being recognised. See `readingLimits`. */
  | { kind: 'progress'; done: number; recognised: number }
  | { kind: 'blocks'; blocks: Block[] }
  | { kind: 'result'; document: Omit<Document, 'blocks'> }
  | { kind: 'failure'; code: FailureCode; message: string }
  | { kind: 'broken' };

/** What a reader in the file process is given beside the bytes. */
export interface FileTask {
  url: string;
  password: string | null;
  ocr: boolean;
  /**
   * To be called at least with every finished page or chapter: silence for too long ends the process.
   * @param recognised pages on which text was recognised, with the one that is at work; none when left out
   */
  progress(done: number, recognised?: number): void;
}

/** UTF-16 units. More than twenty Bibles is no document that a person saves, but it is what a small bomb unfolds to. */
export const mostCharacters = 20_000_000;
