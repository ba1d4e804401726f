import Anthropic, { APIError } from '@anthropic-ai/sdk';
import { ProcessingError } from '../errors.ts';
import type { ClaudeSettings } from './claude.ts';
import { answerSchema, instructions } from './claude-prompt.ts';
import type { ModelUsage } from './writer.ts';

export interface ChatMessage {
  role: 'user' | 'assistant';
  content: string;
}

/** Asks the model and gives the text of its answer. */
export type Conversation = (messages: readonly ChatMessage[], maxTokens: number) => Promise<string>;

/** A Retry-After is honoured up to this long; some are days. */
const longestWaitMs = 60 * 60_000;
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
    await onUsage(costOf(message.usage, settings));
    if (message.stop_reason === 'refusal') {
      throw new ProcessingError(
        'model_refused',
        'The model declined to analyse this text. The extracted summary stays; a connected assistant can analyse it instead.',
      );
    }
    if (message.stop_reason === 'model_context_window_exceeded') throw tooLong();
    if (message.stop_reason === 'max_tokens') throw new CutAnswer();
    const blocks = Array.isArray(message.content) ? message.content : [];
    return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
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

interface ReportedUsage {
  input_tokens?: number | null;
  output_tokens?: number | null;
  cache_creation_input_tokens?: number | null;
  cache_read_input_tokens?: number | null;
}

/** Other servers leave counts out, or the whole of it. */
function costOf(usage: ReportedUsage | null | undefined, { inputPrice, outputPrice }: ClaudeSettings): ModelUsage {
  const fresh = usage?.input_tokens ?? 0;
  const written = usage?.cache_creation_input_tokens ?? 0;
  const cached = usage?.cache_read_input_tokens ?? 0;
  const outputTokens = usage?.output_tokens ?? 0;
  const paidInput = fresh + written * cacheWriteShare + cached * cacheReadShare;
  // Dollars a million tokens are millionths of a dollar a token.
  return {
    inputTokens: fresh + written + cached,
    outputTokens,
    costMicros: Math.ceil(paidInput * inputPrice + outputTokens * outputPrice),
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
  if (status === 404) {
    return new ProcessingError(
      'model_request_refused',
      'The provider does not know the model, or nothing speaks the Messages API at the address. Check claudeModel and claudeBaseUrl.',
      { cause: error },
    );
  }
  if (status === 413) return tooLong(error);
  if (status === 429) {
    return new ProcessingError('rate_limited', 'The model’s provider asks to wait. It is tried again by itself.', {
      retryable: true,
      retryAfterMs: retryAfterMs ?? 60_000,
      cause: error,
    });
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

function unavailable(cause: unknown, retryAfterMs?: number): ProcessingError {
  return new ProcessingError(
    'model_unavailable',
    'The model’s provider could not be reached or is overloaded. It is tried again by itself; the extracted summary stays until then.',
    { retryable: true, retryAfterMs, cause },
  );
}

/** The time that the other side asks to wait, in milliseconds: seconds, or a date, which is held against its own clock. */
function waitOf(headers: Headers | undefined): number | undefined {
  const asked = headers?.get('retry-after') ?? '';
  const untilDate = (Date.parse(asked) - Date.parse(headers?.get('date') ?? '')) / 1_000;
  const seconds = /^\s*\d+(?:\.\d+)?\s*$/.test(asked) ? Number(asked) : untilDate;
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds * 1_000, longestWaitMs) : undefined;
}
