import Anthropic, { APIError } from '@anthropic-ai/sdk';
import { proxyTrouble } from '../../../domain/links/proxies.ts';
import { ProcessingError } from '../../../errors.ts';
import { answerSchema, instructions } from './prompt.ts';
import type { ModelUsage } from '../analyst.ts';

export interface ChatMessage {
  role: 'user' | 'assistant';
  content: string;
}

/** Sends messages to the model and returns the text of its answer. */
export type ClaudeConversation = (messages: readonly ChatMessage[], maxTokens: number) => Promise<string>;

/** Upper limit for a Retry-After; some servers send days. */
const maxWaitMs = 60 * 60_000;
/** Prices of cached input relative to the price of input (the provider's price list, November 2026). */
const cacheReadShare = 0.1;
const cacheWriteShare = 1.25;

/** @param onUsage called after every answer that was paid for */
export function openConversation(
  settings: ClaudeSettings,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
  onUsage: (usage: ModelUsage) => Promise<void>,
): ClaudeConversation {
  // Set key, token and address explicitly: values in environment variables are for other programs.
  const client = new Anthropic({
    apiKey: settings.apiKey === '' ? 'none' : settings.apiKey,
    authToken: null,
    baseURL: settings.baseUrl,
    maxRetries: 0,
    timeout: settings.timeoutMs,
    logLevel: 'off',
    fetch,
  });
  const ask = async (messages: readonly ChatMessage[], maxTokens: number): Promise<string> => {
    const message = await client.messages
      .create(
        {
          model: settings.model,
          max_tokens: maxTokens,
          system: [{ type: 'text', text: instructions, cache_control: { type: 'ephemeral' } }],
          messages: messages.map(({ role, content }) => ({ role, content })),
          output_config: { format: { type: 'json_schema', schema: answerSchema } },
        },
        { signal: AbortSignal.any([signal, AbortSignal.timeout(settings.timeoutMs)]) },
      )
      .catch((error: unknown) => {
        signal.throwIfAborted();
        throw explained(error);
      });
    if (!isMessage(message)) throw otherSpeaker();
    const sent = messages.reduce((sum, { content }) => sum + content.length, instructions.length);
    await onUsage(costOf(usageOf(message, sent), settings));
    if (message.stop_reason === 'refusal') {
      throw new ProcessingError(
        'model_refused',
        'The model declined to analyse this text. The extracted summary stays; a connected assistant can analyse it instead.',
      );
    }
    if (message.stop_reason === 'model_context_window_exceeded') throw tooLong();
    if (message.stop_reason === 'max_tokens') throw new CutAnswer();
    return textOf(message);
  };
  return async (messages, maxTokens) => {
    try {
      return await ask(messages, maxTokens);
    } catch (error) {
      if (!(error instanceof CutAnswer)) throw error;
      // Retry once with twice as many tokens: a model that writes its reasoning can need them.
      return await ask(messages, maxTokens * 2).catch((second: unknown) => {
        throw second instanceof CutAnswer ? endless(second) : second;
      });
    }
  };
}

class CutAnswer extends Error {}

function endless(cause: unknown): ProcessingError {
  return new ProcessingError(
    'model_answer_invalid',
    'The answer of the model was cut off, twice. The extracted summary stays; another model may do better.',
    { retryable: true, cause },
  );
}

function tooLong(cause?: unknown): ProcessingError {
  return new ProcessingError(
    'model_request_refused',
    'A section of this text is too long for the model. The extracted summary stays. A model with a longer context reads it: set claudeModel, then run `commonplace reprocess <id> --from analyse`.',
    { cause },
  );
}

/** The fields of an answer that are used. The answer may come from a server other than Claude's. */
interface ApiMessage {
  content: readonly unknown[];
  usage?: unknown;
}

/** True if the server speaks the API: a web page, an error or anything else has no content list. */
function isMessage(answer: unknown): answer is ApiMessage {
  return typeof answer === 'object' && answer !== null && 'content' in answer && Array.isArray(answer.content);
}

function textOf({ content }: ApiMessage): string {
  const texts = (content as ({ type?: unknown; text?: unknown } | null)[]).flatMap((block) =>
    block?.type === 'text' && typeof block.text === 'string' ? [block.text] : [],
  );
  return texts.join('');
}

/**
 * Token counts by price: `fresh` input, `kept` is input written to the provider's cache, `cached` is input read from
 * it, `written` is output.
 */
interface CountedTokens {
  fresh: number;
  kept: number;
  cached: number;
  written: number;
}

/** The usual estimate, for servers that report no usage. */
const charactersPerToken = 4;
/** Upper limit of a reported count; no model reads this many tokens. */
const maxCountedTokens = 1e9;

