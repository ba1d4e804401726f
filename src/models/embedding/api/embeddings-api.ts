import { z } from 'zod';
import { withoutTrailing } from '../../../domain/text/shortened.ts';
import { proxyTrouble } from '../../../domain/links/proxies.ts';
import { ProcessingError } from '../../../errors.ts';

/** One request to a server that speaks OpenAI's embeddings API. Returns unit vectors in the order of `texts`. */
export type RequestVectors = (
  texts: readonly string[],
  fields: Readonly<Record<string, string | number>>,
  limit: { signal: AbortSignal; timeoutMs: number },
) => Promise<Float32Array[]>;

export interface EmbeddingsServer {
  /** The URL without `/embeddings`. */
  baseUrl: string;
  /** If empty, no key is sent. */
  apiKey: string;
  model: string;
}

/** Upper limit for a Retry-After; some servers send days. */
const maxWaitMs = 60 * 60_000;

const answer = z.object({
  data: z.array(z.object({ index: z.int().nullish(), embedding: z.array(z.unknown()) })),
});

export function createVectorRequest(server: EmbeddingsServer, fetch: typeof globalThis.fetch): RequestVectors {
  const address = `${withoutTrailing(server.baseUrl, '/')}/embeddings`;
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(server.apiKey !== '' && { authorization: `Bearer ${server.apiKey}` }),
  };
  return async (texts, fields, { signal, timeoutMs }) => {
    signal.throwIfAborted();
    const body = JSON.stringify({ model: server.model, input: texts, ...fields });
    const late = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(address, { method: 'POST', headers, body, signal: AbortSignal.any([signal, late]) });
      // Always read the body: an unread body keeps the connection open.
      const text = await response.text();
      if (response.status !== 200) throw refusal(response.status, response.headers);
      return readVectors(text, texts.length);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ProcessingError) throw error;
      throw late.aborted ? tooSlow(timeoutMs, error) : unavailable(error);
    }
  };
}

const checkModel = 'Check embeddingModel and embeddingBaseUrl.';

/** @throws {ProcessingError} when the answer is not one finite vector for each text */
function readVectors(text: string, count: number): Float32Array[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw invalid(
      'The embedding server’s answer is not JSON; perhaps it is a proxy’s page. Check embeddingBaseUrl.',
      error,
    );
  }
  const parsed = answer.safeParse(json);
  if (!parsed.success) {
    throw invalid(
      'The embedding server’s answer does not have the form of OpenAI’s embeddings API. Check embeddingBaseUrl; for Ollama and LM Studio it ends in /v1.',
      parsed.error,
    );
  }
  const { data } = parsed.data;
  if (data.length !== count)
    throw invalid(`The embedding server gave ${data.length} vectors for ${count} texts. ${checkModel}`);
  const vectors: Float32Array[] = [];
  for (const [position, { index, embedding }] of data.entries()) {
    const at = index ?? position;
    if (at < 0 || at >= count || vectors[at] !== undefined) {
      throw invalid(`The embedding server did not say which vector belongs to which text. ${checkModel}`);
    }
    vectors[at] = asUnitVector(embedding);
  }
  const dimensions = vectors[0]?.length;
  if (vectors.some((vector) => vector.length !== dimensions)) {
    throw invalid(`The embedding server gave vectors of different lengths in one answer. ${checkModel}`);
  }
  return vectors;
}

function asUnitVector(numbers: readonly unknown[]): Float32Array {
  let squares = 0;
  const vector = new Float32Array(numbers.length);
  for (const [index, number] of numbers.entries()) {
    if (typeof number !== 'number')
      throw invalid(`The embedding server gave a vector that does not consist of numbers. ${checkModel}`);
    vector[index] = number;
    squares += number * number;
  }
  const length = Math.sqrt(squares);
  if (!Number.isFinite(length) || length === 0) {
    throw invalid(
      `The embedding server gave a vector that is all zeros, or has numbers that are too large. ${checkModel}`,
    );
  }
  return vector.map((number) => number / length);
}

/** Describes the failure in our own words; text from the other side is never repeated. */
function refusal(status: number, headers: Headers): ProcessingError {
  if (status === 401 || status === 403) {
    return new ProcessingError(
      'model_unauthorized',
      'The embedding server does not accept the API key. Check the setting embeddingApiKey.',
    );
  }
  if (status === 402) {
    return new ProcessingError(
      'model_unauthorized',
      'The embedding server asks for payment: look at the account of the API key.',
    );
  }
  if (status === 404 || status === 405) {
    return new ProcessingError(
      'model_request_refused',
      'The embedding server does not know the model, or nothing speaks OpenAI’s embeddings API at the address. Check embeddingModel and embeddingBaseUrl; for Ollama and LM Studio it ends in /v1.',
    );
  }
  if (status >= 300 && status < 400) {
    return new ProcessingError(
      'model_request_refused',
      'The embedding server redirects to another address. Set embeddingBaseUrl to that address.',
    );
  }
  if (status === 429) return askedToWait(waitOf(headers));
  if (status === 400 || status === 413 || status === 422) return new TextsRefused();
  if (status >= 400 && status < 500 && status !== 408 && status !== 409 && status !== 425) {
    return new ProcessingError('model_request_refused', requestRefused);
  }
  return unavailable(new Error(`status ${status}`), waitOf(headers));
}

const requestRefused =
  'The embedding server refuses the requests. Check embeddingModel; words are searchable meanwhile.';

/** The server refused the content of the request: the cause is either the settings or one of the texts. */
export class TextsRefused extends ProcessingError {
  constructor() {
    super('model_request_refused', requestRefused);
  }
}

function tooSlow(timeoutMs: number, cause: unknown): ProcessingError {
  const message = `The embedding server gave no answer within ${timeoutMs / 1_000} seconds.`;
  return new ProcessingError('timeout', message, { retryable: true, cause });
}

function unavailable(cause: unknown, retryAfterMs?: number): ProcessingError {
  return new ProcessingError(
    'model_unavailable',
    `${proxyTrouble(cause)?.message ?? 'The embedding server cannot be reached, or reports an error. Check that it runs, and embeddingBaseUrl.'} Words are searchable meanwhile.`,
    { retryable: true, retryAfterMs, cause },
  );
}

function invalid(message: string, cause?: unknown): ProcessingError {
  return new ProcessingError('model_answer_invalid', message, { retryable: true, cause });
}

/**
 * The wait from Retry-After, in milliseconds. The header holds seconds or a date; a date is compared with the
 * response's own Date header.
 */
function waitOf(headers: Headers): number | undefined {
  const given = headers.get('retry-after');
  if (given === null || given === '') return undefined;
  const seconds = Number(given);
  const until = Date.parse(given) - Date.parse(headers.get('date') ?? '');
  const waitMs = Number.isFinite(seconds) ? seconds * 1_000 : until;
  return Number.isFinite(waitMs) && waitMs >= 0 ? Math.min(waitMs, maxWaitMs) : undefined;
}

/** @param retryAfterMs the wait that the server asked for, if it named one */
export function askedToWait(retryAfterMs: number | undefined): ProcessingError {
  return new ProcessingError('rate_limited', 'The embedding server asks to wait. Words are searchable meanwhile.', {
    retryable: true,
    retryAfterMs,
  });
}
