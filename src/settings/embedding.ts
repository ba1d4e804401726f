import { z } from 'zod';

/** The models that can be installed beside the one in the package; `app/installable-models.ts` describes them. */
export const installableNames = ['multilingual-e5-small'] as const;

/** What turns text into vectors. */
export const embeddingSettings = {
  embedder: z
    .enum(['builtin', ...installableNames, 'openai', 'none'])
    .default('builtin')
    .describe(
      'What turns text into vectors: the sentence model in the package (builtin), one that `commonplace model install` fetched (multilingual-e5-small), a server that speaks OpenAI’s embeddings API (openai: OpenAI, Voyage, Ollama, LM Studio), or nothing (none: search by words alone).',
    ),
  embeddingBaseUrl: z
    .url({ protocol: /^https?$/ })
    .default('https://api.openai.com/v1')
    .describe(
      'Server for `embedder` openai, without `/embeddings`; it gets the text of what you save. Ollama: http://localhost:11434/v1.',
    ),
  embeddingApiKey: z
    .string()
    .default('')
    .describe('Key of that server; a server of your own needs none. Not a flag: command lines are public.'),
  embeddingModel: z
    .string()
    .min(1)
    .max(200)
    .default('text-embedding-3-small')
    .describe('Model of that server. Another one embeds everything anew, in the background.'),
};
