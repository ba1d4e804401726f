import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { importOnnxRuntimeNode, tryNative } from '../../src/models/native-runtime.ts';
import type { OnnxRuntime } from '../../src/models/onnx-session.ts';
import { readMiniLmFiles } from '../../src/models/minilm-files.ts';

const files = readMiniLmFiles();
const golden: { text: string; int8: number[] }[] = JSON.parse(readFileSync(files.golden, 'utf8'));

/** A runtime whose answers are the known vectors, in their order, after `change`. */
function madeUpRuntime(change: (vector: number[]) => number[]): OnnxRuntime {
  let asked = 0;
  class Tensor {
    readonly dims: readonly number[];
    constructor(_type: string, _data: BigInt64Array, dims: readonly number[]) {
      this.dims = dims;
    }
  }
  const run = async (): Promise<object> => {
    const { int8 } = golden[asked % golden.length]!;
    asked += 1;
    return { sentence_embedding: { data: Float32Array.from(change(int8.map((value) => value / 1_000))) } };
  };
  const made: unknown = { Tensor, InferenceSession: { create: async () => ({ run }) } };
  return made as OnnxRuntime;
}

const encode = (): number[] => [101, 102];

test('the package itself has no onnxruntime-node', async () => {
  expect(await tryNative(importOnnxRuntimeNode, files, encode)).toEqual({ kind: 'absent' });
});

test('a runtime that gives the known vectors is used', async () => {
  const outcome = await tryNative(async () => madeUpRuntime((vector) => vector), files, encode);
  expect(outcome.kind).toBe('agrees');
});

test('a runtime that gives other vectors is refused', async () => {
  const shifted = await tryNative(
    async () => madeUpRuntime((vector) => vector.map((value) => value + 0.01)),
    files,
    encode,
  );
  expect(shifted).toMatchObject({ kind: 'refused', reason: expect.any(Error) });
  const short = await tryNative(async () => madeUpRuntime((vector) => vector.slice(1)), files, encode);
  expect(short.kind).toBe('refused');
});

test('a runtime that cannot be loaded or breaks is refused, not fatal', async () => {
  const broken = await tryNative(() => Promise.reject(new Error('no such binding')), files, encode);
  expect(broken).toMatchObject({ kind: 'refused', reason: { message: 'no such binding' } });
});
