import { randomBytes } from 'node:crypto';
import { type Analysis, rulesVersion } from '../../../domain/records/analyses/analysis.ts';
import type { AnalysisDraft, VerifiedDraft, VerifyDraft } from '../../../domain/drafts/analysis-draft.ts';
import type { Goal } from '../../../domain/records/analyses/goal.ts';
import type { TextSpan } from '../../../domain/text/graphemes.ts';
import { ProcessingError } from '../../../errors.ts';
import type { ChatMessage, ClaudeConversation, ClaudeSettings } from './api.ts';
import { combiningMessage, documentMessage, instructions, mendingMessage, cutIntoSections } from './prompt.ts';
import { readAnswer } from './read-answer.ts';
import type { ModelUsage, LlmAnalyst, AnalysisInput } from '../analyst.ts';

/** The usual estimate; the provider bills by its own count. */
const charactersPerToken = 4;
/** Maximum tokens of an answer: a summary, seven insights and seven actions with their quotes. */
const answerTokens = 4_000;
const usualAnswerTokens = 1_200;

/** The LLM analyst: Claude, or a model behind the same API. */
export function createClaude(
  settings: ClaudeSettings,
  fetch: typeof globalThis.fetch,
  verify: VerifyDraft,
): LlmAnalyst {
  const { model, inputPrice, outputPrice, sectionTokens, maxSections } = settings;
  const sectionChars = sectionTokens * charactersPerToken;

  return {
    by: 'claude',
    model,
    promptVersion: rulesVersion,

    estimate(characters) {
      const sections = Math.min(maxSections, Math.max(1, Math.ceil(characters / sectionChars)));
      const calls = sections === 1 ? 1 : sections + 1;
      const read = Math.min(characters, sections * sectionChars) / charactersPerToken;
      const inputTokens = Math.ceil(read + calls * (instructions.length / charactersPerToken));
      const outputTokens = calls * usualAnswerTokens;
      return {
        inputTokens,
        outputTokens,
        costMicros: Math.ceil(inputTokens * inputPrice + outputTokens * outputPrice),
      };
    },

    async analyse(input, goals, signal, onUsage) {
      const usage: ModelUsage = { inputTokens: 0, outputTokens: 0, costMicros: 0 };
      // Imported here because the client takes longer to load than the rest of the program: users without a model need
      // not wait for it.
      const { openConversation } = await import('./api.ts');
      let mayGoOn = true;
      const conversation = openConversation(settings, fetch, signal, async (spent) => {
        usage.inputTokens += spent.inputTokens;
        usage.outputTokens += spent.outputTokens;
        usage.costMicros += spent.costMicros;
        mayGoOn = await onUsage(spent);
      });
      const all = cutIntoSections(input.text, input.blocks, sectionChars);
      const sections = all.slice(0, maxSections);
      const reading = new Reading(conversation, input, goals, {
        verify: (draft, goals) => verify(draft, input.text, goals, signal),
        mayGoOn: () => mayGoOn,
      });
      const { verified, read } = await reading.together(sections);
      const why = read === maxSections ? `it is longer than ${read} sections` : 'the budget of the day was spent then';
      return { analysis: verified.analysis, usage, unread: unreadNote(all.length, read, why) };
    },
  };
}

function unreadNote(all: number, read: number, why: string): string | null {
  if (read === all) return null;
  return `Only the first ${Math.round((read / all) * 100)} % of this text was read for the summary: ${why}. All of it can be searched.`;
}

interface ReadingParts {
  /** Checks a draft against the document. */
  verify(draft: AnalysisDraft, goals: readonly Goal[]): Promise<VerifiedDraft>;
  /** True if the budget allows more calls than those needed to finish with the sections read so far. */
  mayGoOn(): boolean;
}

/** The analysis of one document by the model. */
class Reading {
  readonly #conversation: ClaudeConversation;
  readonly #input: AnalysisInput;
  readonly #goals: readonly Goal[];
  readonly #mark = randomBytes(12).toString('hex');
  readonly #verifyDraft: ReadingParts['verify'];
  readonly #mayGoOn: () => boolean;

