/** Error codes that point to this machine or a damaged installation, whatever was being read. */
const codes = new Set([
  'EMFILE',
  'ENFILE',
  'EAGAIN',
  'ENOMEM',
  'ENOSPC',
  'EIO',
  'EACCES',
  'EPERM',
  'ENOENT',
  'MODULE_NOT_FOUND',
  'ERR_MODULE_NOT_FOUND',
  'ERR_PACKAGE_PATH_NOT_EXPORTED',
  'ERR_UNSUPPORTED_DIR_IMPORT',
  'ERR_DLOPEN_FAILED',
  'ERR_WORKER_INIT_FAILED',
  'ERR_WORKER_OUT_OF_MEMORY',
]);

/**
 * Decides what caused an unexpected error. The program is at fault if the error or one of its causes has a code for
 * files, modules or handles, since a page cannot cause those. Otherwise the content is.
 */
export function faultOf(error: unknown): 'content' | 'program' {
  for (let one = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth += 1) {
    if ('code' in one && typeof one.code === 'string' && codes.has(one.code)) return 'program';
  }
  return 'content';
}
