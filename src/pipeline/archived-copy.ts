import type { NamedCopy } from '../domain/links/archived-copy.ts';
import type { KeptWarning } from '../domain/records/content.ts';
import type { Resource } from '../domain/records/resource.ts';
import { type FailureCode, ProcessingError } from '../errors.ts';
import type { WebArchive } from '../fetching/web-archive.ts';

/** Where pages that are gone are looked up, when the settings allow it. */
export type AskArchive = Pick<WebArchive, 'find'> & { readonly name: string };

/** The ways in which a page is gone, not merely out of reach for Commonplace (login, certificate, too many requests). */
const goneCodes: ReadonlySet<FailureCode> = new Set(['not_found', 'dns_failed', 'connection_failed', 'timeout']);

/** Whether the page is permanently gone: the failure is one of `goneCodes`, and retries have ended. */
export function isGone(error: unknown, isLastAttempt: boolean): error is ProcessingError {
  return error instanceof ProcessingError && goneCodes.has(error.code) && (!error.retryable || isLastAttempt);
}

/**
 * The archive's copy of a missing page.
 * @param closestTo when the page was saved: the copy of that time is most likely what the person saw
 * @throws {ProcessingError} `gone`, with the archive's answer added to its message. It can be retried when the archive could not be
 * reached.
 */
export async function fetchArchivedCopy(
  archive: AskArchive,
  gone: ProcessingError,
  page: { url: string; closestTo: number },
  signal: AbortSignal,
  accountId: string,
): Promise<Resource> {
  const added = (words: string, options: { retryable?: boolean; retryAfterMs?: number | undefined } = {}) =>
    new ProcessingError(gone.code, `${gone.message} ${words}`, { ...options, known: gone.known, cause: gone });
  let found: Awaited<ReturnType<AskArchive['find']>>;
  try {
    found = await archive.find(page.url, page.closestTo, signal, accountId);
  } catch (error) {
    signal.throwIfAborted();
    // These are about this machine, so the worker has to know them.
    if (!(error instanceof ProcessingError) || error.code === 'offline' || error.code === 'machine_limit') throw error;
    const { retryable, retryAfterMs } = error;
    if (retryable)
      throw added(`The web archive ${archive.name} could not be asked for a copy.`, { retryable, retryAfterMs });
    throw added(`The web archive ${archive.name} did not deliver its copy.`);
  }
  if (found === 'not asked') throw gone;
  if (found === 'none') throw added(`The web archive ${archive.name} names no copy of it, either.`);
  return found;
}

/** Says that the text is not the page itself. */
export function archivedCopyWarning({ archive, date, url }: NamedCopy): KeptWarning {
  return {
    code: 'archived_copy',
    message: `The page is gone from its address. This is a copy that the web archive ${archive} made on ${date}: ${url}`,
    copy: { url, date },
  };
}

/** The failure of an item whose archived copy cannot be read. */
export function unreadableCopy(error: ProcessingError, { archive, date, url }: NamedCopy): ProcessingError {
  const { code, retryable, retryAfterMs, known } = error;
  return new ProcessingError(
    code,
    `The page is gone from its address. The web archive ${archive} has a copy of ${date} (${url}), which could not be read: ${error.message}`,
    { retryable, retryAfterMs, known, cause: error },
  );
}