  constructor(
    conversation: ClaudeConversation,
    input: AnalysisInput,
    goals: readonly Goal[],
    { verify, mayGoOn }: ReadingParts,
  ) {
    this.#conversation = conversation;
    this.#input = input;
    this.#goals = goals;
    this.#verifyDraft = verify;
    this.#mayGoOn = mayGoOn;
  }

  /**
   * Reads section by section while the budget allows, then combines the results into one answer.
   * @returns also the number of sections read, at least one
   */
  async together(sections: readonly TextSpan[]): Promise<{ verified: VerifiedDraft; read: number }> {
    const found: VerifiedDraft[] = [];
    for (const [at, section] of sections.entries()) {
      if (at > 0 && !this.#mayGoOn()) break;
      found.push(await this.#part({ ...section, number: at + 1, of: sections.length }));
    }
    const [only] = found;
    if (only !== undefined && found.length === 1) return { verified: only, read: 1 };
    const told = found.map(({ analysis }) => this.#inWords(analysis));
    const verified = await this.#askFor(combiningMessage(this.#input, told, this.#goals, this.#mark));
    return { verified, read: found.length };
  }

  /** Reads one section and returns the verified part of the answer. */
  async #part(part: { start: number; end: number; number: number; of: number }): Promise<VerifiedDraft> {
    const text = this.#input.text.slice(part.start, part.end);
    return this.#askFor(documentMessage(this.#input, { ...part, text }, this.#goals, this.#mark));
  }

  #inWords({ summary, insights, actions, tags }: Analysis): object {
    const quoted = ({ start, end }: TextSpan) => this.#input.text.slice(start, end);
    return {
      summary,
      insights: insights.map(({ text, quote }) => ({ text, quote: quote === null ? '' : quoted(quote) })),
      actions: actions.map((action) => ({ ...action, quote: quoted(action.quote) })),
      tags,
    };
  }

  /**
   * Asks for an answer and verifies it against the text. Asks once more if parts of it were refused and the budget allows
   * it.
   */
  async #askFor(request: string): Promise<VerifiedDraft> {
    const messages: ChatMessage[] = [{ role: 'user', content: request }];
    const draft = await this.#draft(messages);
    const first = await this.#verify(draft);
    if (first.refusals === 0 || !this.#mayGoOn()) return first;
    const again: ChatMessage[] = [
      ...messages,
      { role: 'assistant', content: JSON.stringify(draft) },
      { role: 'user', content: mendingMessage(first.problems) },
    ];
    try {
      const second = await this.#verify(await this.#draft(again));
      return second.refusals <= first.refusals ? second : first;
    } catch (error) {
      // The first result stays valid if the second attempt fails.
      if (error instanceof ProcessingError) return first;
      throw error;
    }
  }

  #verify(draft: AnalysisDraft): Promise<VerifiedDraft> {
    return this.#verifyDraft(draft, this.#goals);
  }

  /** One answer in the requested form; asked for once more when it is malformed. */
  async #draft(messages: readonly ChatMessage[]): Promise<AnalysisDraft> {
    const answer = await this.#conversation(messages, answerTokens);
    const read = readAnswer(answer);
    if (read.draft !== null) return read.draft;
    const second = await this.#conversation(
      [
        ...messages,
        { role: 'assistant', content: answer.trim() === '' ? '{}' : answer },
        {
          role: 'user',
          content: `That is not the JSON object that was asked for: ${read.problem} Answer with it alone.`,
        },
      ],
      answerTokens,
    );
    const reread = readAnswer(second, 'leniently');
    if (reread.draft !== null) return reread.draft;
    throw new ProcessingError(
      'model_answer_invalid',
      'The model did not answer in the form that was asked for, twice. The extracted summary stays; another model may do better.',
      { retryable: true },
    );
  }
}
