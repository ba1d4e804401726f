import { createHash } from 'node:crypto';
import type { InstallableModel } from '../../../src/models/embedding/index.ts';

/** A made-up BERT of the kernel's width with few layers and words, as it would be published. */
export interface TinyModel {
  model: InstallableModel;
  files: Readonly<Record<'model.safetensors' | 'tokenizer.json', Buffer>>;
  /** What plain arithmetic in floats says of a text's ids; with fewer layers, or another pooling, to see that they count. */
  forward(ids: readonly number[], other?: { layers?: number; pooling?: 'mean' | 'first' }): Float32Array;
}

const [width, inner, heads] = [384, 1_536, 12];
const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789.,?!-'];

/** Numbers that are always the same: a small generator (mulberry32), summed for a bell-like shape. */
function numbers(seed: number): () => number {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return () => next() + next() - 1;
}

function safetensors(tensors: ReadonlyMap<string, { shape: number[]; values: Float32Array }>): Buffer {
  let offset = 0;
  const header = Object.fromEntries(
    [...tensors].map(([name, { shape, values }]) => {
      const from = offset;
      offset += values.byteLength;
      return [name, { dtype: 'F32', shape, data_offsets: [from, offset] }];
    }),
  );
  const json = Buffer.from(JSON.stringify({ __metadata__: { format: 'pt' }, ...header }));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  return Buffer.concat([length, json, ...[...tensors.values()].map(({ values }) => Buffer.from(values.buffer))]);
}

function wordPieceTokenizer(): object {
  const pieces = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', ...letters, ...letters.map((letter) => `##${letter}`)];
  return {
    added_tokens: ['[PAD]', '[UNK]', '[CLS]', '[SEP]'].map((content, id) => ({ id, content })),
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(pieces.map((piece, id) => [piece, id])),
    },
  };
}

export function makeTinyModel(about: Partial<InstallableModel> = {}, layers = 2): TinyModel {
  const tokenizer = Buffer.from(JSON.stringify(wordPieceTokenizer()));
  const random = numbers(7);
  const tensors = new Map<string, { shape: number[]; values: Float32Array }>();
  const add = (name: string, shape: number[], middle: number, spread: number): void => {
    const size = shape.reduce((product, one) => product * one, 1);
    tensors.set(name, { shape, values: Float32Array.from({ length: size }, () => middle + spread * random()) });
  };
  const norm = (name: string): void => {
    add(`${name}.weight`, [width], 1, 0.3);
    add(`${name}.bias`, [width], 0, 0.1);
  };
  const dense = (name: string, outputs: number, inputs: number, spread = 0.05): void => {
    add(`${name}.weight`, [outputs, inputs], 0, spread);
    add(`${name}.bias`, [outputs], 0, 0.1);
  };
  add('embeddings.word_embeddings.weight', [4 + letters.length * 2, width], 0, 0.3);
  add('embeddings.position_embeddings.weight', [64, width], 0, 0.1);
  add('embeddings.token_type_embeddings.weight', [2, width], 0, 0.1);
  norm('embeddings.LayerNorm');
  for (let layer = 0; layer < layers; layer += 1) {
    const name = `encoder.layer.${layer}`;
    for (const part of ['query', 'key', 'value']) dense(`${name}.attention.self.${part}`, width, width);
    dense(`${name}.attention.output.dense`, width, width);
    norm(`${name}.attention.output.LayerNorm`);
    dense(`${name}.intermediate.dense`, inner, width);
    dense(`${name}.output.dense`, width, inner);
    norm(`${name}.output.LayerNorm`);
  }
  const weights = safetensors(tensors);
  const described = (bytes: Buffer) => ({
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  });
  const model: InstallableModel = {
    name: 'tiny',
    about: 'made up',
    licence: 'MIT',
    repository: 'somebody/tiny',
    revision: 'abc',
    files: { 'model.safetensors': described(weights), 'tokenizer.json': described(tokenizer) },
    maxTokens: 16,
    pooling: 'first',
    queryPrefix: 'q ',
    passagePrefix: 'p ',
    languages: null,
    matchFloors: { weak: 0.2, doubtful: 0.3 },
    ...about,
  };
  return {
    model,
    files: { 'model.safetensors': weights, 'tokenizer.json': tokenizer },
    forward: (ids, other = {}) =>
      forward(
        (name) => tensors.get(name)?.values ?? new Float32Array(),
        other.layers ?? layers,
        ids,
        other.pooling ?? model.pooling,
      ),
  };
}

