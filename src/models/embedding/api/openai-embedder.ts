import { createHash } from 'node:crypto';
import type { Clock } from '../../../domain/clock.ts';
import { SharedPlaces } from '../../../domain/turns/shared-places.ts';
import { interrupted, ProcessingError } from '../../../errors.ts';
import type { Log } from '../../../workers/log.ts';
import type { Embedder } from '../embedder.ts';
import type { EmbeddingProfile } from '../embedding-profiles.ts';
import { askedToWait, createVectorRequest, TextsRefused, type RequestVectors } from './embeddings-api.ts';
import { meanCosine, unrelatedTexts, type MeasuredModel, type MeasuredModels } from '../measured-models.ts';

export interface OpenAiEmbedderSettings {
  /** The URL without `/embeddings`. */
  baseUrl: string;
  /** If empty, no key is sent. */
  apiKey: string;
  model: string;
  /** Prefixes, languages and request fields of the model. */
  profile: EmbeddingProfile;
  /** Maximum texts and tokens of one request. A token is estimated as 3 characters, which is cautious. */
  batchTexts: number;
  batchTokens: number;
  timeoutMs: number;
}

export interface OpenAiEmbedderParts {
  fetch: typeof globalThis.fetch;
  measured: MeasuredModels;
  clock: Clock;
  log: Log;
  /** 0 to 1; adds jitter to the delay of retries. */
  random: () => number;
}

/** Concurrent requests for passages. A local model shares one processor with queries. */
const passageRequestsAtOnce = 2;
const attempts = 4;
const firstWaitMs = 1_000;
/** A job that would have to wait longer fails and is retried by the job queue, which can run other jobs meanwhile. */
const maxWaitMs = 60_000;
/** Time limit for a query. A user is waiting: after this, keyword search alone is better. */
const queryLimitMs = 10_000;
/** After a query failed, further queries fail at once for this long, so that users do not wait for timeouts. */
const queryRestMs = 30_000;

