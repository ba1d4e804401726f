import { fileURLToPath } from 'node:url';
import type { BranchingModel, Layer } from './forward.ts';
import { openTensorFile } from '../onnx/safetensors.ts';
import type { Tokenizer } from '../tokenizers/tokenizer.ts';

/**
 * Layers trained for this task, and the weights that turn their vector into a number. `assets` is next to both `src`
 * and `dist`.
 */
export const scorerFile = fileURLToPath(
  new URL('../../../../assets/actions/instruction-scorer_int8.safetensors', import.meta.url),
);

/** Maximum tokens of the sentence and of its heading. Training truncates them in the same way. */
const maxTokens = { sentence: 64, around: 16 };

/** The scorer as it lies in the kernel's memory. */
export interface InstructionScorer {
  /** For `openPlacedModel`. */
  layers: readonly Layer[];
  head: ScorerHead;
}

/**
 * Loads the instruction scorer: the model's word vectors with layers of its own (decision 25, `scripts/actions`). Null
 * when the file cannot be read: the model's process must live on, because search needs it.
 */
export function loadInstructionScorer(
  model: Pick<BranchingModel, 'loadBranch'>,
  file: string,
): InstructionScorer | null {
  try {
    return { layers: model.loadBranch(file), head: readHead(file) };
  } catch {
    return null;
  }
}

/** The tokens of the sentence, followed by those of its heading. Both end with the separator token. */
export function tokensOf(tokenizer: Tokenizer, sentence: string, around: string): number[] {
  const own = tokenizer.encode(sentence, maxTokens.sentence);
  if (around === '') return own;
  // Leave out the token that begins a text.
  return [...own, ...tokenizer.encode(around, maxTokens.around).slice(1)];
}

/** The weights that turn the vector of the scorer's layers into a number. */
interface ScorerHead {
  weights: Float32Array;
  bias: number;
}

/** One number: the log odds that a person would keep the sentence as a thing to do. */
export function oddsOf({ weights, bias }: ScorerHead, vector: Float32Array): Float32Array {
  return Float32Array.of(weights.reduce((sum, weight, i) => sum + weight * (vector[i] ?? 0), bias));
}

function readHead(file: string): ScorerHead {
  const tensors = openTensorFile(file);
  try {
    const numbers = (name: string): Float32Array => {
      const tensor = tensors.find(name);
      const bytes = new Uint8Array(tensor.bytes);
      tensors.read(tensor, bytes, 0);
      return new Float32Array(bytes.buffer);
    };
    return { weights: numbers('head.weight'), bias: numbers('head.bias')[0] ?? 0 };
  } finally {
    tensors.close();
  }
}
