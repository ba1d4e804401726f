import { z } from 'zod';
import { seconds } from './values.ts';

/** The language model that writes analyses. */
export const claudeSettings = {
  claudeApiKey: z
    .string()
    .default('')
    .describe(
      'Key of the Claude API: with it, saved items are summarised by Claude. Not a flag: command lines are public.',
    ),
  claudeBaseUrl: z
    .url({ protocol: /^https?$/ })
    .default('https://api.anthropic.com')
    .describe('Server of the Claude API, or one that speaks it (Ollama, LM Studio); another one needs no key.'),
  claudeModel: z.string().min(1).default('claude-haiku-5-5').describe('Model for summaries, insights and actions.'),
  claudeInputPrice: z
    .number()
    .min(0)
    .default(0.1)
    .describe('Dollars a million tokens that the model reads (claude-haiku-5-5, November 2026).'),
  claudeOutputPrice: z
    .number()
    .min(0)
    .default(0.5)
    .describe('Dollars a million tokens that the model writes (claude-haiku-5-5, November 2026).'),
  claudeTokensPerDay: z
    .int()
    .min(0)
    .default(5_000_000)
    .describe('Tokens a day (UTC) that all accounts together may use. 0: none.'),
  claudeDollarsPerDay: z
    .number()
    .min(0)
    .default(1)
    .describe('Dollars a day (UTC) that all accounts together may spend, by the prices above.'),
  claudeItemsAtOnce: z.int().min(1).max(32).default(2).describe('Items that the model analyses at once.'),
  claudeSectionTokens: z
    .int()
    .min(1_000)
    .max(1_000_000)
    .default(60_000)
    .describe('Longest text in one call, in tokens of 4 characters; a longer one is read section by section.'),
  claudeTimeoutSeconds: seconds.default(180).describe('Time for one answer of the model.'),
};
