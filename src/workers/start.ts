import { fork, type ChildProcess } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { smallAllocation } from './memory.ts';

/**
 * The file of a worker, which is `.ts` in the sources and `.js` in dist.
 * @param path relative to the module that starts it, without its ending
 * @param module the `import.meta.url` of that module
 */
export function workerFile(path: string, module: string): URL {
  return new URL(`${path}${module.endsWith('.ts') ? '.ts' : '.js'}`, module);
}

export interface ProcessOptions {
  args: readonly string[];
  /** Flags of Node. The flags of this process, such as a test loader, are not passed on. */
  execArgv?: readonly string[];
  /** True if the process is sent bytes on stdin (`Run.write`). */
  readsBytes?: boolean;
  /**
   * Keeps compiled code for the next start, if this process keeps its own. The process then starts faster and
   * takes more memory. It has to call `flushCompileCache` itself, because it is ended without notice.
   */
  usesCompileCache?: boolean;
  /** The process gives freed memory back early, unless the environment says how it allocates. */
  returnsMemory?: boolean;
  /** Threads of the process that look up names, compress and decompress; four by default. */
  threads?: number;
  /** The form of messages: `advanced` keeps typed arrays. */
  serialization?: 'json' | 'advanced';
}

export function startProcess(file: URL, options: ProcessOptions): ChildProcess {
  const { args, execArgv = [], readsBytes = false, serialization = 'json' } = options;
  const { usesCompileCache = false, returnsMemory = false, threads } = options;
  // Node returns the folder of its own version, inside the one to name.
  const compiled = usesCompileCache ? getCompileCacheDir() : undefined;
  return fork(file, args, {
    execArgv: [...execArgv],
    env: {
      ...(returnsMemory && smallAllocation),
      ...process.env,
      ...(threads !== undefined && { UV_THREADPOOL_SIZE: String(threads) }),
      ...(compiled !== undefined && { NODE_COMPILE_CACHE: dirname(compiled) }),
    },
    serialization,
    // The process's output must not reach our stdout, which belongs to the protocol.
    stdio: [readsBytes ? 'pipe' : 'ignore', 'ignore', 'pipe', 'ipc'],
  });
}

/** @param workerData given to the thread at its start */
export function startThread(file: URL, resourceLimits: ResourceLimits = {}, workerData?: unknown): Worker {
  return new Worker(file, {
    // The thread's output must not reach our stdout, which belongs to the protocol. The thread itself has to discard
    // it: reading it here would keep the process alive as long as the thread, even after `unref`.
    stdout: true,
    stderr: true,
    // The flags of this process, such as a test loader, are not passed on.
    execArgv: [],
    resourceLimits,
    workerData,
  });
}

/** The end of a thread's work; only the first call counts. */
export interface ThreadEnd<Result> {
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** There is no limit of time. Aborting rejects with its reason. @param receive called with each message */
export async function runInThread<Message, Result>(
  file: URL,
  workerData: unknown,
  signal: AbortSignal,
  receive: (message: Message, end: ThreadEnd<Result>) => void,
): Promise<Result> {
  signal.throwIfAborted();
  const thread = startThread(file, {}, workerData);
  const stop = (): void => void thread.terminate();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await new Promise<Result>((resolve, reject) => {
      thread.on('message', (message: Message) => receive(message, { resolve, reject }));
      thread.once('error', reject);
      thread.once('exit', () => reject(signal.aborted ? signal.reason : new Error('a thread ended early')));
    });
  } finally {
    signal.removeEventListener('abort', stop);
    await thread.terminate();
  }
}
