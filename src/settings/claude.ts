import { z } from 'zod';

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
  claudePrices: z
    .array(z.number().min(0))
    .length(2)
    .default([0.1, 0.5])
    .describe(
      'Dollars a million tokens that the model reads, and that it writes (0.1,0.5: claude-haiku-5-5, November 2026). 0,0 for a model of your own.',
    ),
  claudeDollarsPerDay: z
    .number()
    .min(0)
    .default(1)
    .describe('Dollars a day (UTC) that all accounts together may spend, by these prices. 0: none.'),
};
