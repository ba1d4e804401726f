import { type ChildProcess, execFile } from 'node:child_process';
import { Worker } from 'node:worker_threads';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Measured } from './limits.ts';
import type { Failure } from './worker-use.ts';

export interface WorkerHandle extends Measured {
  send(message: unknown, moved?: readonly ArrayBuffer[]): void;
  write(bytes: Uint8Array): Promise<void>;
  /** Decides whether this process stays alive as long as the worker. */
  hold(isWanted: boolean): void;
  /** Ends the worker whatever it does. Resolves when it is gone. */
  end(): Promise<void>;
}

export interface HandleEvents {
  message(message: unknown): void;
  /** May be called more than once. */
  ended(kind: Failure['kind'], cause: Error): void;
}

/** Of what is printed before the first message. Later output is dropped: libraries may print what they read. */
const maxStartText = 4_000;

export function openHandle(worker: ChildProcess | Worker, events: HandleEvents): WorkerHandle {
  return worker instanceof Worker ? openThread(worker, events) : openProcess(worker, events);
}

function openProcess(child: ChildProcess, { message, ended }: HandleEvents): WorkerHandle {
  const { pid, stdin, stderr } = child;
  let startText: string | null = '';
  const hold = (isWanted: boolean): void => {
    for (const part of [child, child.channel]) {
      if (isWanted) part?.ref();
      else part?.unref();
    }
  };
  child.on('message', (received) => {
    startText = null;
    message(received);
  });
  child.on('error', (error) => ended('refused', error));
  child.on('exit', (code, signal) => {
    const cause = new Error(`the process ended with ${signal ?? code}. ${startText ?? ''}`.trim());
    if (signal === 'SIGKILL' || signal === 'SIGTERM') ended('killed', cause);
    // V8 aborts when its heap is exhausted.
    else if (signal === 'SIGABRT' || code === 134) ended('memory', cause);
    else ended(signal === null ? 'exit' : 'crash', cause);
  });
  // stdin and stderr are missing when the system has no file handles left; the `error` event reports that. Writing to a
  // process that was just ended fails with a closed pipe; the `exit` event reports its end.
  stdin?.on('error', () => undefined);
  stderr?.on('data', (chunk: Buffer) => {
    if (startText !== null && startText.length < maxStartText) startText += chunk.toString('latin1');
  });
  for (const pipe of [stdin, stderr]) {
    // At run time a pipe is a socket and has `unref`; its declared type lacks it.
    if (pipe && 'unref' in pipe && typeof pipe.unref === 'function') pipe.unref();
  }
  const cpuUsage = async (before?: NodeJS.CpuUsage): Promise<NodeJS.CpuUsage> => {
    const had = pid === undefined ? null : await processorTime(pid);
    if (had === null) throw new Error('the process has ended');
    return { user: had * 1_000 - (before?.user ?? 0), system: 0 };
  };
  return {
    ...(process.platform !== 'win32' && { cpuUsage }),
    // Errors are ignored: the process's answer or its end shows whether the message arrived.
    send: (sent) => void child.send(sent as object, () => undefined),
    async write(bytes) {
      if (stdin === null || stdin.destroyed) return;
      await new Promise<void>((resolve) => void stdin.write(bytes, () => resolve()));
    },
    hold,
    memory: async () => (pid === undefined ? null : processMemory(pid)),
    async end() {
      if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      hold(true);
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await exited;
    },
  };
}

function openThread(worker: Worker, { message, ended }: HandleEvents): WorkerHandle {
  worker.on('message', message);
  worker.on('error', (error) => {
    // The limit is the thread's own, and does not depend on the machine's memory.
    const isOutOfHeap = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    ended(isOutOfHeap ? 'memory' : 'crash', error);
  });
  worker.on('exit', (code) => ended('exit', new Error(`the thread ended with ${code}`)));
  const cpuUsage = (before?: NodeJS.CpuUsage): Promise<NodeJS.CpuUsage> => worker.cpuUsage(before);
  return {
    // Node reports a thread's processor time from version 24.6 on.
    ...(typeof worker.cpuUsage === 'function' && { cpuUsage }),
    send: (sent, moved = []) => worker.postMessage(sent, moved),
    write: () => Promise.reject(new Error('a thread is sent bytes in its messages')),
    hold: (isWanted) => (isWanted ? worker.ref() : worker.unref()),
    memory: () => Promise.resolve(null),
    end: async () => void (await worker.terminate()),
  };
}

const run = promisify(execFile);

// Files of /proc are read without waiting: they are in memory, and the thread pool would take ten times as long.

/**
 * Memory that belongs to one process alone, in bytes. On Linux this is the anonymous memory, without mapped files,
 * which are no burden; elsewhere it is all resident memory. Null where the system cannot report it (Windows), or for a
 * process that has ended.
 */
export async function processMemory(pid: number, platform: NodeJS.Platform = process.platform): Promise<number | null> {
  if (platform === 'win32') return null;
  try {
    const [text, pattern] =
      platform === 'linux'
        ? [readFileSync(`/proc/${pid}/status`, 'utf8'), /^RssAnon:\s*(\d+) kB/m]
        : [(await run('ps', ['-o', 'rss=', '-p', String(pid)])).stdout, /^\s*(\d+)/];
    const kilobytes = pattern.exec(text)?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) * 1024;
  } catch {
    // The process ended during the measurement.
    return null;
  }
}

/** `/proc/<pid>/stat` counts in ticks of this length on every system that Node runs on (USER_HZ). */
const millisecondsPerTick = 10;

/** In milliseconds; null as for `processMemory`. @param pid of a process whose name contains no line break */
export async function processorTime(pid: number, platform: NodeJS.Platform = process.platform): Promise<number | null> {
  if (platform === 'win32') return null;
  try {
    if (platform === 'linux') {
      const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The process name is in parentheses, and may contain parentheses itself. The state after the name is the 3rd
      // field; user and system time are the 14th and 15th.
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
      return (Number(fields[11]) + Number(fields[12])) * millisecondsPerTick;
    }
    const { stdout } = await run('ps', ['-o', 'time=', '-p', String(pid)]);
    return secondsOf(stdout.trim()) * 1_000;
  } catch {
    return null;
  }
}

/** `[[days-]hours:]minutes:seconds[.hundredths]`: covers the formats of the different versions of `ps`. */
function secondsOf(time: string): number {
  const [clock = '', days = '0'] = time.split('-').toReversed();
  return Number(days) * 86_400 + clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
}
