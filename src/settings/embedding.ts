import { z } from 'zod';
import { names, seconds } from './values.ts';

/** The models that can be installed beside the one in the package; `app/installable-models.ts` describes them. */
export const installableNames = ['multilingual-e5-small'] as const;

/** What turns text into vectors. */
export const embeddingSettings = {
  embedder: z
    .enum(['builtin', ...installableNames, 'openai', 'onnx', 'none'])
    .default('builtin')
    .describe(
      'What turns text into vectors: the sentence model in the package (builtin), one that `commonplace model install` fetched (multilingual-e5-small), a server that speaks OpenAI’s embeddings API (openai: OpenAI, Voyage, Ollama, LM Studio), a model file of your own (onnx), or nothing (none: search by words alone).',
    ),
  modelHub: z
    .url({ protocol: /^https?$/ })
    .default('https://huggingface.co')
    .describe('Where `commonplace model install` downloads from, or a mirror of it.'),
  onnxModel: z
    .string()
    .default('')
    .describe(
      'Sentence model for `embedder` onnx: the path of an .onnx file, with tokenizer.json and config.json beside it or one folder above. Wants onnxruntime-node installed there.',
    ),
  embedderCpuShare: z
    .number()
    .min(1)
    .max(100)
    .default(100)
    .describe(
      'Per cent of the processors that a sentence model on this machine may take for passages (of one processor with `embedder: onnx`); questions take what they need.',
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
  embeddingDimensions: z
    .int()
    .min(0)
    .max(16_384)
    .default(0)
    .describe('Numbers in a vector, for models that can shorten theirs. 0: as many as the model gives.'),
  embeddingQueryPrefix: z
    .string()
    .max(1_000)
    .default('auto')
    .describe(
      'Written before each question. auto: what is known of the model (nomic-embed, e5, bge, mxbai …); or none.',
    ),
  embeddingPassagePrefix: z
    .string()
    .max(1_000)
    .default('auto')
    .describe('Written before each passage, in the same way. Another one embeds everything anew.'),
  embeddingLanguages: names
    .default(['auto'])
    .describe('Languages that the model knows, such as en,de. auto: what is known of the model; any: all.'),
  embeddingBatchTexts: z.int().min(1).max(256).default(64).describe('Passages in one request.'),
  embeddingRequestsPerMinute: z
    .int()
    .min(0)
    .max(1_000_000)
    .default(0)
    .describe('Requests a minute to that server. 0: as many as it takes.'),
  embeddingTimeoutSeconds: seconds
    .default(60)
    .describe('Time for one answer of that server; a question waits for 10 seconds at most.'),
};
