import type { ChildProcess } from 'node:child_process';
import type { Embedder } from '../embedder.ts';
import { ModelHost, type ModelHostOptions } from '../model-host.ts';
import { readMiniLmFiles, type ModelFiles } from './files.ts';
import { passageThreads, startMiniLm } from '../start-minilm.ts';

export interface MiniLmOptions extends Omit<ModelHostOptions, 'startWorker'> {
  /** A model to use in place of the one in the package. */
  files?: ModelFiles;
  startWorker?: ModelHostOptions['startWorker'];
  /** A process that was started earlier for the model in this folder; null when there is none. */
  takeStarted?: (folder: string) => ChildProcess | null;
}

/** This embedder refuses no text, so no vector is null. */
export interface MiniLm extends Embedder {
  embedPassages(texts: readonly string[], signal: AbortSignal, accountId?: string): Promise<Float32Array[]>;
}

/**
 * Runs all-MiniLM-L6-v2 from the package, or an installed model of its kind, in its own process. The model is loaded
 * with the first text and unloaded when idle. Texts are truncated to the model's limit (256 tokens). Before the first
 * call, only a small manifest is read, and no process is started.
 */
export function createMiniLm(options: MiniLmOptions): MiniLm {
  const files = options.files ?? readMiniLmFiles();
  const { id, dimensions, languages, unrelatedCosine, matchFloors, queryPrefix, passagePrefix } = files;
  const ours = {
    startWorker: () => options.takeStarted?.(files.folder) ?? startMiniLm(files.folder),
    // While a thread's answer is on its way, it has another passage to work on.
    textsAtOnce: { passages: 2 * passageThreads(), isQueryBeside: true },
  };
  const { startWorker } = options;
  const host = new ModelHost({ ...options, ...(startWorker === undefined ? ours : { startWorker }) });
  return {
    id,
    dimensions,
    languages,
    unrelatedCosine,
    ...(matchFloors !== undefined && { matchFloors }),
    embedPassages: (texts, signal, accountId) =>
      host.ask(
        texts.map((text) => ({ text: passagePrefix + text })),
        'passages',
        signal,
        accountId,
      ),
    async embedQuery(text, signal, accountId) {
      const [vector] = await host.ask([{ text: queryPrefix + text }], 'query', signal, accountId);
      if (vector === undefined) throw new Error('one text gives one vector');
      return vector;
    },
    load: () => host.load(),
    unload: () => host.unload(),
    get isLoading() {
      return host.isLoading;
    },
    close: () => host.close(),
  };
}