type Read = (name: string) => Float32Array;

function forward(read: Read, layers: number, ids: readonly number[], pooling: 'mean' | 'first'): Float32Array {
  const row = (name: string, at: number) => read(name).subarray(at * width, (at + 1) * width);
  const norm = (x: number[], name: string): number[] => {
    const mean = x.reduce((sum, value) => sum + value, 0) / width;
    const deviation = Math.sqrt(x.reduce((sum, value) => sum + (value - mean) ** 2, 0) / width + 1e-12);
    return x.map((value, at) => ((value - mean) / deviation) * read(`${name}.weight`)[at]! + read(`${name}.bias`)[at]!);
  };
  const dense = (x: number[], name: string): number[] => {
    const matrix = read(`${name}.weight`);
    return Array.from(read(`${name}.bias`), (bias, output) => {
      let sum = bias;
      for (let at = 0; at < x.length; at += 1) sum += x[at]! * matrix[output * x.length + at]!;
      return sum;
    });
  };
  const plus = (a: number[], b: number[]): number[] => a.map((value, at) => value + b[at]!);
  let rows = ids.map((id, at) => {
    const [word, position] = [
      row('embeddings.word_embeddings.weight', id),
      row('embeddings.position_embeddings.weight', at),
    ];
    const type = row('embeddings.token_type_embeddings.weight', 0);
    return norm(
      Array.from(word, (value, column) => value + position[column]! + type[column]!),
      'embeddings.LayerNorm',
    );
  });
  for (let layer = 0; layer < layers; layer += 1) {
    const name = `encoder.layer.${layer}`;
    const [queries, keys, values] = ['query', 'key', 'value'].map((part) =>
      rows.map((x) => dense(x, `${name}.attention.self.${part}`)),
    ) as [number[][], number[][], number[][]];
    const size = width / heads;
    const mixed = rows.map((_, at) =>
      Array.from({ length: heads }, (__, head) => {
        const part = (x: number[]) => x.slice(head * size, (head + 1) * size);
        const odds = keys.map((key) =>
          Math.exp(part(queries[at]!).reduce((sum, value, i) => sum + value * part(key)[i]!, 0) / Math.sqrt(size)),
        );
        const total = odds.reduce((sum, value) => sum + value, 0);
        return part(values[0]!).map((_value, i) =>
          odds.reduce((sum, odd, token) => sum + (odd / total) * part(values[token]!)[i]!, 0),
        );
      }).flat(),
    );
    rows = rows.map((x, at) => {
      const attended = norm(
        plus(x, dense(mixed[at]!, `${name}.attention.output.dense`)),
        `${name}.attention.output.LayerNorm`,
      );
      const wide = dense(attended, `${name}.intermediate.dense`).map(
        (value) => (value * (1 + erf(value / Math.SQRT2))) / 2,
      );
      return norm(plus(attended, dense(wide, `${name}.output.dense`)), `${name}.output.LayerNorm`);
    });
  }
  const pooled = pooling === 'first' ? rows[0]! : rows[0]!.map((_, at) => rows.reduce((sum, x) => sum + x[at]!, 0));
  const length = Math.hypot(...pooled);
  return Float32Array.from(pooled, (value) => value / length);
}

/** Abramowitz and Stegun 7.1.26: exact to 1.5e-7. */
function erf(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const terms = [1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592];
  const value = 1 - terms.reduce((sum, term) => sum * t + term, 0) * t * Math.exp(-x * x);
  return x < 0 ? -value : value;
}
