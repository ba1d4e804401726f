import { STATUS_CODES } from 'node:http';
import { httpStatus, type ErrorCode } from '../../../errors.ts';
import type { ApiResponse, JsonSchema } from './document.ts';

/** Status of a cancelled request (499). Its client has gone, so its code is left out of the document. */
const unseenStatus = 499;

/** Statuses that only /api/v1 answers. */
const apiV1Statuses: readonly number[] = [412, 416];

function areSeen(status: number, isApiV1: boolean): boolean {
  return status !== unseenStatus && (isApiV1 || !apiV1Statuses.includes(status));
}

/** The problem response (RFC 9457) of every refusal. `code` is a closed list. */
export const problemSchema = (isApiV1: boolean): JsonSchema => ({
  type: 'object',
  description: 'Why a request was refused (RFC 9457).',
  properties: {
    type: { type: 'string', format: 'uri-reference' },
    title: { type: 'string', description: 'What the status means.' },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: { type: 'string', description: 'What happened here and what to do next, for a person to read.' },
    code: {
      type: 'string',
      enum: (Object.keys(httpStatus) as ErrorCode[]).filter((code) => areSeen(httpStatus[code], isApiV1)),
      description: 'The reason, for a program to decide by.',
    },
    errors: {
      type: 'array',
      description: 'Each bad field of the request.',
      items: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'Dotted path of the field; empty for the whole request.' },
          message: { type: 'string' },
        },
        required: ['path', 'message'],
      },
    },
  },
  required: ['type', 'title', 'status', 'detail', 'code'],
});

const text = { type: 'string' };

interface HeaderComponent {
  description: string;
  required?: true;
  schema: JsonSchema;
  example?: string | number;
}

/** Response headers, by the name under which responses refer to them. */
const headers: Record<string, HeaderComponent> = {
  ETag: {
    description:
      'A fingerprint of this answer. Send it back as `If-None-Match`: an answer that has not changed is not sent again.',
    required: true,
    schema: text,
    example: '"k3v0Zq1mW9uTf7xYb2LrDa8sHcE"',
  },
  Location: {
    description: 'The address of the new item.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
    example: '/content/c_4kq7m2zt6wxp3ahr',
  },
  'WWW-Authenticate': {
    description: 'How to authenticate, and what is wrong with the token (RFC 6750).',
    required: true,
    schema: text,
    example: 'Bearer realm="commonplace"',
  },
  Allow: {
    description: 'The methods that this path has.',
    required: true,
    schema: text,
    example: 'GET, HEAD, POST, OPTIONS',
  },
  'Retry-After': {
    description: 'Seconds to wait before the next request.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
    example: 12,
  },
  RateLimit: {
    description:
      'What is left of the limit (`r`) and when it is full again (`t`, seconds). Absent when the server sets no limit.',
    schema: text,
    example: '"token";r=598;t=41',
  },
  'RateLimit-Policy': {
    description: 'The limit: requests (`q`) in a window of seconds (`w`).',
    schema: text,
    example: '"token";q=600;w=60',
  },
};

/** Of answers that are files, which only /api/v1 gives. */
const fileHeaders: Record<string, HeaderComponent> = {
  'Content-Disposition': {
    description: 'A name for the file.',
    required: true,
    schema: text,
    example: 'attachment; filename="commonplace-2026-03-02.zip"',
  },
  'Content-Range': {
    description: 'Which bytes of the file these are.',
    required: true,
    schema: text,
    example: 'bytes 0-1023/20482113',
  },
};

export function headerComponents(isApiV1: boolean): Record<string, HeaderComponent> {
  return { ...headers, ...(isApiV1 && fileHeaders) };
}

