import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { createLog } from '../../src/workers/log.ts';
import { createMiniLm } from '../../src/models/embedding/minilm/minilm.ts';

const assets = new URL('../../assets/all-MiniLM-L6-v2/', import.meta.url);
/**
 * What the original model says of 200 texts: int16 in base64, in 1/32767 (scripts/export-model/export.py). Every fifth serves
 * here; bench/embed.ts asks all.
 */
const golden: { text: string; vector: string }[] = JSON.parse(
  readFileSync(new URL('../fixtures/minilm/golden.json', import.meta.url), 'utf8'),
);
const manifest: { files: Record<string, { bytes: number; sha256: string }> } = JSON.parse(
  readFileSync(new URL('manifest.json', assets), 'utf8'),
);

const never = new AbortController().signal;
const embedder = createMiniLm({ idleMs: 60_000, log: createLog('silent') });
afterAll(() => embedder.close());

function length(vector: ArrayLike<number>): number {
  return Math.sqrt(dot(vector, vector));
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Array.from(a).reduce((sum, x, index) => sum + x * b[index]!, 0);
}

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return dot(a, b) / (length(a) * length(b));
}

test.each(Object.entries(manifest.files))('%s matches the checksum in the manifest', (name, { bytes, sha256 }) => {
  const content = readFileSync(new URL(name, assets));
  expect(content).toHaveLength(bytes);
  expect(createHash('sha256').update(content).digest('hex')).toBe(sha256);
});

test('the id names model, quantisation and weights', () => {
  expect(embedder.id).toBe(`all-MiniLM-L6-v2-int8-${manifest.files['model_int8.safetensors']!.sha256.slice(0, 8)}-2`);
  expect(embedder.dimensions).toBe(384);
});

describe('the model as shipped', () => {
  test('agrees with the original model, text by text, in order', async () => {
    const known = golden.filter((_, index) => index % 5 === 2);
    expect(known).toHaveLength(40);
    const vectors = await embedder.embedPassages(
      known.map(({ text }) => text),
      never,
    );
    expect(vectors).toHaveLength(known.length);
    const cosines = known.map(({ vector }, index) => {
      const bytes = Buffer.from(vector, 'base64');
      return cosine(
        vectors[index]!,
        Array.from({ length: 384 }, (_, at) => bytes.readInt16LE(at * 2)),
      );
    });
    for (const vector of vectors) expect(length(vector)).toBeCloseTo(1, 5);
    expect(cosines.reduce((sum, value) => sum + value, 0) / cosines.length).toBeGreaterThan(0.997);
    expect(Math.min(...cosines)).toBeGreaterThan(0.99);
  });

  test('gives a query and a passage with the same text the same vector, in any batch', async () => {
    const [, beside] = await embedder.embedPassages(
      ['something longer, and quite different', 'sleep and memory'],
      never,
    );
    expect(await embedder.embedQuery('sleep and memory', never)).toEqual(beside);
  });

  test('places similar meanings nearer than distant ones, even without a shared word', async () => {
    const question = await embedder.embedQuery('What lowers the cost of borrowing money?', never);
    const [near, far] = await embedder.embedPassages(
      ['Interest rates on loans fell after the central bank eased.', 'Bread rises because yeast turns sugar into gas.'],
      never,
    );
    expect(dot(question, near!)).toBeGreaterThan(dot(question, far!) + 0.2);
  });

  test('gives empty, odd and overlong texts unit vectors too', async () => {
    const texts = ['', ' \n', '\u0000\ud800', '🎉', 'word '.repeat(5_000), 'x'.repeat(100_000)];
    const vectors = await embedder.embedPassages(texts, never);
    for (const vector of vectors) expect(length(vector)).toBeCloseTo(1, 5);
    expect(await embedder.embedPassages([], never)).toEqual([]);
  });
});
