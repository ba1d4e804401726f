import type { Address, MiniLmKernel } from './kernel.ts';
import { openTensorFile, type TensorFile } from '../onnx/safetensors.ts';

/** One text's token ids in (at most `maxTokens`), its unit vector out. */
export type RunModel = (ids: readonly number[]) => Float32Array;

/** A model whose lower layers can be shared with other models. */
export interface BranchingModel {
  run: RunModel;
  /**
   * Loads upper layers that were trained for another purpose. The file's layers (`layerN…`) replace the model's own
   * from the first of them on. The model's own vectors do not change.
   */
  branch(path: string): RunModel;
}

export interface RunOptions {
  /** Maximum tokens of one text; the file has as many positions. */
  maxTokens?: number;
  /** The vector of a text: the mean of its tokens, or the first of them. */
  pooling?: 'mean' | 'first';
  /**
   * Called with the inputs of every matrix multiplication; the first `count` rows are the text's tokens. Used to choose
   * how weights are quantised.
   */
  observe?: (matrix: string, rows: Float32Array, count: number) => void;
}

const width = 384;
const innerWidth = 1_536;

/** A matrix with everything that the kernel needs to multiply by it. */
interface Linear {
  name: string;
  inputs: number;
  outputs: number;
  factors: Address;
  weights: Address;
  sums: Address;
  scales: Address;
  bias: Address;
}

interface Norm {
  weight: Address;
  bias: Address;
}

interface Layer {
  qkv: Linear;
  attended: Linear;
  attendedNorm: Norm;
  inner: Linear;
  output: Linear;
  outputNorm: Norm;
}

/** A bump allocator for the kernel's memory; nothing is freed. */
class Room {
  readonly #memory: WebAssembly.Memory;
  // The kernel’s own few constants are below this address; to the kernel, address 0 means "nothing".
  #end: Address = 1_024;

  constructor(memory: WebAssembly.Memory) {
    this.#memory = memory;
  }

  take(bytes: number): Address {
    const at = this.#end;
    this.#end = (at + bytes + 63) & ~63;
    const lacking = this.#end - this.#memory.buffer.byteLength;
    if (lacking > 0) this.#memory.grow(Math.ceil(lacking / 65_536));
    return at;
  }
}

/**
 * Opens all-MiniLM-L6-v2, or another BERT of its width: all layers in the file, pooling and normalisation to unit
 * length. A text's vector depends only on its ids.
 *
 * @param modelPath the safetensors file that `scripts/export-model/quantise.py` or `quantise.ts` writes.
 */
export function openMiniLm(kernel: MiniLmKernel, modelPath: string, options: RunOptions = {}): RunModel {
  return openBranchingMiniLm(kernel, modelPath, options).run;
}

/**
 * Like `openMiniLm`, but its layers can be shared. All runs use the same memory; they are synchronous, so they never
 * overlap.
 */
export function openBranchingMiniLm(kernel: MiniLmKernel, modelPath: string, options: RunOptions = {}): BranchingModel {
  const room = new Room(kernel.memory);
  return withTensorFile(modelPath, (file) => prepare(kernel, room, file, options));
}

function withTensorFile<T>(path: string, use: (file: TensorFile) => T): T {
  const file = openTensorFile(path);
  try {
    return use(file);
  } finally {
    file.close();
  }
}

