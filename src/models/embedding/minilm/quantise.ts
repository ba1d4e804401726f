import { openTensorFile, TensorWriter, type TensorPlan } from './safetensors.ts';

/*
 * Converts a BERT's published weights to the format that the kernel reads (kernels/minilm.ts), as
 * scripts/export-model/quantise.py does for the model in the package. Matrices become signed bytes with a scale for
 * each output, small enough that no sum of eight products overflows 16 bits. Word vectors have a scale for each word;
 * everything else stays float.
 */

/** The dimensions that the kernel supports; other models are refused. */
const width = 384;
const innerWidth = 1_536;
const headWidth = 32;
/**
 * Maximum magnitude of the sum of eight quantised weights: activations go up to 127, and the sum of eight products must
 * fit into 16 bits. Rounding may add half a step for each weight, 4 in all.
 */
const maxTogether = (2 ** 15 - 1) / 127 - 4;
const wordsAtOnce = 8_192;

export interface QuantiseOptions {
  /** The number of position vectors to keep. */
  maxTokens: number;
  onProgress?: (share: number) => void;
}

interface Matrix {
  name: string;
  /** Names in the published file; their outputs are concatenated in this order. */
  sources: readonly string[];
  inputs: number;
  outputs: number;
}

/**
 * Writes the quantised model and returns the new file's checksum (SHA-256, hexadecimal). Yields to the event loop after
 * each part.
 * @throws when the weights do not have the shape that the kernel runs
 */
