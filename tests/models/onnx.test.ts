import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chooseEmbedder, describeEmbedder } from '../../src/app/choose-embedder.ts';
import { loadConfig } from '../../src/settings/config.ts';
import { createLog } from '../../src/log.ts';
import { openMeasuredModels } from '../../src/models/embedding/measured-models.ts';
import { createOnnxEmbedder } from '../../src/models/embedding/onnx/embedder.ts';
import { findOnnxFiles } from '../../src/models/embedding/onnx/files.ts';
import { openOnnx } from '../../src/models/embedding/onnx/forward.ts';
import { findOnnxRuntime, loadOnnxRuntime } from '../../src/models/embedding/onnx/runtime.ts';
import { ManualClock } from '../support/clock.ts';
import { temporaryFolder } from '../store/temporary-folder.ts';
import { type OnnxTable, writeOnnxTable } from './onnx-model.ts';

const words = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'red', 'green', 'blue'];
const rows = words.map((_, id) => [id === 4 ? 3 : 0, id === 5 ? 3 : 0, id === 6 ? 3 : 0, 1]);
const inputs = ['input_ids', 'attention_mask', 'token_type_ids'];
const never = new AbortController().signal;
const unit = (vector: readonly number[]) => vector.map((one) => one / Math.hypot(...vector));

/** onnxruntime-web has the interface of onnxruntime-node, but for models that are files. */
const webRuntime = join(dirname(createRequire(import.meta.url).resolve('onnxruntime-web')), 'ort.wasm.min.mjs');

