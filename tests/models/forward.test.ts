import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readMiniLmFiles } from '../../src/models/embedding/minilm/files.ts';
import { openMiniLm } from '../../src/models/embedding/minilm/forward.ts';
import { openKernel } from '../../src/models/embedding/minilm/kernel.ts';
import { openTensorFile } from '../../src/models/embedding/minilm/safetensors.ts';

const { model, maxTokens } = readMiniLmFiles();
const pairs = openMiniLm(openKernel('pairs'), model);
const [cls, sep] = [101, 102];

function idsOf(count: number): number[] {
  return Array.from({ length: count }, (_, at) => {
    if (at === 0) return cls;
    return at === count - 1 ? sep : 2_000 + ((at * 1_237) % 20_000);
  });
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * b[at]!, 0);
}

test('a vector depends only on its token ids, not on earlier texts', () => {
  const fresh = openMiniLm(openKernel('pairs'), model);
  const lengths = [256, 1, 2, 3, 4, 5, 9, 100, 255, 7, 256];
  const inOrder = lengths.map((count) => pairs(idsOf(count)));
  for (const [at, count] of [...lengths.entries()].toReversed()) expect(fresh(idsOf(count))).toEqual(inOrder[at]);
});

test('every length has a unit vector', () => {
  for (let count = 1; count <= maxTokens; count += 1 + Math.floor(count / 4)) {
    expect(Math.hypot(...pairs(idsOf(count)))).toBeCloseTo(1, 5);
  }
  expect(() => pairs([])).toThrow(RangeError);
  expect(() => pairs(idsOf(257))).toThrow(RangeError);
});

test('weights are read from the file that was opened, whatever replaces it later', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commonplace-test-'));
  const path = join(folder, 'model.safetensors');
  copyFileSync(model, path);
  const run = openMiniLm(openKernel('pairs'), path);
  const before = run(idsOf(20));
  rmSync(path);
  writeFileSync(path, new Uint8Array(30_000_000));
  expect(run(idsOf(20))).toEqual(before);
  expect(run(idsOf(33))).toEqual(pairs(idsOf(33)));
  run.close();
  rmSync(folder, { recursive: true });
});

test('an unknown token id is refused', () => {
  expect(() => pairs([cls, 30_522, sep])).toThrow('the model has no word 30522');
  expect(() => pairs([cls, -1, sep])).toThrow('the model has no word -1');
  expect(pairs([cls, 30_521, sep])).toHaveLength(384);
});

test('all builds of the kernel agree, so that they may share the embedder’s id', () => {
  const [fused, plain] = [openMiniLm(openKernel('fused'), model), openMiniLm(openKernel('plain'), model)];
  for (const count of [3, 14, 40, 130]) {
    const vector = pairs(idsOf(count));
    expect(fused(idsOf(count))).toEqual(vector);
    expect(cosine(plain(idsOf(count)), vector)).toBeGreaterThan(0.995);
  }
});

test('no product of the shipped weights can overflow the 16 bits that the kernel adds in', () => {
  const file = openTensorFile(model);
  const names = file.names.filter((name) => /^layer\d\.\w+\.values$/.test(name));
  expect(names).toHaveLength(4 * 6);
  for (const name of names) {
    const tensor = file.find(name);
    const values = new Int8Array(tensor.bytes);
    file.read(tensor, new Uint8Array(values.buffer), 0);
    let [most, least] = [0, 0];
    for (let from = 0; from < values.length; from += 16) {
      // Of sixteen inputs, the pair at each of two places in all four runs of four.
      for (const place of [0, 2]) {
        let [positive, negative] = [0, 0];
        for (let at = place; at < 16; at += 4) {
          for (const value of [values[from + at]!, values[from + at + 1]!]) {
            if (value > 0) positive += value;
            else negative += value;
          }
        }
        most = Math.max(most, positive);
        least = Math.min(least, negative);
      }
    }
    expect(most * 127).toBeLessThan(2 ** 15);
    expect(least * 127).toBeGreaterThanOrEqual(-(2 ** 15));
    expect(most).toBeGreaterThan(100);
  }
  file.close();
});