export async function quantiseModel(source: string, target: string, options: QuantiseOptions): Promise<string> {
  const weights = openFloatWeights(source);
  try {
    const vocabulary = checkShape(weights, options.maxTokens);
    const matrices = Array.from({ length: weights.layers }, (_, layer) => matricesOf(layer)).flat();
    const norms = normsOf(weights.layers);
    const writer = new TensorWriter(target, planOf(matrices, norms, vocabulary, options.maxTokens));
    try {
      await writeWords(weights, writer, vocabulary);
      writer.add(positionsOf(weights, options.maxTokens));
      for (const [index, matrix] of matrices.entries()) {
        writeMatrix(weights, writer, matrix);
        options.onProgress?.((index + 1) / matrices.length);
        await turn();
      }
      for (const [, norm] of norms) {
        writer.add(weights.read(`${norm}.weight`));
        writer.add(weights.read(`${norm}.bias`));
      }
      return writer.sha256();
    } finally {
      writer.close();
    }
  } finally {
    weights.close();
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function checkShape(weights: FloatWeights, maxTokens: number): number {
  const [vocabulary = 0, words] = weights.shape('embeddings.word_embeddings.weight');
  const [positions = 0] = weights.shape('embeddings.position_embeddings.weight');
  const [inner] = weights.layers === 0 ? [0] : weights.shape('encoder.layer.0.intermediate.dense.weight');
  if (words !== width || inner !== innerWidth || positions < maxTokens) {
    throw new Error(`the kernel runs models of ${width} and ${innerWidth} numbers and ${maxTokens} positions`);
  }
  return vocabulary;
}

function matricesOf(layer: number): Matrix[] {
  const [from, to] = [`encoder.layer.${layer}`, `layer${layer}`];
  const attention = ['query', 'key', 'value'].map((part) => `${from}.attention.self.${part}`);
  return [
    { name: `${to}.qkv`, sources: attention, inputs: width, outputs: 3 * width },
    { name: `${to}.attended`, sources: [`${from}.attention.output.dense`], inputs: width, outputs: width },
    { name: `${to}.inner`, sources: [`${from}.intermediate.dense`], inputs: width, outputs: innerWidth },
    { name: `${to}.output`, sources: [`${from}.output.dense`], inputs: innerWidth, outputs: width },
  ];
}

/** Pairs of the name in the new file and the name in the published one. */
function normsOf(layers: number): (readonly [string, string])[] {
  return [
    ['embedded', 'embeddings.LayerNorm'],
    ...Array.from({ length: layers }, (_, layer) => [
      [`layer${layer}.attended`, `encoder.layer.${layer}.attention.output.LayerNorm`] as const,
      [`layer${layer}.output`, `encoder.layer.${layer}.output.LayerNorm`] as const,
    ]).flat(),
  ];
}

/** The tensors in the order in which they are written. */
function planOf(
  matrices: readonly Matrix[],
  norms: readonly (readonly [string, string])[],
  vocabulary: number,
  maxTokens: number,
): TensorPlan[] {
  return [
    { name: 'words.values', dtype: 'I8', shape: [vocabulary, width] },
    { name: 'words.scale', dtype: 'F32', shape: [vocabulary] },
    { name: 'positions', dtype: 'F32', shape: [maxTokens, width] },
    ...matrices.flatMap(({ name, inputs, outputs }): TensorPlan[] => [
      { name: `${name}.values`, dtype: 'I8', shape: [outputs, inputs] },
      { name: `${name}.scale`, dtype: 'F32', shape: [outputs] },
      { name: `${name}.bias`, dtype: 'F32', shape: [outputs] },
      { name: `${name}.inputs`, dtype: 'F32', shape: [inputs] },
    ]),
    ...norms.flatMap(([name]): TensorPlan[] => [
      { name: `${name}.norm.weight`, dtype: 'F32', shape: [width] },
      { name: `${name}.norm.bias`, dtype: 'F32', shape: [width] },
    ]),
  ];
}

/** A quarter of a million word vectors are 384 MB as floats, so they are converted in parts. */
async function writeWords(weights: FloatWeights, writer: TensorWriter, vocabulary: number): Promise<void> {
  const scales = new Float32Array(vocabulary);
  for (let from = 0; from < vocabulary; from += wordsAtOnce) {
    const part = weights.read('embeddings.word_embeddings.weight', from, from + wordsAtOnce);
    const values = new Int8Array(part.length);
    for (let row = 0; row * width < part.length; row += 1) {
      scales[from + row] = quantiseRow(part.subarray(row * width, (row + 1) * width), values, row * width, 0);
    }
    writer.add(values);
    await turn();
  }
  writer.add(scales);
}

/** Token types are always 0, so their vector is added to every position. */
function positionsOf(weights: FloatWeights, maxTokens: number): Float32Array {
  const positions = weights.read('embeddings.position_embeddings.weight', 0, maxTokens);
  const type = weights.read('embeddings.token_type_embeddings.weight', 0, 1);
  return positions.map((value, at) => value + (type[at % width] ?? 0));
}

function writeMatrix(weights: FloatWeights, writer: TensorWriter, matrix: Matrix): void {
  const { inputs, outputs, sources } = matrix;
  const values = new Int8Array(inputs * outputs);
  const scales = new Float32Array(outputs);
  const bias = new Float32Array(outputs);
  let output = 0;
  for (const [position, source] of sources.entries()) {
    // Attention divides scores by √(head width); the query weights include that factor.
    const share = sources.length === 3 && position === 0 ? 1 / Math.sqrt(headWidth) : 1;
    const given = weights.read(`${source}.weight`);
    const ownBias = weights.read(`${source}.bias`);
    for (let row = 0; row < ownBias.length; row += 1, output += 1) {
      const weightRow = given.subarray(row * inputs, (row + 1) * inputs);
      for (let input = 0; input < inputs; input += 1) {
        weightRow[input] = (weightRow[input] ?? 0) * share;
      }
      const minScale = maxOfEight(weightRow) / maxTogether;
      scales[output] = quantiseRow(weightRow, values, output * inputs, minScale);
      bias[output] = (ownBias[row] ?? 0) * share;
    }
  }
  writer.add(values);
  writer.add(scales);
  writer.add(bias);
  // The model in the package divides its inputs by factors first.
  writer.add(new Float32Array(inputs).fill(1));
}

/** Writes a row as bytes with the smallest scale that fits it, but at least `minScale`; returns the scale. */
function quantiseRow(row: Float32Array, values: Int8Array, at: number, minScale: number): number {
  let largest = 0;
  for (const value of row) largest = Math.max(largest, Math.abs(value));
  const scale = Math.fround(Math.max(largest / 127, minScale)) || 1;
  for (let index = 0; index < row.length; index += 1) values[at + index] = Math.round((row[index] ?? 0) / scale);
  return scale;
}

/**
 * The largest sum of same-sign magnitudes among the eight weights that the kernel adds in 16 bits. Of sixteen
 * consecutive inputs, these are the first pairs of all four runs of four, or the second pairs.
 */
function maxOfEight(row: Float32Array): number {
  let most = 0;
  for (let from = 0; from < row.length; from += 16) {
    for (let place = from; place < from + 4; place += 2) {
      let [positive, negative] = [0, 0];
      for (let at = place; at < from + 16; at += 4) {
        for (const value of [row[at] ?? 0, row[at + 1] ?? 0]) {
          if (value > 0) positive += value;
          else negative -= value;
        }
      }
      most = Math.max(most, positive, negative);
    }
  }
  return most;
}

/** The published weights of a BERT, with any prefix before their names. */
interface FloatWeights {
  readonly layers: number;
  shape(name: string): readonly number[];
  /** Reads rows `from` to `to` (exclusive) of a matrix, by default all. */
  read(name: string, from?: number, to?: number): Float32Array;
  close(): void;
}

const firstName = 'embeddings.word_embeddings.weight';

function openFloatWeights(path: string): FloatWeights {
  const file = openTensorFile(path);
  const prefix = file.names.find((name) => name.endsWith(firstName))?.slice(0, -firstName.length) ?? '';
  const layerNames = new Set(file.names.flatMap((name) => /encoder\.layer\.(\d+)\./.exec(name)?.[1] ?? []));
  return {
    layers: layerNames.size,
    shape: (name) => file.find(prefix + name).shape,
    read(name, from = 0, to = Number.POSITIVE_INFINITY) {
      const { dtype, shape, at } = file.find(prefix + name);
      if (dtype !== 'F32') throw new Error(`weights of the type ${dtype} are not read`);
      const [rows = 1, ...rest] = shape;
      const rowBytes = rest.reduce((product, one) => product * one, 4);
      const bytes = new Uint8Array((Math.min(to, rows) - from) * rowBytes);
      file.read({ bytes: bytes.length, at: at + from * rowBytes }, bytes, 0);
      return new Float32Array(bytes.buffer);
    },
    close: () => file.close(),
  };
}