describe('an ONNX model of the user', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => (folder = temporaryFolder()));
  afterEach(() => folder.remove());

  const writeModel = async (table: Partial<OnnxTable> = {}, pooling?: 'cls') => {
    const model = join(folder.path, 'all-minilm-colours');
    await mkdir(join(model, 'onnx'), { recursive: true });
    const vocab = Object.fromEntries(words.map((word, id) => [word, id]));
    const tokenizer = {
      added_tokens: words.slice(0, 4).map((content, id) => ({ id, content })),
      model: {
        type: 'WordPiece',
        unk_token: '[UNK]',
        continuing_subword_prefix: '##',
        max_input_chars_per_word: 100,
        vocab,
      },
    };
    await writeFile(join(model, 'tokenizer.json'), JSON.stringify(tokenizer));
    await writeFile(join(model, 'config.json'), JSON.stringify({ hidden_size: 4, max_position_embeddings: 8 }));
    if (pooling === 'cls') {
      await mkdir(join(model, '1_Pooling'), { recursive: true });
      await writeFile(join(model, '1_Pooling', 'config.json'), JSON.stringify({ pooling_mode_cls_token: true }));
    }
    const path = join(model, 'onnx', 'model.onnx');
    await writeFile(path, writeOnnxTable({ rows, inputs, output: 'last_hidden_state', ...table }));
    return path;
  };

  /** A package as a user would have installed it, above the model. */
  const installRuntime = async () => {
    const installed = join(folder.path, 'node_modules', 'onnxruntime-node');
    await mkdir(installed, { recursive: true });
    await writeFile(join(installed, 'package.json'), JSON.stringify({ main: 'index.mjs' }));
    await writeFile(
      join(installed, 'index.mjs'),
      `import { readFile } from 'node:fs/promises';
       import * as web from ${JSON.stringify(pathToFileURL(webRuntime).href)};
       web.env.wasm.numThreads = 1;
       export const Tensor = web.Tensor;
       export const InferenceSession = {
         create: async (path, options) => web.InferenceSession.create(await readFile(path), options),
       };`,
    );
  };

  it.each([
    { output: 'last_hidden_state', inputs },
    { output: 'sentence_embedding', inputs: ['input_ids'] },
  ] as const)('gives the mean of its tokens, of unit length: $output', async (table) => {
    const run = await openOnnx(await loadOnnxRuntime(webRuntime), await readFile(await writeModel(table)), {
      dimensions: 4,
      pooling: 'mean',
    });
    const vector = await run([2, 4, 6, 6, 3]);
    for (const [index, one] of unit([3, 0, 6, 5]).entries()) expect(vector[index]).toBeCloseTo(one, 6);
  });

  it('may stand for a text by its first token, and says when it is another model than its folder says', async () => {
    const runtime = await loadOnnxRuntime(webRuntime);
    const bytes = await readFile(await writeModel());
    const run = await openOnnx(runtime, bytes, { dimensions: 4, pooling: 'first' });
    expect([...(await run([4, 5, 5]))]).toEqual(unit([3, 0, 0, 1]).map(Math.fround));
    const other = await openOnnx(runtime, bytes, { dimensions: 3, pooling: 'first' });
    await expect(other([4])).rejects.toThrow('vectors of 4 numbers and not of 3');
    const strange = writeOnnxTable({ rows, inputs: ['input_ids', 'pixels'], output: 'last_hidden_state' });
    await expect(openOnnx(runtime, strange, { dimensions: 4, pooling: 'mean' })).rejects.toThrow('pixels');
  });

  it('has another id when its weights, its pooling or its tokenizer are others', async () => {
    const path = await writeModel();
    const id = findOnnxFiles(path)!.id;
    expect(id).toMatch(/^onnx:all-minilm-colours@4\+[0-9a-f]{8}$/);
    expect(findOnnxFiles(path)).toMatchObject({ id, pooling: 'mean', maxTokens: 8, languages: ['en'] });
    const ids = new Set([id]);
    await writeModel({ rows: rows.map((row) => row.map((one) => one + 1)) });
    ids.add(findOnnxFiles(path)!.id);
    await writeModel({}, 'cls');
    ids.add(findOnnxFiles(path)!.id);
    expect(findOnnxFiles(path)!.pooling).toBe('first');
    expect(ids.size).toBe(3);
    expect(findOnnxFiles(join(folder.path, 'none.onnx'))).toBeNull();
  });

  it('answers from a process, measured once, with the runtime that lies above it', async () => {
    await installRuntime();
    const files = findOnnxFiles(await writeModel())!;
    const runtime = findOnnxRuntime(files.model)!;
    expect(runtime).toContain(folder.path);
    const measured = openMeasuredModels(join(folder.path, 'embedding-models.json'));
    const parts = { measured, log: createLog('silent') };
    const embedder = createOnnxEmbedder({ files, runtime, idleMs: 60_000 }, parts);
    try {
      // A question does not wait for longer than a second for a model that has to be loaded first.
      expect(embedder.isLoading).toBe(true);
      const [first, second] = await embedder.embedPassages(['Red', 'green green'], never);
      expect(embedder.isLoading).toBe(false);
      for (const [index, one] of unit([3, 0, 0, 3]).entries()) expect(first![index]).toBeCloseTo(one, 5);
      for (const [index, one] of unit([0, 6, 0, 4]).entries()) expect(second![index]).toBeCloseTo(one, 5);
      // Of the texts that are asked about it knows no word: to this model all are the same.
      expect(embedder.unrelatedCosine).toBe(0.95);
      expect(measured.find(files.id)).toEqual({ dimensions: 4, unrelatedCosine: 0.95 });
      expect(await embedder.embedQuery('green green', never)).toEqual(second);
      await expect(embedder.embedQuery('red', AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
      embedder.unload?.();
      expect(embedder.isLoading).toBe(true);
    } finally {
      await embedder.close();
    }
  });

  it('is chosen by two settings, which say what is missing', async () => {
    const fetch = () => Promise.reject(new Error('nothing is fetched'));
    const parts = {
      clock: new ManualClock(),
      log: createLog('silent'),
      random: () => 0,
      modelsFolder: join(folder.path, 'models'),
      fetch,
      takeModelAhead: () => null,
    };
    const describeWith = async (onnxModel: string) => {
      const config = loadConfig({ data: folder.path, embedder: 'onnx', onnxModel }, {});
      const embedder = chooseEmbedder(config, parts)!;
      try {
        return await describeEmbedder(config, embedder);
      } finally {
        await embedder.close();
      }
    };
    const path = await writeModel();
    expect((await describeWith('')).problem).toContain('`onnxModel` names no sentence model');
    expect((await describeWith(join(folder.path, 'none.onnx'))).problem).toContain(
      '`onnxModel` names no sentence model',
    );
    expect((await describeWith(path)).problem).toContain('`npm install onnxruntime-node` in the folder of the model');
    await installRuntime();
    expect(await describeWith(path)).toMatchObject({ id: findOnnxFiles(path)!.id, languages: ['en'], problem: null });
  });
});
