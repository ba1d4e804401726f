import { Worker } from 'node:worker_threads';
import type { Transcript } from '../domain/document.ts';
import type { Goal } from '../domain/goal.ts';
import type { Passage } from '../domain/passage.ts';
import type { Analysis, AnalysisInput, Analyst } from '../models/analyst.ts';

type Question =
  | { kind: 'split'; transcript: Transcript }
  | { kind: 'analyse'; input: AnalysisInput; goals: readonly Goal[] };
export type TextRequest = Question & { id: number };
export interface TextAnswer {
  id: number;
  result: Passage[] | Analysis;
}

interface Waiting {
  resolve: (result: never) => void;
  reject: (reason: unknown) => void;
}

/** Splits and analyses texts away from the thread that speaks protocols: a long book takes seconds of both. */
export interface TextThread {
  split(transcript: Transcript, signal: AbortSignal): Promise<Passage[]>;
  /** The analyst that needs no model. */
  readonly analyst: Analyst;
  close(): Promise<void>;
}

function startTextWorker(): Worker {
  // The same file runs from the sources and, compiled, from dist.
  const file = import.meta.url.endsWith('.ts') ? './text-thread-worker.ts' : './text-thread-worker.js';
  return new Worker(new URL(file, import.meta.url), { stdout: true, stderr: true });
}

/**
 * One thread, started with the first text and ended after `idleMs` without one. It holds the process only while it
 * works. Aborting a call ends the thread, since what runs there cannot be interrupted; other calls are asked again.
 */
export function createTextThread(idleMs: number): TextThread {
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;
  const waiting = new Map<number, Waiting & { request: TextRequest }>();

  const end = async () => {
    clearTimeout(idle);
    const ended = worker;
    worker = null;
    await ended?.terminate();
  };
  const failAll = (cause: unknown) => {
    const failed = [...waiting.values()];
    waiting.clear();
    for (const call of failed) call.reject(new Error('the text thread ended unexpectedly', { cause }));
  };
  const start = () => {
    const started = startTextWorker();
    let cause: unknown;
    started.on('error', (error) => (cause = error));
    started.on('exit', (code) => {
      if (started !== worker) return;
      worker = null;
      failAll(cause ?? new Error(`exit ${code}`));
    });
    started.on('message', ({ id, result }: TextAnswer) => {
      const call = waiting.get(id);
      waiting.delete(id);
      if (waiting.size === 0) rest();
      call?.resolve(result as never);
    });
    return started;
  };
  const rest = () => {
    worker?.unref();
    idle = setTimeout(() => void end(), idleMs).unref();
  };
  const send = (request: TextRequest) => {
    clearTimeout(idle);
    worker ??= start();
    worker.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
    worker.postMessage(request);
  };

  const ask = async <T>(question: Question, signal: AbortSignal): Promise<T> => {
    signal.throwIfAborted();
    const request = { ...question, id: (lastId += 1) };
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const drop = () => {
      waiting.delete(request.id);
      reject(signal.reason as Error);
      void end();
      for (const call of waiting.values()) send(call.request);
    };
    waiting.set(request.id, { resolve, reject, request });
    signal.addEventListener('abort', drop, { once: true });
    send(request);
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', drop);
    }
  };

  return {
    split: (transcript, signal) => ask<Passage[]>({ kind: 'split', transcript }, signal),
    analyst: {
      by: 'extractive',
      model: null,
      analyse: (input, goals, signal) => ask<Analysis>({ kind: 'analyse', input, goals }, signal),
    },
    async close() {
      failAll(new Error('closing'));
      await end();
    },
  };
}
