import { openInstructionScorer, type ScoreInstruction } from './instruction-scorer.ts';
import { openBranchingMiniLm } from './forward.ts';
import { chooseKernel, openKernel, useWideInstructions } from './kernel.ts';
import { readMiniLmFiles, readModelFiles } from './files.ts';
import { answerTexts, beginModelProcess } from '../model-process.ts';
import { loadTokenizer } from '../tokenizers/load-tokenizer.ts';

/* The process that holds a model run by the kernel. */

beginModelProcess();
useWideInstructions();
const [, , folder] = process.argv;
const files = folder === undefined ? readMiniLmFiles() : readModelFiles(folder);
const tokenizer = await loadTokenizer(files.tokenizer);
const model = openBranchingMiniLm(openKernel(chooseKernel()), files.model, files);
/** Loaded when the first sentence is to be scored. */
let score: ScoreInstruction | undefined;
answerTexts((asked) => {
  if (asked.around === undefined) return model.run(tokenizer.encode(asked.text, files.maxTokens));
  score ??= openInstructionScorer(model, tokenizer);
  return score(asked.text, asked.around);
});
