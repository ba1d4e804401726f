/*
 * What the system says when the machine, or this process, has too little of something: open files, memory, threads, ports, room on the
 * disk. That is no fault of the page that was being read at the moment, and passes by itself or when somebody makes room.
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
  // A thread that the system did not start.
  'ERR_WORKER_INIT_FAILED',
  'ERR_MEMORY_ALLOCATION_FAILED',
  'SQLITE_NOMEM',
  'SQLITE_FULL',
]);

/** Causes are followed so far: an error may be its own cause. */
const maxDepth = 8;

/** Whether the machine was at a limit, whatever the error has become on its way. */
export function isMachineLimit(error: unknown): boolean {
  let inner = error;
  for (let depth = 0; depth < maxDepth && inner instanceof Error; depth += 1) {
    if ('code' in inner && typeof inner.code === 'string' && limitCodes.has(inner.code)) return true;
    inner = inner instanceof AggregateError && inner.errors.length > 0 ? inner.errors[0] : inner.cause;
  }
  return false;
}