/**
 * The token counts that the answer reports. Counts that are missing or not numbers are estimated from the number of
 * characters, so that a budget works with such servers, too.
 * @param sent characters of the request
 */
function usageOf(answer: ApiMessage, sent: number): CountedTokens {
  const reported = (typeof answer.usage === 'object' ? answer.usage : null) as Record<string, unknown> | null;
  const count = (name: string, missing: number): number => {
    const value = reported?.[name] ?? missing;
    return typeof value === 'number' && value >= 0 ? Math.min(Math.ceil(value), maxCountedTokens) : missing;
  };
  return {
    fresh: count('input_tokens', Math.ceil(sent / charactersPerToken)),
    kept: count('cache_creation_input_tokens', 0),
    cached: count('cache_read_input_tokens', 0),
    written: count('output_tokens', Math.ceil(textOf(answer).length / charactersPerToken)),
  };
}

function costOf(
  { fresh, kept, cached, written }: CountedTokens,
  { inputPrice, outputPrice }: ClaudeSettings,
): ModelUsage {
  const paidInput = fresh + kept * cacheWriteShare + cached * cacheReadShare;
  // Prices are in dollars per million tokens, which equals millionths of a dollar per token.
  return {
    inputTokens: fresh + kept + cached,
    outputTokens: written,
    costMicros: Math.ceil(paidInput * inputPrice + written * outputPrice),
  };
}

/** Describes the failure in our own words; text from the other side is never repeated. */
function explained(error: unknown): ProcessingError {
  if (isTooLarge(error)) return endless(error);
  if (!(error instanceof APIError)) return unavailable(error);
  const status: number | undefined = error.status;
  const retryAfterMs = waitOf(error.headers);
  if (status === 401 || status === 403) {
    return new ProcessingError(
      'model_unauthorized',
      'The model’s provider does not accept the API key. Check the setting claudeApiKey.',
      { cause: error },
    );
  }
  if (status === 402) {
    return new ProcessingError(
      'model_unauthorized',
      'The provider asks for payment. Check the account that the API key belongs to.',
      {
        cause: error,
      },
    );
  }
  if (status === 404 || status === 405) {
    return new ProcessingError(
      'model_not_found',
      'The provider does not know the model, or nothing speaks the Messages API at the address. Check claudeModel and claudeBaseUrl.',
      { cause: error },
    );
  }
  if (status === 413) return tooLong(error);
  if (status === 429) {
    return new ProcessingError(
      'rate_limited',
      'The model’s provider asks to wait. The extracted summary is shown meanwhile.',
      {
        retryable: true,
        retryAfterMs: retryAfterMs ?? 60_000,
        cause: error,
      },
    );
  }
  if (status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 409) {
    return new ProcessingError(
      'model_request_refused',
      'The model’s provider refused the request for this text. The extracted summary stays.',
      {
        cause: error,
      },
    );
  }
  return unavailable(error, retryAfterMs);
}

/**
 * True if `createProviderFetch` rejected the answer for its size: a server that answers with megabytes will do so
 * again.
 */
function isTooLarge(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && error.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') || isTooLarge(error.cause);
}

function otherSpeaker(): ProcessingError {
  return new ProcessingError(
    'model_unavailable',
    'The server that answered does not speak the Messages API. If this goes on, check claudeBaseUrl.',
    { retryable: true },
  );
}

function unavailable(cause: unknown, retryAfterMs?: number): ProcessingError {
  return new ProcessingError(
    'model_unavailable',
    `${proxyTrouble(cause)?.message ?? 'The model’s provider could not be reached or is overloaded.'} The extracted summary is shown meanwhile.`,
    { retryable: true, retryAfterMs, cause },
  );
}

/**
 * The wait that the server asks for, in milliseconds. Retry-After holds seconds or a date; a date is compared with the
 * server's own Date header.
 */
function waitOf(headers: Headers | undefined): number | undefined {
  const asked = headers?.get('retry-after') ?? '';
  const untilDate = (Date.parse(asked) - Date.parse(headers?.get('date') ?? '')) / 1_000;
  const seconds = /^\s*\d+(?:\.\d+)?\s*$/.test(asked) ? Number(asked) : untilDate;
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds * 1_000, maxWaitMs) : undefined;
}

export interface ClaudeSettings {
  apiKey: string;
  /** Base URL of the Messages API, or of a server that speaks it (Ollama, LM Studio). */
  baseUrl: string;
  model: string;
  /** Dollars per million tokens. */
  inputPrice: number;
  outputPrice: number;
  /** Maximum tokens of one section; a longer document is read section by section, one call each. */
  sectionTokens: number;
  /** Maximum sections of one document; the text after them is not read, and the user is told so. */
  maxSections: number;
  timeoutMs: number;
}
