import type { ScanKernel, SharedMemory } from './kernel-interface.ts';

const queryAt = 32;
const keysAt = 16;

/** `kernels/scan.ts` in JavaScript: same memory, same results, some ten times slower. */
export function createPlainKernel(memory: SharedMemory): ScanKernel {
  const asFloat = new Float32Array(1);
  const asBits = new Int32Array(asFloat.buffer);
  /** A float's bits, changed so that they compare as unsigned integers. */
  const keyOf = (score: number): number => {
    asFloat[0] = score;
    const bits = asBits[0] ?? 0;
    return bits ^ ((bits >> 31) | 0x80000000);
  };

  const keepBest = (top: number): void => {
    const [wanted = 0, filled = 0] = new Int32Array(memory.buffer, top, 2);
    if (filled <= wanted) return;
    const keys = new BigUint64Array(memory.buffer, top + keysAt, filled);
    keys.set(BigUint64Array.from(keys).sort().reverse());
    new Int32Array(memory.buffer, top, 2)[1] = wanted;
  };

  const put = (top: number, row: number, score: number): void => {
    const state = new Int32Array(memory.buffer, top, 4);
    const [wanted = 0, filled = 0] = state;
    const keys = new Uint32Array(memory.buffer, top + keysAt, 4 * wanted);
    keys[2 * filled] = ~row;
    keys[2 * filled + 1] = keyOf(score);
    state[1] = filled + 1;
    if (filled + 1 < 2 * wanted) return;
    keepBest(top);
    const least = keys[2 * wanted - 1] ?? 0;
    state[2] = least & 0x80000000 ? least ^ 0x80000000 : ~least;
  };

  return {
    scan(rows, factors, mask, first, count, width, query, top) {
      const components = new Int8Array(memory.buffer, query + queryAt, width);
      const bytes = new Int8Array(memory.buffer, rows, count * width);
      const scales = new Float32Array(memory.buffer, factors, count);
      const wanted = mask === 0 ? null : new Uint8Array(memory.buffer, mask, count);
      const least = new Float32Array(memory.buffer, top + 8, 1);
      for (let row = 0, at = 0; row < count; row += 1, at += width) {
        if (wanted?.[row] === 0) continue;
        let product = 0;
        for (let column = 0; column < width; column += 1) {
          product += (bytes[at + column] ?? 0) * (components[column] ?? 0);
        }
        const score = Math.fround(Math.fround(product) * (scales[row] ?? 0));
        if (score > (least[0] ?? 0)) put(top, first + row, score);
      }
    },
    refine(found, blocks, blockBytes, width, query, top) {
      const fine = new Int16Array(memory.buffer, query + queryAt + 3 * width, width);
      const count = new Int32Array(memory.buffer, found, 2)[1] ?? 0;
      const keys = new Uint32Array(memory.buffer, found + keysAt, 2 * count);
      const least = new Float32Array(memory.buffer, top + 8, 1);
      for (let at = 0; at < count; at += 1) {
        const row = ~(keys[2 * at] ?? 0) >>> 0;
        const block = blocks + (row >> 12) * blockBytes;
        const bytes = new Int8Array(memory.buffer, block + (row & 4095) * width, width);
        const [factor = 0] = new Float32Array(memory.buffer, block + 4096 * width + (row & 4095) * 4, 1);
        let product = 0;
        for (let column = 0; column < width; column += 1) product += (bytes[column] ?? 0) * (fine[column] ?? 0);
        const score = Math.fround(Math.fround(product) * factor);
        if (score > (least[0] ?? 0)) put(top, row, score);
      }
    },
    finish: keepBest,
    measure(rows, factors, count, width) {
      const bytes = new Int8Array(memory.buffer, rows, count * width);
      const scales = new Float32Array(memory.buffer, factors, count);
      for (let row = 0; row < count; row += 1) {
        const squares = bytes.subarray(row * width, (row + 1) * width).reduce((sum, byte) => sum + byte * byte, 0);
        scales[row] = squares === 0 ? 0 : 1 / Math.sqrt(squares);
      }
    },
  };
}
