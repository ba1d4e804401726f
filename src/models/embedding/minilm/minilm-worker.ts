import { openSharedMiniLm } from './forward.ts';
import { chooseKernel, compileKernel, createKernelMemory, openKernel, useWideInstructions } from './kernel.ts';
import { openPassageThreads } from './passage-threads.ts';
import { readMiniLmFiles, readModelFiles } from './files.ts';
import { answerTexts, beginModelProcess } from '../model-process.ts';
import { loadTokenizer } from '../tokenizers/load-tokenizer.ts';

/*
 * The process that holds a model run by the kernel. Questions run in its main thread, so that they never wait for
 * passages, which run in threads of their own.
 */

beginModelProcess();
useWideInstructions();
const [, , folder, threads = '1'] = process.argv;
const files = folder === undefined ? readMiniLmFiles() : readModelFiles(folder);
const reading = loadTokenizer(files.tokenizer);
const [module, memory] = [compileKernel(chooseKernel()), createKernelMemory()];
const model = openSharedMiniLm(openKernel(module, memory), files.model, files);
const tokenizer = await reading;
const runInBackground = openPassageThreads(Number(threads), module, memory, model);

answerTexts(async ({ text, isQuery }) => {
  const ids = tokenizer.encode(text, files.maxTokens);
  return isQuery ? model.run(ids) : runInBackground(ids);
});
