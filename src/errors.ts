import type { KnownMetadata } from './domain/records/texts/document.ts';

/** Why a call was refused. All faces use these codes. The union is closed: a new code changes the contract. */
export type ErrorCode =
  | 'invalid_input'
  | 'unauthorized'
  | 'insufficient_scope'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'precondition_failed'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'range_not_satisfiable'
  | 'rate_limited'
  | 'cancelled'
  | 'newer_data'
  | 'unavailable'
  | 'internal';

/** The HTTP status of each code; faces that are not HTTP still use it to group errors. */
export const httpStatus: Readonly<Record<ErrorCode, number>> = {
  invalid_input: 400,
  unauthorized: 401,
  insufficient_scope: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  rate_limited: 429,
  cancelled: 499,
  newer_data: 500,
  unavailable: 500,
  internal: 500,
};

export interface FieldProblem {
  /** Dotted path of the field, empty for the whole input. */
  path: string;
  message: string;
}

/**
 * An error whose message may be shown to any client: it says what to do next and holds no text
 * of a page, a provider, SQL or the file system. Put those into `cause`, which only the log sees.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: readonly FieldProblem[];

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; fields?: readonly FieldProblem[] } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.fields = options.fields ?? [];
  }
}

type AppErrorOptions = ConstructorParameters<typeof AppError>[2];

const refusal =
  (code: ErrorCode) =>
  (message: string, options?: AppErrorOptions): AppError =>
    new AppError(code, message, options);

export const invalidInput = refusal('invalid_input');
export const notFound = refusal('not_found');
export const conflict = refusal('conflict');
export const unavailable = refusal('unavailable');

/** Why an item could not be processed. Stored with the item, shown to people and models. */
export type FailureCode =
  | 'url_not_allowed'
  | 'address_refused'
  | 'offline'
  | 'dns_failed'
  | 'connection_failed'
  | 'tls_failed'
  | 'timeout'
  | 'too_large'
  | 'too_many_redirects'
  | 'not_found'
  | 'forbidden'
  | 'rate_limited'
  | 'http_error'
  | 'server_error'
  | 'file_unreadable'
  | 'unsupported_type'
  | 'empty'
  | 'captcha'
  | 'consent_wall'
  | 'paywall'
  | 'login_required'
  | 'soft_404'
  | 'extraction_failed'
  | 'transcript_blocked'
  | 'age_restricted'
  | 'no_captions'
  | 'token_required'
  | 'video_private'
  | 'video_unavailable'
  | 'video_not_ready'
  | 'video_unplayable'
  | 'extraction_timeout'
  | 'password_required'
  | 'scanned'
  | 'ocr_unavailable'
  | 'drm_protected'
  | 'embedding_failed'
  | 'model_refused'
  | 'model_answer_invalid'
  | 'model_unauthorized'
  | 'model_not_found'
  | 'model_unavailable'
  | 'model_request_refused'
  | 'machine_limit'
  | 'interrupted'
  | 'internal';

/**
 * A stage of the pipeline could not finish. `message` is written for the person who saved the item:
 * one sentence on what happened, one on what they can do.
 */
export class ProcessingError extends Error {
  readonly code: FailureCode;
  /** Whether trying again later may help without anyone changing anything. */
  readonly retryable: boolean;
  /** Minimum delay before the next try, in milliseconds from now, if the server gave one (Retry-After). */
  readonly retryAfterMs: number | undefined;
  /** The HTTP status that says that there is nothing at the address. */
  readonly status: number | undefined;
  /** Metadata found before the failure; it is stored with the item. */
  readonly known: KnownMetadata | undefined;

  constructor(
    code: FailureCode,
    message: string,
    options: {
      retryable?: boolean;
      retryAfterMs?: number | undefined;
      status?: number | undefined;
      cause?: unknown;
      known?: KnownMetadata | undefined;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ProcessingError';
    this.code = code;
    this.retryable = options.retryable ?? false;
    this.retryAfterMs = options.retryAfterMs;
    this.status = options.status;
    this.known = options.known;
  }
}

/** A `ProcessingError` in the form that is sent between processes. */
export type SentFailure = Pick<ProcessingError, 'code' | 'message' | 'retryable' | 'retryAfterMs' | 'status' | 'known'>;

export function sendFailure(error: ProcessingError): SentFailure {
  const { code, message, retryable, retryAfterMs, status, known } = error;
  return { code, message, retryable, retryAfterMs, status, known };
}

/** @param cause for the log */
export function receiveFailure({ code, message, ...rest }: SentFailure, cause?: unknown): ProcessingError {
  return new ProcessingError(code, message, { ...rest, cause });
}

export function noSuchAccount(): AppError {
  return notFound('There is no account with this id. `commonplace account list` shows them.');
}

export function noSuchItem(): AppError {
  return notFound('There is no saved item with this id. The lists and the search show the ids.');
}

export function noSuchList(named: string): AppError {
  return invalidInput(`There is no list with the name or id ${JSON.stringify(named)}.`);
}

/** The machine ran out of a resource (`domain/machine-limits.ts`): nothing is wrong with the item being processed. */
export function machineLimit(cause: unknown): ProcessingError {
  return new ProcessingError(
    'machine_limit',
    'This machine ran out of open files, memory, threads, ports or room on its disk. Nothing is wrong with what was saved. ' +
      'Close other programs or free some space; fewer `workers` need less.',
    { retryable: true, cause },
  );
}

/** A process that fetches or reads cannot be started: the content is not at fault. */
export function processUnavailable(cause: unknown): ProcessingError {
  return new ProcessingError(
    'internal',
    'Commonplace could not start a process that fetches or reads: this machine is short of memory, processes or open files, or a file of the program is missing. ' +
      'Nothing is wrong with what you saved. The log has the details. When the machine has room again, or after installing the program again, run `commonplace retry`.',
    { cause, retryable: true },
  );
}

/** True for the error of an aborted `AbortSignal`, whoever aborted it. */
export function isAbortError(error: unknown): boolean {
  return (
    error instanceof Error && (error.name === 'AbortError' || (error instanceof AppError && error.code === 'cancelled'))
  );
}

/** A job that the closing program gave up. */
export function interrupted(): ProcessingError {
  return new ProcessingError('interrupted', 'The program is closing. Processing continues at the next start.', {
    retryable: true,
  });
}

/** The code of an error of Node or a database, such as `ENOENT`; empty when it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
