import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { type JsonObject, requireObject, requireRight } from '../model-json.ts';

/*
 * The safetensors format: eight bytes with the header's length (little-endian), then the header (JSON with the type,
 * shape and byte range of each tensor), then the tensors' bytes.
 */

interface Tensor {
  /** `I8`, `F32`, `F16` … */
  dtype: string;
  shape: readonly number[];
  bytes: number;
  /** Byte offset in the file. */
  at: number;
}

/** An open file of tensors; call `close` when done. */
export interface TensorFile {
  readonly names: readonly string[];
  /** @throws when there is no such tensor */
  find(name: string): Tensor;
  /** Reads a tensor's bytes into `target` at `offset`, without an intermediate copy. */
  read(tensor: Pick<Tensor, 'bytes' | 'at'>, target: Uint8Array, offset: number): void;
  close(): void;
}

const isSize = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const areSizes = (value: unknown): value is number[] => Array.isArray(value) && value.every(isSize);

/** @param start of the tensors' bytes in the file */
function tensorsOf(json: unknown, start: number): Map<string, Tensor> {
  const { __metadata__: _metadata, ...described } = requireObject(json, 'the header of the model file');
  return new Map(
    Object.entries(described).map(([name, value]) => {
      const { dtype, shape, data_offsets: offsets }: JsonObject = requireObject(value, name);
      requireRight(typeof dtype === 'string' && areSizes(shape) && areSizes(offsets) && offsets.length === 2, name);
      const [from = 0, to = 0] = offsets;
      return [name, { dtype, shape, bytes: to - from, at: start + from }];
    }),
  );
}

/** Fills `length` bytes of `target` from `offset` on with those of an open file from `position` on. */
export function readFully(file: number, target: Uint8Array, offset: number, length: number, position: number): void {
  for (let done = 0; done < length;) {
    const got = readSync(file, target, offset + done, length - done, position + done);
    if (got === 0) throw new Error('the model file ends early');
    done += got;
  }
}

export function openTensorFile(path: string): TensorFile {
  const file = openSync(path, 'r');
  const fill = (target: Uint8Array, offset: number, length: number, position: number): void =>
    readFully(file, target, offset, length, position);
  try {
    const start = new Uint8Array(8);
    fill(start, 0, 8, 0);
    const headerBytes = Number(new DataView(start.buffer).getBigUint64(0, true));
    if (headerBytes > fstatSync(file).size) throw new Error('this is no safetensors file');
    const text = new Uint8Array(headerBytes);
    fill(text, 0, headerBytes, 8);
    const tensors = tensorsOf(JSON.parse(new TextDecoder().decode(text)), 8 + headerBytes);
    return {
      names: [...tensors.keys()],
      find(name) {
        const found = tensors.get(name);
        if (found === undefined) throw new Error(`the model file has no ${name}`);
        return found;
      },
      read: ({ bytes, at }, target, offset) => fill(target, offset, bytes, at),
      close: () => closeSync(file),
    };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}