function prepare(
  kernel: MiniLmKernel,
  room: Room,
  modelFile: TensorFile,
  { maxTokens = 256, pooling = 'mean', observe }: RunOptions,
): BranchingModel {
  const bytes = (at: Address, length: number): Uint8Array => new Uint8Array(kernel.memory.buffer, at, length);
  const load = (file: TensorFile, name: string): Address => {
    const tensor = file.find(name);
    const at = room.take(tensor.bytes);
    file.read(tensor, bytes(at, tensor.bytes), 0);
    return at;
  };
  // Buffer for the widest matrix: matrices are packed from here while loading; later it holds activations.
  const wide = room.take(Math.max(maxTokens * 4, width) * innerWidth);
  const linear = (file: TensorFile, name: string): Linear => {
    const tensor = file.find(`${name}.values`);
    const [outputs = 0, inputs = 0] = tensor.shape;
    file.read(tensor, bytes(wide, tensor.bytes), 0);
    const [weights, sums] = [room.take(tensor.bytes), room.take(outputs * 4)];
    kernel.pack(wide, weights, sums, outputs, inputs);
    const [factors, scales] = [load(file, `${name}.inputs`), load(file, `${name}.scale`)];
    const bias = load(file, `${name}.bias`);
    return { name, inputs, outputs, factors, weights, sums, scales, bias };
  };
  const norm = (file: TensorFile, name: string): Norm => ({
    weight: load(file, `${name}.norm.weight`),
    bias: load(file, `${name}.norm.bias`),
  });
  const layerOf = (file: TensorFile, name: string): Layer => ({
    qkv: linear(file, `${name}.qkv`),
    attended: linear(file, `${name}.attended`),
    attendedNorm: norm(file, `${name}.attended`),
    inner: linear(file, `${name}.inner`),
    output: linear(file, `${name}.output`),
    outputNorm: norm(file, `${name}.output`),
  });
  const own = layerNames(modelFile).map((name) => layerOf(modelFile, name));
  const [words, wordScales] = [load(modelFile, 'words.values'), load(modelFile, 'words.scale')];
  const positions = load(modelFile, 'positions');
  const embeddedNorm = norm(modelFile, 'embedded');

  const x = room.take(maxTokens * width * 4);
  const narrow = room.take(maxTokens * width * 4);
  const quantised = room.take(maxTokens * innerWidth);
  const rowScales = room.take(maxTokens * 4);
  const zeros = room.take(maxTokens * 4);
  const attention = room.take(80 * maxTokens + 256);
  const idsAt = room.take(maxTokens * 4);
  const result = room.take(width * 4);

  const multiply = (input: Address, by: Linear, output: Address, rows: number): void => {
    observe?.(by.name, new Float32Array(kernel.memory.buffer, input, rows * by.inputs), seen);
    kernel.quantise(input, by.factors, quantised, rowScales, zeros, rows, by.inputs);
    kernel.linear(
      quantised,
      rowScales,
      zeros,
      by.weights,
      by.sums,
      by.scales,
      by.bias,
      output,
      rows,
      by.inputs,
      by.outputs,
    );
  };

  /** Number of tokens of the current text. */
  let seen = 0;

  const runThrough = (layers: readonly Layer[], ids: readonly number[]): Float32Array => {
    const count = ids.length;
    seen = count;
    if (count === 0 || count > maxTokens)
      throw new RangeError(`the model takes 1 to ${maxTokens} tokens, not ${count}`);
    const rows = (count + 3) & ~3;
    new Int32Array(kernel.memory.buffer, idsAt, count).set(ids);
    kernel.embed(idsAt, words, wordScales, positions, x, count);
    kernel.addAndNorm(x, 0, embeddedNorm.weight, embeddedNorm.bias, rows);
    for (const layer of layers) {
      multiply(x, layer.qkv, wide, rows);
      kernel.attend(wide, attention, narrow, count, rows);
      multiply(narrow, layer.attended, wide, rows);
      kernel.addAndNorm(x, wide, layer.attendedNorm.weight, layer.attendedNorm.bias, rows);
      multiply(x, layer.inner, wide, rows);
      kernel.gelu(wide, rows * innerWidth);
      multiply(wide, layer.output, narrow, rows);
      kernel.addAndNorm(x, narrow, layer.outputNorm.weight, layer.outputNorm.bias, rows);
    }
    kernel.pool(x, result, pooling === 'first' ? 1 : count);
    return new Float32Array(kernel.memory.buffer, result, width).slice();
  };
  return {
    run: (ids) => runThrough(own, ids),
    branch: (path) =>
      withTensorFile(path, (file) => {
        const names = layerNames(file);
        const layers = [...own.slice(0, Number(names[0]?.slice(5))), ...names.map((name) => layerOf(file, name))];
        return (ids) => runThrough(layers, ids);
      }),
  };
}

/** The names of the file's layers (`layer0`, `layer1` …), in order. */
function layerNames({ names }: TensorFile): string[] {
  const layers = names.flatMap((name) => /^layer(\d+)\.qkv\.values$/.exec(name)?.[1] ?? []);
  return layers.toSorted((x, y) => Number(x) - Number(y)).map((layer) => `layer${layer}`);
}
