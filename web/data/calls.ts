import type { Start } from './records.ts';
import { text } from '../text.ts';

/** A call that was refused, or did not arrive. `message` is for the person. */
export class CallError extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.name = 'CallError';
    this.status = status;
  }
}

interface Problem {
  detail?: string;
  errors?: { path: string; message: string }[];
}

/** What a refusal says to the person. */
export function wordsOf({ detail = '', errors = [] }: Problem): string {
  return text.problems.words([detail, ...errors.map(({ path, message }) => `${path}: ${message}.`)].join(' '));
}

/**
 * Calls an operation of the server for the person who is signed in.
 * @param key the server does a write with the same key once
 * @throws {CallError} with status 0 when the server could not be reached
 */
export type Call = <Answer>(operation: string, input: object, key?: string) => Promise<Answer>;

/** A write that takes longer is made again, with the same key. */
const maxWriteMs = 60_000;
/** A longer body may not be sent on after the page was left. https://fetch.spec.whatwg.org/#http-network-or-cache-fetch */
const maxKeptAliveLength = 20_000;

export function createCall({ formToken }: Pick<Start, 'formToken'>): Call {
  return async (operation, input, key) => {
    const body = JSON.stringify(input);
    const response = await fetch(`/app/api/${operation}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-commonplace-form': formToken,
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      body,
      ...(key !== undefined && {
        keepalive: body.length < maxKeptAliveLength,
        signal: AbortSignal.timeout(maxWriteMs),
      }),
    }).catch(() => {
      throw new CallError('', 0);
    });
    const answer: unknown = await response.json().catch(() => {
      // A proxy answers while the server is away, or the answer was cut off.
      throw new CallError('', 0);
    });
    if (!response.ok) throw new CallError(wordsOf(answer as Problem), response.status);
    return answer as never;
  };
}
