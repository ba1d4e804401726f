import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readMiniLmFiles } from '../../src/models/minilm-files.ts';
import { openMiniLm } from '../../src/models/minilm-forward.ts';
import { chooseKernel, openKernel } from '../../src/models/minilm-kernel.ts';
import { fit, score, type SparseRow } from './logistic.ts';

/*
 * `node scripts/actions/head.ts sentences.json readings.json`: trains the head on the vectors that the package's model gives to the
 * sentences of `train.ts --sentences`, and judges each fold by a head that has not seen it.
 */

interface Sentence {
  key: string;
  ids: number[];
  label: number;
  fold: number;
}

const [source, target] = process.argv.slice(2);
if (source === undefined || target === undefined) throw new Error('Give the sentences and the file for the readings.');
/** Vectors are of unit length; without this their weights would have to grow large first. */
const scale = 10;
const penalty = 1;

const { id, model } = readMiniLmFiles();
const run = openMiniLm(openKernel(chooseKernel()), model);
const columns = Int32Array.from({ length: 384 }, (_, i) => i);
const sentences = (JSON.parse(readFileSync(source, 'utf8')) as Sentence[]).map(({ key, ids, label, fold }) => ({
  key,
  fold,
  row: { columns, values: run(ids).map((x) => x * scale), label } satisfies SparseRow,
}));
const penalties = new Float32Array(384).fill(penalty);
const readings: Record<string, number> = {};
for (const left of new Set(sentences.map(({ fold }) => fold))) {
  const head = fit(
    sentences.filter(({ fold }) => fold !== left).map(({ row }) => row),
    penalties,
  );
  for (const { key, fold, row } of sentences) if (fold === left) readings[key] = Number(score(head, row).toFixed(4));
}
writeFileSync(target, JSON.stringify(readings));
const { bias, weights } = fit(
  sentences.map(({ row }) => row),
  penalties,
);
const rounded = Array.from(weights, (x) => Number((x * scale).toPrecision(4)));
mkdirSync('assets/actions', { recursive: true });
writeFileSync(
  'assets/actions/head.json',
  `${JSON.stringify({ model: id, weights: rounded, bias: Number(bias.toFixed(4)) })}\n`,
);
console.log(sentences.length, 'sentences');
