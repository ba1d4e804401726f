import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Marks } from '../../src/models/extractive-features.ts';
import { bounded, type ActionModel, type Mixture } from '../../src/models/extractive-model.ts';
import { readMiniLmFiles } from '../../src/models/minilm-files.ts';
import { tokensOf } from '../../src/models/minilm-judge.ts';
import { loadTokenizer } from '../../src/models/tokenizer.ts';
import { readLabelled, type LabelledRow } from './labelled.ts';
import { fit, score, type LinearModel, type SparseRow } from './logistic.ts';

/*
 * Trains the model that tells things to do from other instructions; README.md says in which order what runs.
 * `node scripts/actions/train.ts <corpora> [--documents FILE] [--folds N] [--sentences FILE | --readings FILE] [--measure]`
 * Each group of sentences and each page is in one fold, and is judged by models that have not seen it: that measures, and says how
 * the scores of the marks and of the judge are mixed. `--sentences` writes what `tune.py` learns from.
 */

const args = process.argv.slice(2);
const corpora = args.find((arg, i) => !arg.startsWith('--') && !args[i - 1]?.startsWith('--'));
if (corpora === undefined) throw new Error('Give the folder of the corpora.');
const option = (name: string): string | undefined => args[args.indexOf(`--${name}`) + 1 || args.length];

/** What single words say holds less elsewhere than what classes of words say. */
const lexical = /^(?:word|two|pair|triple|verb|next|last|heading|opening|manner) /;
const runs = /^(?:two|triple|pair|verb \S+) \S/;
const penalties = { lexical: 2, other: 1.5 };
/** Of the marks alone. */
const company = 0.5;
/** A wrong action costs more than a missed one: the least score is where this F-measure is highest (van Rijsbergen 1979). */
const beta = 0.5;

const rows = await readLabelled(corpora, option('documents'));
const folds = Number(option('folds') ?? 3);
const foldOf = new Map([...new Set(rows.map(({ group }) => group))].map((group, n) => [group, (n * 7) % folds]));
const groups = Map.groupBy(
  rows.filter(({ marks }) => marks !== null),
  ({ group }) => group,
);
const sentencesFile = option('sentences');
if (sentencesFile !== undefined) await writeSentences(sentencesFile);
else {
  const marked = scoreByFolds();
  const readings = readFileSync(option('readings') ?? '/dev/stdin', 'utf8');
  const read = new Map(Object.entries(JSON.parse(readings) as Record<string, number>));
  const least = {
    page: measure('marks alone', true, inCompany(marked, company)),
    alone: measure('marks alone', false, marked),
  };
  const reading = { page: mixture(marked, read, true), alone: mixture(marked, read, false) };
  console.log({ least, reading });
  if (!args.includes('--measure')) writeModel({ company, least, reading });
}

type Scores = Map<LabelledRow, number>;

async function writeSentences(file: string): Promise<void> {
  const { id, tokenizer } = readMiniLmFiles();
  const words = await loadTokenizer(tokenizer);
  const sentences = rows.flatMap(({ key, text, heading, label, group, page, marks }) =>
    marks === null
      ? []
      : [{ key, text: page ? null : text, ids: tokensOf(words, text, heading), label, fold: foldOf.get(group) }],
  );
  writeFileSync(file, JSON.stringify({ model: id, sentences }));
}

interface Trained {
  names: string[];
  model: LinearModel;
}

function train(chosen: readonly LabelledRow[]): Trained {
  const known = chosen.flatMap(({ marks, label }) => (marks === null || label === null ? [] : [{ marks, label }]));
  const count = new Map<string, number>();
  for (const { marks } of known) for (const name of marks.keys()) count.set(name, (count.get(name) ?? 0) + 1);
  const names = [...count].filter(([name, n]) => n >= (runs.test(name) ? 4 : 2)).map(([name]) => name);
  const columns = new Map(names.map((name, i) => [name, i]));
  const penalty = Float32Array.from(names, (name) => (lexical.test(name) ? penalties.lexical : penalties.other));
  return {
    names,
    model: fit(
      known.map(({ marks, label }) => sparseRow(marks, label, columns)),
      penalty,
    ),
  };
}

function sparseRow(marks: Marks, label: number, columns: ReadonlyMap<string, number>): SparseRow {
  const known = [...marks].flatMap(([name, value]) => {
    const column = columns.get(name);
    return column === undefined ? [] : [[column, value] as const];
  });
  return {
    columns: Int32Array.from(known, ([column]) => column),
    values: Float32Array.from(known, ([, value]) => value),
    label,
  };
}

function scoreByFolds(): Scores {
  const scores: Scores = new Map();
  for (let n = 0; n < folds; n += 1) {
    const { names, model } = train(rows.filter(({ group }) => foldOf.get(group) !== n));
    const columns = new Map(names.map((name, i) => [name, i]));
    for (const row of rows)
      if (row.marks !== null && foldOf.get(row.group) === n)
        scores.set(row, score(model, sparseRow(row.marks, 0, columns)));
  }
  return scores;
}

