import { readFully } from '../onnx/safetensors.ts';
import type { Address } from './kernel.ts';

/**
 * The vectors of words, in the model's open file: `count` rows of int8, from byte `at` on. All of them take 12 MB, and 96 in a
 * multilingual model; a text needs at most 256 rows, and reading those takes a hundredth of its time.
 */
export interface WordRows {
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
export interface RowBuffers {
  words: Address;
  wordScales: Address;
  ids: Address;
}

/**
 * Reads the rows that a text needs, each once.
 * @throws {RangeError} when the model has no such word
 */
export function readRows(rows: WordRows, ids: readonly number[], memory: ArrayBufferLike, buffers: RowBuffers): void {
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
