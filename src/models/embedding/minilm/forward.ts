import { closeSync, openSync } from 'node:fs';
import type { Address, MiniLmKernel } from './kernel.ts';
import { openTensorFile, readFully, type TensorFile } from './safetensors.ts';

/** One text's token ids in (at most `maxTokens`), its unit vector out. */
export type RunModel = (ids: readonly number[]) => Float32Array;

/** A model that other threads can run, too. */
export interface SharedModel {
  run: RunModel;
  readonly placed: PlacedModel;
  /** Takes memory for the runs of one more thread. */
  takeBuffers(): RunBuffers;
  /** Closes the model's file. Nothing can be run afterwards. */
  close(): void;
}

export interface RunOptions {
  /** Maximum tokens of one text; the file has as many positions. */
  maxTokens?: number;
  /** The vector of a text: the mean of its tokens, or the first of them. */
  pooling?: 'mean' | 'first';
}

const width = 384;
const innerWidth = 1_536;

/** A matrix with everything that the kernel needs to multiply by it. */
interface Linear {
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

/** Addresses of one layer. */
interface Layer {
  qkv: Linear;
  attended: Linear;
  attendedNorm: Norm;
  inner: Linear;
  output: Linear;
  outputNorm: Norm;
}

/**
 * The vectors of words, in the model's open file: `count` rows of int8, from byte `at` on. All of them take 12 MB, and 96 in a
 * multilingual model; a text needs at most 256 rows, and reading those takes a hundredth of its time.
 */
interface WordRows {
  /** File descriptor, which is valid in all threads of the process. */
  file: number;
  at: number;
  count: number;
  /** Bytes of a row. */
  width: number;
  /** Of one float32 for each row, in the kernel's memory. */
  scales: Address;
}

/** Addresses of the memory for one text: its rows, their scales, and for each of its tokens the place of its row. */
interface RowBuffers {
  words: Address;
  wordScales: Address;
  ids: Address;
}

/** The place of a model in the kernel's memory. It is plain data, which other threads that share the memory can be sent. */
export interface PlacedModel {
  layers: readonly Layer[];
  words: WordRows;
  positions: Address;
  embeddedNorm: Norm;
  maxTokens: number;
  pooling: 'mean' | 'first';
}

/** Addresses of the memory that a run needs for itself: what the text becomes on its way through the layers. */
export interface RunBuffers extends RowBuffers {
  /** For the output of the widest matrix. */
  wide: Address;
  x: Address;
  narrow: Address;
  quantised: Address;
  rowScales: Address;
  zeros: Address;
  attention: Address;
  result: Address;
}

function takeBuffers(allocator: BumpAllocator, maxTokens: number): RunBuffers {
  return {
    wide: allocator.take(Math.max(maxTokens * 4, width) * innerWidth),
    x: allocator.take(maxTokens * width * 4),
    narrow: allocator.take(maxTokens * width * 4),
    quantised: allocator.take(maxTokens * innerWidth),
    rowScales: allocator.take(maxTokens * 4),
    zeros: allocator.take(maxTokens * 4),
    attention: allocator.take(80 * maxTokens + 256),
    ids: allocator.take(maxTokens * 4),
    words: allocator.take(maxTokens * width),
    wordScales: allocator.take(maxTokens * 4),
    result: allocator.take(width * 4),
  };
}

/** A bump allocator for the kernel's memory; nothing is freed. */
class BumpAllocator {
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
export function openMiniLm(
  kernel: MiniLmKernel,
  modelPath: string,
  options: RunOptions = {},
): RunModel & Pick<SharedModel, 'close'> {
  const { run, close } = openSharedMiniLm(kernel, modelPath, options);
  return Object.assign(run, { close });
}

/**
 * Like `openMiniLm`, but other threads can run it. All runs use the same memory; they are synchronous, so they never
 * overlap.
 */
export function openSharedMiniLm(kernel: MiniLmKernel, modelPath: string, options: RunOptions = {}): SharedModel {
  const allocator = new BumpAllocator(kernel.memory);
  const words = openSync(modelPath, 'r');
  try {
    return withTensorFile(modelPath, (file) => prepare(kernel, allocator, file, words, options));
  } catch (error) {
    closeSync(words);
    throw error;
  }
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
  allocator: BumpAllocator,
  modelFile: TensorFile,
  wordsFile: number,
  { maxTokens = 256, pooling = 'mean' }: RunOptions,
): SharedModel {
  const bytes = (at: Address, length: number): Uint8Array => new Uint8Array(kernel.memory.buffer, at, length);
  const load = (file: TensorFile, name: string): Address => {
    const tensor = file.find(name);
    const at = allocator.take(tensor.bytes);
    file.read(tensor, bytes(at, tensor.bytes), 0);
    return at;
  };
  const buffers = takeBuffers(allocator, maxTokens);
  // Matrices are packed from here while they are loaded.
  const { wide } = buffers;
  const linear = (file: TensorFile, name: string): Linear => {
    const tensor = file.find(`${name}.values`);
    const [outputs = 0, inputs = 0] = tensor.shape;
    file.read(tensor, bytes(wide, tensor.bytes), 0);
    const [weights, sums] = [allocator.take(tensor.bytes), allocator.take(outputs * 4)];
    kernel.pack(wide, weights, sums, outputs, inputs);
    const [factors, scales] = [load(file, `${name}.inputs`), load(file, `${name}.scale`)];
    const bias = load(file, `${name}.bias`);
    return { inputs, outputs, factors, weights, sums, scales, bias };
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
  const layers = layerNames(modelFile).map((name) => layerOf(modelFile, name));
  const rows = modelFile.find('words.values');
  const scales = load(modelFile, 'words.scale');
  const words = { file: wordsFile, at: rows.at, count: rows.bytes / width, width, scales };
  const positions = load(modelFile, 'positions');
  const embeddedNorm = norm(modelFile, 'embedded');

  const placed: PlacedModel = { layers, words, positions, embeddedNorm, maxTokens, pooling };
  return {
    run: openPlacedModel(kernel, placed, buffers),
    placed,
    takeBuffers: () => takeBuffers(allocator, maxTokens),
    close: () => closeSync(wordsFile),
  };
}

/** Opens a model that is already in the kernel's memory. Several threads may run it at once, each with its own buffers. */
export function openPlacedModel(
  kernel: MiniLmKernel,
  { layers, words, positions, embeddedNorm, maxTokens, pooling }: PlacedModel,
  buffers: RunBuffers,
): RunModel {
  const { wide, x, narrow, quantised, rowScales, zeros, attention } = buffers;
  const multiply = (input: Address, by: Linear, output: Address, rows: number): void => {
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

  return (ids) => {
    const count = ids.length;
    if (count === 0 || count > maxTokens)
      throw new RangeError(`the model takes 1 to ${maxTokens} tokens, not ${count}`);
    const rows = (count + 3) & ~3;
    readRows(words, ids, kernel.memory.buffer, buffers);
    kernel.embed(buffers.ids, buffers.words, buffers.wordScales, positions, x, count);
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
    kernel.pool(x, buffers.result, pooling === 'first' ? 1 : count);
    return new Float32Array(kernel.memory.buffer, buffers.result, width).slice();
  };
}

/** The names of the file's layers (`layer0`, `layer1` …), in order. */
function layerNames({ names }: TensorFile): string[] {
  const layers = names.flatMap((name) => /^layer(\d+)\.qkv\.values$/.exec(name)?.[1] ?? []);
  return layers.toSorted((x, y) => Number(x) - Number(y)).map((layer) => `layer${layer}`);
}

/**
 * Reads the rows that a text needs, each once.
 * @throws {RangeError} when the model has no such word
 */
function readRows(rows: WordRows, ids: readonly number[], memory: ArrayBufferLike, buffers: RowBuffers): void {
  const { width } = rows;
  const scaleOf = new Float32Array(memory, rows.scales, rows.count);
  const target = new Uint8Array(memory, buffers.words, ids.length * width);
  const scales = new Float32Array(memory, buffers.wordScales, ids.length);
  const places = new Int32Array(memory, buffers.ids, ids.length);
  const known = new Map<number, number>();
  for (const [at, id] of ids.entries()) {
    let place = known.get(id);
    if (place === undefined) {
      const scale = scaleOf[id];
      if (scale === undefined) throw new RangeError(`the model has no word ${id}`);
      place = known.size;
      readFully(rows.file, target, place * width, width, rows.at + id * width);
      scales[place] = scale;
      known.set(id, place);
    }
    places[at] = place;
  }
}
