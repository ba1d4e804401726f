import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { z } from 'zod';

/*
 * The safetensors format: eight bytes with the header's length (little-endian), then the header (JSON with the type,
 * shape and byte range of each tensor), then the tensors' bytes.
 */

const tensor = z.object({
  dtype: z.string(),
  shape: z.array(z.int().nonnegative()),
  data_offsets: z.tuple([z.int().nonnegative(), z.int().nonnegative()]),
});
const header = z
  .record(z.string(), z.unknown())
  .transform((all) => Object.fromEntries(Object.entries(all).filter(([name]) => name !== '__metadata__')))
  .pipe(z.record(z.string(), tensor));

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

export function openTensorFile(path: string): TensorFile {
  const file = openSync(path, 'r');
  const fill = (target: Uint8Array, offset: number, length: number, position: number): void => {
    for (let done = 0; done < length;) {
      const got = readSync(file, target, offset + done, length - done, position + done);
      if (got === 0) throw new Error('the model file ends early');
      done += got;
    }
  };
  try {
    const start = new Uint8Array(8);
    fill(start, 0, 8, 0);
    const headerBytes = Number(new DataView(start.buffer).getBigUint64(0, true));
    if (headerBytes > fstatSync(file).size) throw new Error('this is no safetensors file');
    const text = new Uint8Array(headerBytes);
    fill(text, 0, headerBytes, 8);
    const tensors = header.parse(JSON.parse(new TextDecoder().decode(text)));
    return {
      names: Object.keys(tensors),
      find(name) {
        const found = tensors[name];
        if (found === undefined) throw new Error(`the model file has no ${name}`);
        const [from, to] = found.data_offsets;
        return { dtype: found.dtype, shape: found.shape, bytes: to - from, at: 8 + headerBytes + from };
      },
      read: ({ bytes, at }, target, offset) => fill(target, offset, bytes, at),
      close: () => closeSync(file),
    };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}