export function headerRefs(...names: string[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Sent with every response to a known token, unless the settings have no limit. */
export const limitHeaders = ['RateLimit', 'RateLimit-Policy'];

interface Refusal {
  /** The component's name. */
  name: string;
  description: string;
  headers?: string[];
  /** Exactly as the program answers; a test provokes each of them. */
  example: { detail: string; code: ErrorCode; errors?: { path: string; message: string }[] };
}

/** Every refusal, by status. */
const refusals: Readonly<Record<number, Refusal>> = {
  400: {
    name: 'BadRequest',
    description:
      'The request is not valid; `errors` names each bad field. Unknown fields and parameters are refused, too.',
    headers: limitHeaders,
    example: {
      detail: 'The input of list_content is not valid. limit: must be at most 100.',
      code: 'invalid_input',
      errors: [{ path: 'limit', message: 'must be at most 100' }],
    },
  },
  401: {
    name: 'Unauthorized',
    description:
      'There is no token, or it is unknown, expired or revoked, or its account is not Pro. It comes before 404.',
    headers: ['WWW-Authenticate'],
    example: {
      detail:
        'This needs a token. Send the header Authorization: Bearer <token>. `commonplace token create laptop` makes a token.',
      code: 'unauthorized',
    },
  },
  403: {
    name: 'Forbidden',
    description: 'The token was issued without the scope that this needs.',
    headers: ['WWW-Authenticate', ...limitHeaders],
    example: {
      detail: 'This token may not do that: it lacks the scope content:write. Create a token that has it.',
      code: 'insufficient_scope',
    },
  },
  404: {
    name: 'NotFound',
    description: 'There is no such record in this account.',
    headers: limitHeaders,
    example: {
      detail: 'There is no saved item with this id. The lists and the search show the ids.',
      code: 'not_found',
    },
  },
  405: {
    name: 'MethodNotAllowed',
    description: 'The path exists, but not with this method.',
    headers: ['Allow', ...limitHeaders],
    example: { detail: 'This path answers GET, HEAD, POST, OPTIONS.', code: 'method_not_allowed' },
  },
  409: {
    name: 'Conflict',
    description:
      'The idempotency key was used for another request, or the first request with it is still under way; or too many imports and exports are.',
    headers: limitHeaders,
    example: {
      detail: 'This idempotency key was used for another request. Send a new key with a new request.',
      code: 'conflict',
    },
  },
  412: {
    name: 'PreconditionFailed',
    description: 'The item has another `ETag` than the one in `If-Match`: it has changed since it was read.',
    headers: limitHeaders,
    example: {
      detail: 'The item has changed since it was read. Read it again, then send the change with its new ETag.',
      code: 'precondition_failed',
    },
  },
  413: {
    name: 'PayloadTooLarge',
    description: 'The body is too large.',
    headers: limitHeaders,
    example: { detail: 'The body is larger than 65536 bytes, the limit here: send less.', code: 'payload_too_large' },
  },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The body is not JSON.',
    headers: limitHeaders,
    example: {
      detail: 'Bodies are JSON in UTF-8, not compressed: send Content-Type: application/json.',
      code: 'unsupported_media_type',
    },
  },
  416: {
    name: 'RangeNotSatisfiable',
    description: 'The file has no bytes in this range.',
    headers: limitHeaders,
    example: {
      detail: 'The file has 20482113 bytes: ask for a range within them.',
      code: 'range_not_satisfiable',
    },
  },
  429: {
    name: 'TooManyRequests',
    description:
      'Too many requests with this token, or too many with bad tokens from this address; or this account has too many requests or large bodies under way, or does not read its answers.',
    headers: ['Retry-After', ...limitHeaders],
    example: { detail: 'This token has asked for too much at once. Try again in 12 s.', code: 'rate_limited' },
  },
  500: {
    name: 'ServerError',
    description: 'An internal error. The log of the server has the details; the answer does not.',
    headers: limitHeaders,
    example: {
      detail:
        'Something went wrong inside Commonplace. Try again; if it keeps failing, look for 1f0c6a52-7c1b-4f0e-9a64-2f6d0c5b8e13 in the log of the server.',
      code: 'internal',
    },
  },
};

/** Every refusal as a component. */
export function refusalComponents(isApiV1: boolean): Record<string, ApiResponse> {
  const seen = Object.entries(refusals).filter(([status]) => areSeen(Number(status), isApiV1));
  return Object.fromEntries(
    seen.map(([status, refusal]) => [
      refusal.name,
      {
        description: refusal.description,
        ...(refusal.headers !== undefined && { headers: headerRefs(...refusal.headers) }),
        content: {
          'application/problem+json': {
            schema: { $ref: '#/components/schemas/Problem' },
            example: { type: 'about:blank', title: STATUS_CODES[status], status: Number(status), ...refusal.example },
          },
        },
      },
    ]),
  );
}

/** References to the refusals with these statuses. */
export function refusalRefs(statuses: readonly number[]): Record<string, { $ref: string }> {
  return Object.fromEntries(
    statuses.map((status) => [String(status), { $ref: `#/components/responses/${refusals[status]?.name}` }]),
  );
}
