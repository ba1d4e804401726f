import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
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

export interface TensorPlan {
  name: string;
  dtype: 'I8' | 'F32';
  shape: readonly number[];
}

/**
 * Writes a safetensors file. The plan lists all tensors; they are then written in that order, in pieces if necessary.
 */
export class TensorWriter {
  readonly #file: number;
  readonly #hash = createHash('sha256');
  #at = 0;

  constructor(path: string, plan: readonly TensorPlan[]) {
    let offset = 0;
    const entries = plan.map(({ name, dtype, shape }) => {
      const from = offset;
      offset += shape.reduce((product, size) => product * size, dtype === 'I8' ? 1 : 4);
      return [name, { dtype, shape, data_offsets: [from, offset] }] as const;
    });
    const json = JSON.stringify(Object.fromEntries(entries));
    // Pad the header, so that the tensors begin at a multiple of eight bytes.
    const header = Buffer.from(json.padEnd(Math.ceil(json.length / 8) * 8));
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(header.length));
    this.#file = openSync(path, 'w');
    this.#write(length);
    this.#write(header);
  }

  add(values: Int8Array | Float32Array): void {
    this.#write(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
  }

  close(): void {
    closeSync(this.#file);
  }

  /** Checksum of everything written, in hexadecimal. Can be called only once. */
  sha256(): string {
    return this.#hash.digest('hex');
  }

  #write(bytes: Uint8Array): void {
    this.#hash.update(bytes);
    for (let done = 0; done < bytes.length;) {
      const written = writeSync(this.#file, bytes, done, bytes.length - done, this.#at);
      done += written;
      this.#at += written;
    }
  }
}
