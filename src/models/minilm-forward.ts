import type { Address, MiniLmKernel } from './minilm-kernel.ts';
import { openTensorFile, type TensorFile } from './safetensors.ts';

/** One text's token ids in (at most `maxTokens`), its unit vector out. */
export type RunModel = (ids: readonly number[]) => Float32Array;

export interface RunOptions {
  /** Of one text; the file has as many positions. */
  maxTokens?: number;
  /** What stands for the whole text: the mean of its tokens, or the first of them. */
  pooling?: 'mean' | 'first';
  /** Told what every matrix is multiplied by: `count` rows. For choosing how weights are quantised. */
  observe?: (matrix: string, rows: Float32Array, count: number) => void;
}

const width = 384;
const innerWidth = 1_536;

/** A matrix with all that the kernel needs to multiply by it. */
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

/** Hands out the kernel's memory, piece by piece; nothing is given back. */
class Room {
  readonly #memory: WebAssembly.Memory;
  // Below are the kernel’s own few constants; address 0 means "nothing" to it.
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
 * all-MiniLM-L6-v2, or another BERT of its width: all layers that the file has, pooling and unit length. A text's vector depends
 * on nothing but its ids.
 *
 * @param modelPath the safetensors file that `scripts/export-model/quantise.py` or `quantise.ts` writes.
 */
export function openMiniLm(kernel: MiniLmKernel, modelPath: string, options: RunOptions = {}): RunModel {
  const room = new Room(kernel.memory);
  const file = openTensorFile(modelPath);
  try {
    return prepare(kernel, room, file, options);
  } finally {
    file.close();
  }
}

function prepare(
  kernel: MiniLmKernel,
  room: Room,
  file: TensorFile,
  { maxTokens = 256, pooling = 'mean', observe }: RunOptions,
): RunModel {
  const bytes = (at: Address, length: number): Uint8Array => new Uint8Array(kernel.memory.buffer, at, length);
  const load = (name: string): Address => {
    const tensor = file.find(name);
    const at = room.take(tensor.bytes);
    file.read(tensor, bytes(at, tensor.bytes), 0);
    return at;
  };
  // Of the widest matrix; packed from here, and used as room for activations later.
  const wide = room.take(Math.max(maxTokens * 4, width) * innerWidth);
  const linear = (name: string): Linear => {
    const tensor = file.find(`${name}.values`);
    const [outputs = 0, inputs = 0] = tensor.shape;
    file.read(tensor, bytes(wide, tensor.bytes), 0);
    const [weights, sums] = [room.take(tensor.bytes), room.take(outputs * 4)];
    kernel.pack(wide, weights, sums, outputs, inputs);
    const [factors, scales, bias] = [load(`${name}.inputs`), load(`${name}.scale`), load(`${name}.bias`)];
    return { name, inputs, outputs, factors, weights, sums, scales, bias };
  };
  const norm = (name: string): Norm => ({ weight: load(`${name}.norm.weight`), bias: load(`${name}.norm.bias`) });
  const layerCount = file.names.filter((name) => name.endsWith('.qkv.values')).length;
  const layers = Array.from({ length: layerCount }, (_, index): Layer => {
    const name = `layer${index}`;
    return {
      qkv: linear(`${name}.qkv`),
      attended: linear(`${name}.attended`),
      attendedNorm: norm(`${name}.attended`),
      inner: linear(`${name}.inner`),
      output: linear(`${name}.output`),
      outputNorm: norm(`${name}.output`),
    };
  });
  const [words, wordScales, positions] = [load('words.values'), load('words.scale'), load('positions')];
  const embeddedNorm = norm('embedded');

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

  /** Tokens of the text at hand. */
  let seen = 0;

  return (ids) => {
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
}
