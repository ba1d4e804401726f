import { STATUS_CODES } from 'node:http';
import { maskStrings } from '../domain/text/clean-text.ts';
import { AppError, httpStatus, isAbortError, type ErrorCode, type FieldProblem } from '../errors.ts';

/** A value of a header as a quoted string. */
export function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/** The value of WWW-Authenticate (RFC 6750). */
export function challenge(...parameters: string[]): Record<string, string> {
  return { 'WWW-Authenticate': `Bearer ${['realm="commonplace"', ...parameters].join(', ')}` };
}

/** The WWW-Authenticate header of a refusal for lack of permission, which names what is missing where that is one thing. */
export function scopeChallenge(scope?: string): Record<string, string> {
  return challenge('error="insufficient_scope"', ...(scope === undefined ? [] : [`scope=${quoted(scope)}`]));
}

/** An error with HTTP headers, for use in the HTTP layer only. */
export class HttpRefusal extends AppError {
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string,
    options: { headers?: Readonly<Record<string, string>>; fields?: readonly FieldProblem[]; cause?: unknown } = {},
  ) {
    super(code, message, options);
    this.name = 'HttpRefusal';
    this.headers = options.headers ?? {};
  }
}

/** A problem response (RFC 9457) before it is sent. */
export interface Problem {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: {
    type: string;
    title: string;
    status: number;
    detail: string;
    code: ErrorCode;
    errors?: readonly FieldProblem[];
  };
}

function problem(
  code: ErrorCode,
  detail: string,
  headers: Readonly<Record<string, string>> = {},
  fields: readonly FieldProblem[] = [],
): Problem {
  const status = httpStatus[code];
  return {
    status,
    headers,
    body: maskStrings({
      // There is no documentation page to link to: the status says what kind of problem it is, and `code` is more
      // exact.
      type: 'about:blank',
      title: STATUS_CODES[status] ?? 'Client Closed Request',
      status,
      detail,
      code,
      ...(fields.length > 0 && { errors: fields }),
    }),
  };
}

/** Said to clients that are refused for a load that passes. */
const retryAfterSeconds = 5;

/** The headers that belong to the refusals of other layers. */
function headersOf(code: ErrorCode): Readonly<Record<string, string>> {
  if (code === 'insufficient_scope') return scopeChallenge();
  return code === 'rate_limited' ? { 'Retry-After': String(retryAfterSeconds) } : {};
}

/** The problem response for an error. Messages of unexpected errors are never sent to the client. */
export function problemOf(error: unknown, requestId: string): Problem {
  if (error instanceof HttpRefusal) return problem(error.code, error.message, error.headers, error.fields);
  if (error instanceof AppError) {
    return problem(error.code, error.message, headersOf(error.code), error.fields);
  }
  if (isAbortError(error)) return problem('cancelled', 'The request was cancelled.');
  return problem(
    'internal',
    `Something went wrong inside Commonplace. Try again; if it keeps failing, look for ${requestId} in the log of the server.`,
  );
}
