import { STATUS_CODES } from 'node:http';
import { maskStrings } from '../domain/text/clean-text.ts';
import { AppError, httpStatus, isAbortError, type ErrorCode, type FieldProblem } from '../errors.ts';

/** A refusal that only HTTP knows, with the headers that belong to it. */
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

/** An answer of RFC 9457, before it is put on the wire. */
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
      // The status says what kind of problem it is, and `code` says it more exactly: there is no page to point to.
      type: 'about:blank',
      title: STATUS_CODES[status] ?? 'Client Closed Request',
      status,
      detail,
      code,
      ...(fields.length > 0 && { errors: fields }),
    }),
  };
}

/** What a client is told about an error. Nothing of an error that is not one of ours leaves the house. */
export function problemOf(error: unknown, requestId: string): Problem {
  if (error instanceof HttpRefusal) return problem(error.code, error.message, error.headers, error.fields);
  if (error instanceof AppError) return problem(error.code, error.message, {}, error.fields);
  if (isAbortError(error)) return problem('cancelled', 'The request was cancelled.');
  return problem(
    'internal',
    `Something went wrong inside Commonplace. Try again; if it keeps failing, look for ${requestId} in the log of the server.`,
  );
}
