import { flushCompileCache } from 'node:module';
import { offerToEndFirst } from '../../../workers/memory.ts';
import type { WorkerSignal } from '../../../workers/worker-use.ts';
import type { TextVector, ToWorker } from '../embedding-queue.ts';
import { openSharedMiniLm } from './forward.ts';
import { chooseKernel, compileKernel, createKernelMemory, openKernel, useWideInstructions } from './kernel.ts';
import { openPassageThreads } from './passage-threads.ts';
import { loadTokenizer, readMiniLmFiles, readModelFiles } from './files.ts';

/*
 * The process that holds a model run by the kernel. Questions run in its main thread, so that they never wait for passages, which
 * run in other threads. Any error ends the process; the host reports a reason and starts another.
 */

function send(message: TextVector | WorkerSignal, sent: () => void = () => undefined): void {
  process.send?.(message, undefined, undefined, sent);
}

/** Comes first, so that failures while the model loads are reported, too. */
function beginModelProcess(): void {
  offerToEndFirst();
  // The host has exited or was killed: no more texts will come.
  process.on('disconnect', () => process.exit(0));
  // A terminal sends signals to the whole process group; only the host decides when this process ends.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('uncaughtException', (error) => {
    send({ kind: 'failed', reason: String(error) }, () => process.exit(1));
  });
}

/** Reports that the model is loaded, and answers texts from then on. */
function answerTexts(answer: (asked: ToWorker) => Float32Array | Promise<Float32Array>): void {
  let keepCompiled: (() => void) | undefined = () => {
    keepCompiled = undefined;
    flushCompileCache();
  };
  process.on('message', (asked: ToWorker) => {
    // An error here ends the process: an unhandled rejection becomes an uncaught exception.
    void (async () => {
      // The host ends this process without notice: after one search from the command line as soon as the answer is printed. By its first answer it has compiled
      // most of what it runs. Kept, that starts the next such process 20 ms sooner.
      send({ kind: 'vector', id: asked.id, vector: await answer(asked) }, keepCompiled);
    })();
  });
  send({ kind: 'ready' });
}

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
