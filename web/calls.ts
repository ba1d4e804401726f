import type { Start } from './start.ts';

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
  return [detail, ...errors.map(({ path, message }) => `${path}: ${message}.`)].join(' ');
}

/** Calls an operation of the server for the person who is signed in. */
export type Call = <Answer>(operation: string, input: object, signal?: AbortSignal) => Promise<Answer>;

/** Sends a file as it is. @throws {CallError} */
export async function sendFile<Answer>(path: string, file: Blob, formToken: string): Promise<Answer> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream', 'x-commonplace-form': formToken },
    body: file,
  }).catch(() => {
    throw new CallError('', 0);
  });
  const answer: unknown = await response.json().catch(() => ({}));
  if (!response.ok) throw new CallError(wordsOf(answer as Problem), response.status);
  return answer as Answer;
}

/** @param onConnection told whether the last call reached the server */
export function createCall({ formToken }: Pick<Start, 'formToken'>, onConnection: (isThere: boolean) => void): Call {
  return async (operation, input, signal) => {
    let response: Response;
    try {
      response = await fetch(`/app/api/${operation}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-commonplace-form': formToken },
        body: JSON.stringify(input),
        ...(signal !== undefined && { signal }),
      });
    } catch (error) {
      if (signal?.aborted === true) throw error;
      onConnection(false);
      throw new CallError('', 0);
    }
    onConnection(true);
    const answer: unknown = await response.json().catch(() => ({}));
    if (!response.ok) throw new CallError(wordsOf(answer as Problem), response.status);
    return answer as never;
  };
}
