import type { ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { isMemorySmall } from '../../workers/memory.ts';
import { startProcess, workerFile } from '../../workers/start.ts';

/* Starts the process that holds the model. It imports little, so that it can run before the program is loaded. */

/** The folder of the model in the package. `assets` is next to both `src` and `dist`. */
export const packagedModelFolder = fileURLToPath(new URL('../../../assets/all-MiniLM-L6-v2/', import.meta.url));

/** More threads would take more memory than passages arrive for. */
const maxThreads = 16;

/**
 * Threads that embed passages: one for each processor. Only Linux has priorities for threads; elsewhere one processor is
 * left to questions.
 */
export function passageThreads(): number {
  const kept = process.platform === 'linux' ? 0 : 1;
  return isMemorySmall() ? 1 : Math.max(1, Math.min(maxThreads, availableParallelism() - kept));
}

/**
 * Starts a process and not a thread: a crash in WASM would also end the server, a thread leaves 17 MB behind when it
 * ends, and the engine flag set for the model (`useWideInstructions`) would also affect the server's WASM. A thread is
 * no faster.
 */
export function startMiniLm(folder: string): ChildProcess {
  return startProcess(workerFile('./minilm/minilm-worker', import.meta.url), {
    args: [folder, String(passageThreads())],
    // One V8 worker thread is enough to compile the kernel. Temporary objects per text are small: with the usual 16 MB, the young
    // generation only takes memory. (`returnsMemory` would make a passage a fifth slower.)
    execArgv: ['--v8-pool-size=1', '--max-semi-space-size=4'],
    serialization: 'advanced',
    usesCompileCache: true,
  });
}
