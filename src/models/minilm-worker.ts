import { openMiniLm } from './minilm-forward.ts';
import { chooseKernel, openKernel, useWideInstructions } from './minilm-kernel.ts';
import { readMiniLmFiles, readModelFiles } from './minilm-files.ts';
import { answerTexts, beginModelProcess } from './model-process.ts';
import { loadTokenizer } from './tokenizer.ts';

/* The process that holds a model which the kernel runs. */

beginModelProcess();
useWideInstructions();
const [, , folder] = process.argv;
const files = folder === undefined ? readMiniLmFiles() : readModelFiles(folder);
const tokenizer = await loadTokenizer(files.tokenizer);
const run = openMiniLm(openKernel(chooseKernel()), files.model, files);
answerTexts((text) => run(tokenizer.encode(text, files.maxTokens)));