/** A model behind a server that speaks OpenAI's embeddings API: OpenAI, Voyage, Ollama, LM Studio. */
export function createOpenAiEmbedder(settings: OpenAiEmbedderSettings, parts: OpenAiEmbedderParts): Embedder {
  const { profile } = settings;
  const { clock, log } = parts;
  const request = createVectorRequest(settings, parts.fetch);
  const places = new SharedPlaces({ total: passageRequestsAtOnce, reserved: 0 });
  let pausedUntil = 0;
  const running = new Set<AbortController>();
  const key = measuringKey(settings);
  let known = parts.measured.find(key);
  let measuring: Promise<MeasuredModel> | undefined;
  let queriesRestUntil = 0;
  let closed = false;

  /**
   * Runs a call that ends when its caller or `close` aborts it. The signals are linked by hand, because
   * `AbortSignal.any` would keep a reference on a long-lived signal.
   */
  const withSignal = async <T>(signal: AbortSignal | null, call: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    signal?.throwIfAborted();
    if (closed) throw interrupted();
    const controller = new AbortController();
    const leave = (): void => controller.abort(signal?.reason);
    signal?.addEventListener('abort', leave, { once: true });
    running.add(controller);
    try {
      return await call(controller.signal);
    } finally {
      running.delete(controller);
      signal?.removeEventListener('abort', leave);
    }
  };

  const fields = (kind: 'query' | 'passage'): Record<string, string | number> => ({
    ...(profile.inputType !== null && { input_type: profile.inputType[kind] }),
  });
  const prefixed = (kind: 'query' | 'passage', text: string): string =>
    (kind === 'query' ? profile.queryPrefix : profile.passagePrefix) + text;

  /** Milliseconds for which the server still asks not to be called. */
  const pausedForMs = (): number => Math.max(0, pausedUntil - clock.elapsed());
  const pause = (ms: number): void => {
    pausedUntil = Math.max(pausedUntil, clock.elapsed() + ms);
  };

  /**
   * Runs a request when it is its turn: accounts take turns. While the server has asked for a long pause it fails, too, and its job
   * goes back to the queue.
   */
  const inTurn = async <T>(call: () => Promise<T>, signal: AbortSignal, accountId = ''): Promise<T> => {
    const place = await places.take(accountId, signal);
    try {
      for (let waitMs = pausedForMs(); waitMs > 0; waitMs = pausedForMs()) {
        if (waitMs > maxWaitMs) throw askedToWait(waitMs);
        await clock.sleep(waitMs, signal);
      }
      return await call();
    } finally {
      place.leave();
    }
  };

  /** Sends a request for passages and retries it while a retry can help. */
  const askPatiently =
    (accountId: string | undefined): RequestVectors =>
    async (texts, given, { signal, timeoutMs }) => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await inTurn(() => request(texts, given, { signal, timeoutMs }), signal, accountId);
        } catch (error) {
          if (!(error instanceof ProcessingError) || !error.retryable) throw error;
          const waitMs = error.retryAfterMs ?? firstWaitMs * 2 ** (attempt - 1) * (0.8 + 0.4 * parts.random());
          if (error.code === 'rate_limited') pause(waitMs);
          if (attempt === attempts || waitMs > maxWaitMs) throw error;
          await clock.sleep(waitMs, signal);
        }
      }
    };

  /** Embeds unrelated texts to measure their cosine; the answer also shows the dimensions. */
  const measure = async (ask: RequestVectors, signal: AbortSignal): Promise<MeasuredModel> => {
    const limit = { signal, timeoutMs: settings.timeoutMs };
    const vectors = async (kind: 'query' | 'passage', texts: readonly string[]) =>
      ask(
        texts.map((text) => prefixed(kind, text)),
        fields(kind),
        limit,
      );
    const passages = await vectors('passage', unrelatedTexts.passages);
    const queries = await vectors('query', unrelatedTexts.queries);
    const dimensions = passages[0]?.length ?? 0;
    if (queries[0]?.length !== dimensions) throw otherLength(dimensions, queries[0]?.length ?? 0);
    const found = { dimensions, unrelatedCosine: meanCosine(queries, passages) };
    parts.measured.keep(key, found);
    log.info({ model: settings.model, ...found }, 'the embedding model was measured');
    return found;
  };
  /** Measures once for all concurrent callers. Another process may have measured meanwhile. */
  const model = async (ask: RequestVectors, signal: AbortSignal): Promise<MeasuredModel> => {
    known ??= parts.measured.find(key);
    if (known !== undefined) return known;
    measuring ??= withSignal(null, (own) => measure(ask, own)).finally(() => (measuring = undefined));
    known = await abortable(measuring, signal);
    return known;
  };
  const checked = (vectors: Float32Array[], { dimensions }: MeasuredModel): Float32Array[] => {
    const other = vectors.find((vector) => vector.length !== dimensions);
    if (other !== undefined) throw otherLength(dimensions, other.length);
    return vectors;
  };

  /**
   * Splits a refused request in two until the refused text is alone. That text is then halved until its beginning is
   * accepted or is too short to halve.
   */
  const embedBatch = async (
    request: RequestVectors,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<(Float32Array | null)[]> => {
    const limit = { signal, timeoutMs: settings.timeoutMs };
    const ask = (some: readonly string[]) =>
      request(
        some.map((text) => prefixed('passage', text)),
        fields('passage'),
        limit,
      );
    const apart = async (some: readonly string[]): Promise<(Float32Array | null)[]> => {
      try {
        return await ask(some);
      } catch (error) {
        if (!(error instanceof TextsRefused)) throw error;
        const [only = ''] = some;
        if (some.length > 1) {
          const middle = some.length >> 1;
          return [...(await apart(some.slice(0, middle))), ...(await apart(some.slice(middle)))];
        }
        if (only.length > minCutLength) return apart([only.slice(0, only.length >> 1)]);
        log.warn({ model: settings.model }, 'the embedding server refuses a passage; it is found by its words alone');
        return [null];
      }
    };
    try {
      return await ask(texts);
    } catch (error) {
      if (!(error instanceof TextsRefused)) throw error;
      // If the server refuses this harmless text, too, the settings are the cause and not a text.
      await ask([unrelatedTexts.passages[0] ?? '']);
      return apart(texts);
    }
  };

  return {
    get id() {
      return embedderId(settings, known?.dimensions ?? null);
    },
    get dimensions() {
      return known?.dimensions ?? null;
    },
    get unrelatedCosine() {
      return known?.unrelatedCosine ?? 0;
    },
    languages: profile.languages,
    passagesAtOnce: settings.batchTexts,

    embedPassages: (texts, caller, accountId) =>
      withSignal(caller, async (signal) => {
        const ask = askPatiently(accountId);
        const measured = await model(ask, signal);
        const vectors: (Float32Array | null)[] = texts.map(() => null);
        for (const batch of batchByLength(texts, settings)) {
          const answered = await embedBatch(
            ask,
            batch.map((position) => texts[position] ?? ''),
            signal,
          );
          checked(
            answered.filter((vector) => vector !== null),
            measured,
          );
          for (const [index, position] of batch.entries()) vectors[position] = answered[index] ?? null;
        }
        return vectors;
      }),

    embedQuery: (text, caller) =>
      withSignal(caller, async (signal) => {
        if (pausedForMs() > 0 || clock.elapsed() < queriesRestUntil) throw resting();
        const ask: RequestVectors = (texts, given, limit) =>
          request(texts, given, { ...limit, timeoutMs: Math.min(limit.timeoutMs, queryLimitMs) });
        try {
          const measured = await model(ask, signal);
          const limit = { signal, timeoutMs: settings.timeoutMs };
          const [vector] = checked(await ask([prefixed('query', text)], fields('query'), limit), measured);
          if (vector === undefined) throw new Error('one text gives one vector');
          return vector;
        } catch (error) {
          if (signal.aborted || error instanceof TextsRefused) throw error;
          const asksToWait = error instanceof ProcessingError && error.code === 'rate_limited';
          if (asksToWait) pause(error.retryAfterMs ?? queryRestMs);
          else queriesRestUntil = clock.elapsed() + queryRestMs;
          throw error;
        }
      }),

    close() {
      closed = true;
      for (const controller of running) controller.abort(interrupted());
      return Promise.resolve();
    },
  };
}

