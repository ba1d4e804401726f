import { openTensorFile } from './safetensors.ts';

/**
 * The published weights of a BERT, in any supported precision (F32, F16, BF16) and with any prefix before their names.
 */
export interface FloatWeights {
  readonly layers: number;
  shape(name: string): readonly number[];
  /** Reads rows `from` to `to` (exclusive) of a matrix, by default all. */
  read(name: string, from?: number, to?: number): Float32Array;
  close(): void;
}

const firstName = 'embeddings.word_embeddings.weight';
const bytesOf: Readonly<Record<string, number>> = { F32: 4, F16: 2, BF16: 2 };

export function openFloatWeights(path: string): FloatWeights {
  const file = openTensorFile(path);
  const prefix = file.names.find((name) => name.endsWith(firstName))?.slice(0, -firstName.length) ?? '';
  const layerNames = new Set(file.names.flatMap((name) => /encoder\.layer\.(\d+)\./.exec(name)?.[1] ?? []));
  return {
    layers: layerNames.size,
    shape: (name) => file.find(prefix + name).shape,
    read(name, from = 0, to = Number.POSITIVE_INFINITY) {
      const { dtype, shape, at } = file.find(prefix + name);
      const size = bytesOf[dtype];
      if (size === undefined) throw new Error(`weights of the type ${dtype} are not read`);
      const [rows = 1, ...rest] = shape;
      const width = rest.reduce((product, one) => product * one, 1);
      const count = (Math.min(to, rows) - from) * width;
      const bytes = new Uint8Array(count * size);
      file.read({ bytes: bytes.length, at: at + from * width * size }, bytes, 0);
      if (dtype === 'F32') return new Float32Array(bytes.buffer);
      const halves = new Uint16Array(bytes.buffer);
      return Float32Array.from(halves, dtype === 'F16' ? floatOfHalf : floatOfBrain);
    },
    close: () => file.close(),
  };
}

/** IEEE 754 binary16. */
function floatOfHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1_023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1_024) * 2 ** (exponent - 15);
}

const word = new DataView(new ArrayBuffer(4));

/** bfloat16: the upper half of a float32. */
function floatOfBrain(bits: number): number {
  word.setUint32(0, bits << 16);
  return word.getFloat32(0);
}
