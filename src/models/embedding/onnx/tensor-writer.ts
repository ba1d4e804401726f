import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';

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
