import { startThread, workerFile } from '../../../workers/start.ts';
import type { PlacedModel, RunBuffers, SharedModel } from './forward.ts';

/** The data that a thread gets at its start. */
export interface ForwardData {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  model: PlacedModel;
  buffers: RunBuffers;
}

/** One text. */
export interface ForwardTask {
  ids: readonly number[];
}

/** The vector of the text. */
export type ForwardAnswer = Float32Array<ArrayBuffer>;

interface WaitingText extends ForwardTask {
  resolve(vector: Float32Array): void;
}

/** Runs texts through a model. The first text is the first to be run. */
export type RunInBackground = (ids: readonly number[]) => Promise<Float32Array>;

/**
 * Runs texts in threads of low priority that share the model's memory. They start with the first text. An error in one
 * of them ends this process.
 */
export function openPassageThreads(
  count: number,
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
  model: SharedModel,
): RunInBackground {
  const waiting: WaitingText[] = [];
  const idle: ((task: WaitingText) => void)[] = [];
  const start = (): void => {
    const data: ForwardData = { module, memory, model: model.placed, buffers: model.takeBuffers() };
    const thread = startThread(workerFile('./forward-worker', import.meta.url), {}, data);
    let resolve: WaitingText['resolve'] | undefined;
    const take = (task: WaitingText): void => {
      resolve = task.resolve;
      thread.postMessage({ ids: task.ids } satisfies ForwardTask, []);
    };
    const rest = (): void => {
      const next = waiting.shift();
      if (next === undefined) idle.push(take);
      else take(next);
    };
    thread.on('message', (vector: ForwardAnswer) => {
      const answer = resolve;
      rest();
      answer?.(vector);
    });
    thread.on('error', (error) => {
      throw error;
    });
    rest();
  };
  let isStarted = false;
  return (ids) =>
    new Promise((resolve) => {
      waiting.push({ ids, resolve });
      if (!isStarted) for (let i = 0; i < count; i += 1) start();
      isStarted = true;
      const next = idle.pop();
      const task = next === undefined ? undefined : waiting.shift();
      if (next !== undefined && task !== undefined) next(task);
      else if (next !== undefined) idle.push(next);
    });
}
