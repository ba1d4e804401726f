import Anthropic, { APIError } from '@anthropic-ai/sdk';
import { ProcessingError } from '../../../errors.ts';
import type { ClaudeSettings } from './claude-settings.ts';
import { answerSchema, instructions } from './prompt.ts';
import type { ModelUsage } from '../llm-analyst.ts';

export interface ChatMessage {
  role: 'user' | 'assistant';
  content: string;
}

/** Asks the model and gives the text of its answer. */
export type Conversation = (messages: readonly ChatMessage[], maxTokens: number) => Promise<string>;

/** A Retry-After is honoured up to this long; some are days. */
const maxWaitMs = 60 * 60_000;
/** How prices of cached input stand to the price of input (the provider's price list, November 2026). */
const cacheReadShare = 0.1;
const cacheWriteShare = 1.25;

/** @param onUsage told after every answer that was paid for */
export function openConversation(
  settings: ClaudeSettings,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
  onUsage: (usage: ModelUsage) => Promise<void>,
): Conversation {
  // Whatever the environment says of other accounts and addresses is not meant for this program.
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
      // Room for twice as much, once: a model that thinks aloud can need it.
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
    'The answer of the model did not come to its end, twice. The extracted summary stays; another model may do better.',
    { retryable: true, cause },
  );
}

function tooLong(cause?: unknown): ProcessingError {
  return new ProcessingError(
    'model_request_refused',
    'A section of this text is too long for the model. Set claudeSectionTokens to less, then process the item again from analyse.',
    { cause },
  );
}

/** What is looked at of an answer, which another server than Claude's may have made. */
interface Answer {
  content: readonly unknown[];
  usage?: unknown;
}

/** Whoever answers with a page, an error or nothing of the kind does not speak the API. */
function isMessage(answer: unknown): answer is Answer {
  return typeof answer === 'object' && answer !== null && 'content' in answer && Array.isArray(answer.content);
}

function textOf({ content }: Answer): string {
  const texts = (content as ({ type?: unknown; text?: unknown } | null)[]).flatMap((block) =>
    block?.type === 'text' && typeof block.text === 'string' ? [block.text] : [],
  );
  return texts.join('');
}

/** Tokens by what they cost: read, read and put into the provider's cache, read from there, written. */
interface CountedTokens {
  fresh: number;
  kept: number;
  cached: number;
  written: number;
}

/** The usual estimate where nothing is reported. */
const charactersPerToken = 4;
/** A larger count than any model reads; what is above it is no count. */
const mostTokens = 1e9;

/**
 * What the answer says was used. Servers that report nothing, or no number, are taken to have used as many tokens as the characters
 * suggest: a budget holds with them, too.
 * @param sent characters of the request
 */
function usageOf(answer: Answer, sent: number): CountedTokens {
  const reported = (typeof answer.usage === 'object' ? answer.usage : null) as Record<string, unknown> | null;
  const count = (name: string, missing: number): number => {
    const value = reported?.[name] ?? missing;
    return typeof value === 'number' && value >= 0 ? Math.min(Math.ceil(value), mostTokens) : missing;
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
  // Dollars a million tokens are millionths of a dollar a token.
  return {
    inputTokens: fresh + kept + cached,
    outputTokens: written,
    costMicros: Math.ceil(paidInput * inputPrice + written * outputPrice),
  };
}

/** What went wrong, in our words; nothing that the other side wrote is repeated. */
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
      'The provider asks for payment: look at the account of the API key.',
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
      'The model’s provider asks to wait. The extracted summary stands in meanwhile.',
      {
        retryable: true,
        retryAfterMs: retryAfterMs ?? 60_000,
        cause: error,
      },
    );
  }
  if (status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 409) {
    return new ProcessingError('model_request_refused', 'The model’s provider refused the request for this text.', {
      cause: error,
    });
  }
  return unavailable(error, retryAfterMs);
}

/** An answer that `createProviderFetch` gave up: whoever answers megabytes does so again. */
function isTooLarge(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && error.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') || isTooLarge(error.cause);
}

function otherSpeaker(): ProcessingError {
  return new ProcessingError(
    'model_unavailable',
    'What answers in the place of the model does not speak the Messages API. If that goes on, check claudeBaseUrl.',
    { retryable: true },
  );
}

function unavailable(cause: unknown, retryAfterMs?: number): ProcessingError {
  return new ProcessingError(
    'model_unavailable',
    'The model’s provider could not be reached or is overloaded. The extracted summary stands in meanwhile.',
    { retryable: true, retryAfterMs, cause },
  );
}

/** The time that the other side asks to wait, in milliseconds: seconds, or a date, which is held against its own clock. */
function waitOf(headers: Headers | undefined): number | undefined {
  const asked = headers?.get('retry-after') ?? '';
  const untilDate = (Date.parse(asked) - Date.parse(headers?.get('date') ?? '')) / 1_000;
  const seconds = /^\s*\d+(?:\.\d+)?\s*$/.test(asked) ? Number(asked) : untilDate;
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds * 1_000, maxWaitMs) : undefined;
}
