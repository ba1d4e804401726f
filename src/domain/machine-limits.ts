import { AppError } from '../errors.ts';

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

/** The error itself, or what a person is told when it is a full disk. */
export function toldWhenFull(error: unknown, message: string): unknown {
  return isOutOfRoom(error) ? new AppError('unavailable', message, { cause: error }) : error;
}
