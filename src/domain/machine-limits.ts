import { unavailable } from '../errors.ts';

/*
 * Error codes for when the machine, or this process, runs out of a resource: open files, memory, threads, ports, disk
 * space. The page being read is not at fault. The condition passes by itself or when somebody frees the resource.
 */

const limitCodes: ReadonlySet<string> = new Set([
  'EMFILE',
  'ENFILE',
  'ENOMEM',
  'ENOBUFS',
  'EAGAIN',
  'EADDRNOTAVAIL',
  'ENOSPC',
  'EDQUOT',
  // The system could not start a thread.
  'ERR_WORKER_INIT_FAILED',
  'ERR_MEMORY_ALLOCATION_FAILED',
  'SQLITE_NOMEM',
  'SQLITE_FULL',
]);

/** Maximum number of causes to follow: an error may be its own cause. */
const maxDepth = 8;

/** Whether an error, or one of its causes, says that the machine was at a limit. */
export function isMachineLimit(error: unknown): boolean {
  let inner = error;
  for (let depth = 0; depth < maxDepth && inner instanceof Error; depth += 1) {
    if ('code' in inner && typeof inner.code === 'string' && limitCodes.has(inner.code)) return true;
    inner = inner instanceof AggregateError && inner.errors.length > 0 ? inner.errors[0] : inner.cause;
  }
  return false;
}

const noRoomCodes: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Whether a write failed because the disk is full, or because a file may not become larger. */
export function isOutOfRoom(error: unknown): boolean {
  return error instanceof Error && 'code' in error && noRoomCodes.has(String(error.code));
}

/** The error itself, or the explanation for people when it is a full disk. */
export function toldWhenFull(error: unknown, message: string): unknown {
  return isOutOfRoom(error) ? unavailable(message, { cause: error }) : error;
}

/*
 * docs/hosting.md describes the limits with 256 MB: web pages, and PDFs that need less than about 150 MB to read. With enough
 * memory six concurrent pages take up to 300 MB (docs/performance.md), and two accounts that save at once 580.
 */

/** Below this, there is not enough memory for one worker and the sentence model. */
export const enoughMegabytes = 512;

/** UTF-16 units. Nobody saves a text of more than twenty Bibles, but a small decompression bomb expands to it. */
const usualMaxCharacters = 20_000_000;
/**
 * Splitting and storing a text takes some 20 bytes of this process for each character, beside 80 MB that it has anyway: with 256 MB, a
 * page of ten million characters had the system end the whole program.
 */
const charactersPerMegabyte = 8_000;

/** How long the text of one item may be, in UTF-16 units, for a program that may use so much memory. */
export function maxCharactersWith(megabytes: number): number {
  return megabytes >= enoughMegabytes ? usualMaxCharacters : megabytes * charactersPerMegabyte;
}

/** A warning that this is too little memory, with advice; null when it is enough. */
export function memoryWarning(megabytes: number): string | null {
  if (megabytes >= enoughMegabytes) return null;
  return (
    `Commonplace may use ${megabytes} MB of memory here; ${enoughMegabytes} MB are enough for one worker and the sentence model. ` +
    'It processes one item at a time and searches in its main thread, unless the settings say otherwise. ' +
    'Pages and files may fail until there is more. ' +
    '256 MB are enough for web pages and most PDFs on Linux; `embedder: none` needs about 60 MB less.'
  );
}