/** Those of pages with a share of the mean score of the page's other instructions, as `scoreInstructions` has it. */
function inCompany(own: Scores, share: number): Scores {
  return new Map(
    [...own].map(([row, score]) => [row, row.page ? score + share * meanOfOthers(own, row) : score] as const),
  );
}

function meanOfOthers(own: Scores, row: LabelledRow): number {
  const all = groups.get(row.group) ?? [];
  const sum = all.reduce((total, other) => total + (other === row ? 0 : bounded(own.get(other) ?? 0)), 0);
  return sum / all.length;
}

/** All are of models that have not seen the sentence, or what was learned by heart would be trusted. */
function mixture(marked: Scores, read: ReadonlyMap<string, number>, page: boolean): Mixture {
  const known = rows.filter((row) => row.page === page && marked.has(row) && read.has(row.key));
  const sum = (values: readonly number[], { bias, weights }: LinearModel): number =>
    values.reduce((total, value, i) => total + value * (weights[i] ?? 0), bias);
  const pair = (row: LabelledRow): number[] => [marked.get(row) ?? 0, read.get(row.key) ?? 0];
  const mixed = fitOn(known, pair);
  const own: Scores = new Map(known.map((row) => [row, sum(pair(row), mixed)]));
  const withOthers = (row: LabelledRow): number[] => [own.get(row) ?? 0, page ? meanOfOthers(own, row) : 0];
  const placed = page ? fitOn(known, withOthers) : { bias: 0, weights: Float64Array.of(1, 0) };
  // What the company weighs is said in parts of the sentence's own score, which stays as it is.
  const [itself = 1, others = 0] = placed.weights;
  const share = rounded(others / itself);
  const least = measure('with the judge', page, inCompany(own, share));
  const [marks, meaning] = mixed.weights;
  return { marks: rounded(marks), meaning: rounded(meaning), bias: rounded(mixed.bias), company: share, least };
}

function fitOn(known: readonly LabelledRow[], valuesOf: (row: LabelledRow) => number[]): LinearModel {
  const sparse = known.flatMap((row) =>
    row.label === null
      ? []
      : [{ columns: Int32Array.of(0, 1), values: Float32Array.from(valuesOf(row)), label: row.label }],
  );
  return fit(sparse, Float32Array.of(1, 1), 2_000);
}

function rounded(x: number | undefined): number {
  return Number((x ?? 0).toFixed(3));
}

/** Prints the curve of what is kept from which score on; gives the least score worth keeping. */
function measure(by: string, page: boolean, scores: Scores): number {
  const known = rows.filter((row) => row.page === page && row.label !== null);
  const all = known.reduce((sum, { label }) => sum + (label ?? 0), 0);
  // What has no score was missed by the grammar.
  const sorted = known.filter((row) => scores.has(row)).toSorted((x, y) => (scores.get(y) ?? 0) - (scores.get(x) ?? 0));
  let right = 0;
  const curve = sorted.map((row, i) => {
    right += row.label ?? 0;
    return { score: scores.get(row) ?? 0, precision: right / (i + 1), recall: right / all };
  });
  const worth = ({ precision: p, recall: r }: { precision: number; recall: number }): number =>
    ((1 + beta ** 2) * p * r) / (beta ** 2 * p + r || 1);
  const best = curve.reduce((x, y) => (worth(y) > worth(x) ? y : x));
  const shown = (at: (typeof curve)[number] | undefined) =>
    at === undefined ? 'none' : `${at.precision.toFixed(3)}, ${at.recall.toFixed(3)} (from ${at.score.toFixed(2)})`;
  const recalls = [0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9].map((least) => [
    `at recall ${least}`,
    shown(curve.find(({ recall }) => recall >= least)),
  ]);
  const precisions = [0.95, 0.9, 0.85, 0.8].map((least) => [
    `at precision ${least}`,
    shown(curve.findLast(({ precision }) => precision >= least)),
  ]);
  console.log(`${by}: ${known.length} ${page ? 'sentences of pages' : 'made sentences'}, precision and recall`);
  console.table(Object.fromEntries([...recalls, ...precisions, ['kept', shown(best)]]));
  return rounded(best.score);
}

/** A line for each mark, in order of the alphabet, so that a change can be looked at; the weakest say nothing. */
function writeModel(parts: Pick<ActionModel, 'company' | 'least' | 'reading'>): void {
  const { names, model } = train(rows);
  const weights = names
    .map((name, i) => [name, Number((model.weights[i] ?? 0).toFixed(2))] as const)
    .filter(([, weight]) => Math.abs(weight) >= 0.03)
    .toSorted(([x], [y]) => (x < y ? -1 : 1))
    .map(([name, weight]) => `${JSON.stringify(name)}:${weight}`);
  mkdirSync('assets/actions', { recursive: true });
  const head = JSON.stringify({ bias: Number(model.bias.toFixed(3)), ...parts }).slice(0, -1);
  writeFileSync('assets/actions/model.json', `${head},"weights":{\n${weights.join(',\n')}\n}}\n`);
}