/** At this length or below, in characters, no server refuses a text for its length. */
const minCutLength = 64;

/**
 * The id contains what changes the vectors of passages and nothing else: not the server, the key or the query prefix.
 */
function embedderId({ model, profile }: OpenAiEmbedderSettings, dimensions: number | null): string {
  const written = JSON.stringify([profile.passagePrefix, profile.inputType?.passage ?? '']);
  const isPlain = profile.passagePrefix === '' && profile.inputType === null;
  return `openai:${model}@${dimensions ?? '?'}${isPlain ? '' : `+${digest(written)}`}`;
}

function measuringKey({ baseUrl, model, profile }: OpenAiEmbedderSettings): string {
  const { queryPrefix, passagePrefix, inputType } = profile;
  return `${model} ${digest(JSON.stringify([new URL(baseUrl).origin, queryPrefix, passagePrefix, inputType]))}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

function otherLength(expected: number, got: number): ProcessingError {
  return new ProcessingError(
    'model_answer_invalid',
    `The embedding server gave vectors of ${got} numbers, where this model gave ${expected} before. If another model was put in its place, remove embedding-models.json from the data folder: everything is embedded again then.`,
  );
}

function resting(): ProcessingError {
  return new ProcessingError(
    'model_unavailable',
    'The embedding server failed or asked to wait a moment ago; this question is answered by words alone.',
    { retryable: true },
  );
}

/** A cautious estimate: a token of prose has four characters, one of code or another language fewer. */
const charactersPerToken = 3;

/**
 * Groups texts into requests of at most `batchTexts` texts and `batchTokens` tokens. Texts of similar length go
 * together, because a model pads all texts of a batch to the longest. A text longer than `batchTokens` is alone.
 * Returns the positions of each request's texts.
 */
function batchByLength(
  texts: readonly string[],
  limits: { batchTexts: number; batchTokens: number },
): (readonly number[])[] {
  const order = texts.map((_, position) => position).sort((a, b) => lengthOf(texts, a) - lengthOf(texts, b) || a - b);
  const batches: number[][] = [];
  for (const position of order) {
    const tokens = Math.ceil(lengthOf(texts, position) / charactersPerToken);
    const open = batches.at(-1);
    // Texts come in ascending length, so the newest is the batch's longest.
    if (open === undefined || open.length >= limits.batchTexts || tokens * (open.length + 1) > limits.batchTokens) {
      batches.push([position]);
    } else open.push(position);
  }
  return batches;
}

function lengthOf(texts: readonly string[], position: number): number {
  return texts[position]?.length ?? 0;
}

/** Waits for a shared promise, and rejects with the signal's reason when `signal` is aborted. The promise goes on. */
async function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const leave = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', leave);
    // Avoid an unhandled rejection when nobody else waits for the promise.
    promise.catch(() => undefined);
  }
}
