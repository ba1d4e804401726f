import type { Log } from '../../../log.ts';
import { startProcess, workerFile } from '../../../workers/start.ts';
import { abortable } from '../abortable.ts';
import type { Embedder } from '../embedder.ts';
import type { MeasuredModels } from '../measured-models.ts';
import type { ModelFiles } from '../minilm/files.ts';
import { createMiniLm } from '../minilm/minilm.ts';
import { meanCosine, unrelatedTexts } from '../unrelated-texts.ts';

export interface OnnxEmbedderSettings {
  files: ModelFiles;
  /** Path of the onnxruntime-node module to load. */
  runtime: string;
  idleMs: number;
}

export interface OnnxEmbedderParts {
  measured: MeasuredModels;
  log: Log;
}

/**
 * Runs a user's own model on the onnxruntime-node that the user installed, in its own process like the model in the
 * package. Its cosine for unrelated texts is measured before its first text, as for a model behind a server, and
 * stored.
 */
export function createOnnxEmbedder(settings: OnnxEmbedderSettings, { measured, log }: OnnxEmbedderParts): Embedder {
  const { files, runtime, idleMs } = settings;
  const file = workerFile('./onnx-worker', import.meta.url);
  const startWorker = () => startProcess(file, { args: [files.model, runtime], serialization: 'advanced' });
  const model = createMiniLm({ idleMs, log, files, startWorker });
  let known = measured.find(files.id);
  let measuring: Promise<void> | undefined;

  const measure = async (): Promise<void> => {
    // No caller's signal is used, because other callers share this measurement.
    const { signal } = new AbortController();
    const queries: Float32Array[] = [];
    for (const text of unrelatedTexts.queries) queries.push(await model.embedQuery(text, signal));
    const passages = (await model.embedPassages(unrelatedTexts.passages, signal)).filter((vector) => vector !== null);
    known = { dimensions: files.dimensions, unrelatedCosine: meanCosine(queries, passages) };
    measured.keep(files.id, known);
    log.info({ model: files.id, ...known }, 'the embedding model was measured');
  };
  const ready = async (signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    if (known !== undefined) return;
    measuring ??= measure().finally(() => (measuring = undefined));
    await abortable(measuring, signal);
  };
  return {
    id: files.id,
    dimensions: files.dimensions,
    languages: files.languages,
    get unrelatedCosine() {
      return known?.unrelatedCosine ?? 0;
    },
    async embedPassages(texts, signal, accountId) {
      await ready(signal);
      return model.embedPassages(texts, signal, accountId);
    },
    async embedQuery(text, signal, accountId) {
      await ready(signal);
      return model.embedQuery(text, signal, accountId);
    },
    load: () => model.load?.(),
    unload: () => model.unload?.(),
    get isLoading() {
      return model.isLoading ?? false;
    },
    close: () => model.close(),
  };
}
