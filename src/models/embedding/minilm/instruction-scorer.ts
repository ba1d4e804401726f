import { fileURLToPath } from 'node:url';
import type { BranchingModel } from './forward.ts';
import { openTensorFile } from '../onnx/safetensors.ts';
import type { Tokenizer } from '../tokenizers/tokenizer.ts';

/** One number, the log odds that a person would keep the sentence as a thing to do; none where that cannot be told. */
export type JudgeInstruction = (sentence: string, around: string) => Float32Array;

/** Layers that were trained for this, and the weights that make a number of their vector. `assets` stands beside both `src` and `dist`. */
export const judgeFile = fileURLToPath(new URL('../../../../assets/actions/judge_int8.safetensors', import.meta.url));

/** Of the sentence; of the words that it stands under. Training cuts them the same. */
const most = { sentence: 64, around: 16 };

/**
 * The judge of instructions: the model's words with layers of its own (decision 25, `scripts/actions`). A file that cannot be
 * read leaves a judge without an answer, for the model's process has to live on: search needs it.
 */
export function openInstructionJudge(model: BranchingModel, tokenizer: Tokenizer, file = judgeFile): JudgeInstruction {
  try {
    const run = model.branch(file);
    const { weights, bias } = readHead(file);
    return (sentence, around) => {
      const vector = run(tokensOf(tokenizer, sentence, around));
      return Float32Array.of(weights.reduce((sum, weight, i) => sum + weight * (vector[i] ?? 0), bias));
    };
  } catch {
    return () => new Float32Array(0);
  }
}

/** The sentence as the model reads any text, and behind it, ended by the same mark, what it stands under. */
export function tokensOf(tokenizer: Tokenizer, sentence: string, around: string): number[] {
  const own = tokenizer.encode(sentence, most.sentence);
  if (around === '') return own;
  // Without the mark that begins a text.
  return [...own, ...tokenizer.encode(around, most.around).slice(1)];
}

function readHead(file: string): { weights: Float32Array; bias: number } {
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
