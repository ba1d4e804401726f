import type { Problem } from './types.ts';

/** Why the server refused a request. `code` is for programs, `message` says to a person what to do next. */
export class CommonplaceError extends Error {
  override readonly name = 'CommonplaceError';
  /** HTTP status. */
  readonly status: number;
  /** The reason; `unknown` when something between the client and the server answered. */
  readonly code: Problem['code'] | 'unknown';
  /** Each bad field of the request. */
  readonly errors: NonNullable<Problem['errors']>;
  /** Stands in the server's log beside this request. */
  readonly requestId: string | null;
  /** Seconds to wait before the next try, when the server said so. */
  readonly retryAfter: number | null;

  constructor(response: Response, problem: Partial<Problem>) {
    super(problem.detail ?? `The server answered ${response.status} ${response.statusText}`.trim());
    this.status = response.status;
    this.code = problem.code ?? 'unknown';
    this.errors = problem.errors ?? [];
    this.requestId = response.headers.get('x-request-id');
    this.retryAfter = secondsToWait(response.headers.get('retry-after'));
  }
}

/** The item could not be processed; it keeps what is known of it. */
export class ProcessingFailedError extends Error {
  override readonly name = 'ProcessingFailedError';
  readonly id: string;
  /** The reason, for a program to decide by. */
  readonly code: string;

  constructor(id: string, failure: { code: string; message: string }) {
    super(failure.message);
    this.id = id;
    this.code = failure.code;
  }
}

/** An import or an export ended before it was done. */
export class JobEndedError extends Error {
  override readonly name = 'JobEndedError';
  readonly id: string;
  /** `failed`, `cancelled` or `interrupted`: the server ended meanwhile, and `imports.resume` takes an import up again. */
  readonly state: string;

  constructor({ id, state, failure }: { id: string; state: string; failure: string | null }) {
    super(failure ?? `It was ${state}.`);
    this.id = id;
    this.state = state;
  }
}

/** `Retry-After` as seconds: the server sends seconds, a proxy may send a date. */
function secondsToWait(header: string | null): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, (date - Date.now()) / 1_000);
}

/** The problem that a response describes; empty when it is no problem document. */
export async function problemOf(response: Response): Promise<Partial<Problem>> {
  const text = await response.text();
  if (!(response.headers.get('content-type') ?? '').startsWith('application/problem+json')) return {};
  try {
    return JSON.parse(text) as Partial<Problem>;
  } catch {
    // Cut off on its way: the status is all that is known.
    return {};
  }
}
