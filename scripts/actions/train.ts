import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Marks } from '../../src/models/extractive-features.ts';
import { readMiniLmFiles } from '../../src/models/minilm-files.ts';
import { loadTokenizer } from '../../src/models/tokenizer.ts';
import { readLabelled, type LabelledRow } from './labelled.ts';
import { fit, score, type LinearModel, type SparseRow } from './logistic.ts';

/*
 * Trains the model that tells things to do from other instructions; README.md says in which order what runs.
 * `node scripts/actions/train.ts <corpora> [--documents FILE] [--folds N] [--sentences FILE | --readings FILE] [--measure]`
 * Each group of sentences and each page is in one fold, and is judged by models that have not seen it: that measures, and says how
 * the scores of marks and of the reading model are mixed. `--sentences` writes what `reader.py` learns from.
 */

const args = process.argv.slice(2);
const corpora = args.find((arg, i) => !arg.startsWith('--') && !args[i - 1]?.startsWith('--'));
if (corpora === undefined) throw new Error('Give the folder of the corpora.');
const option = (name: string): string | undefined => args[args.indexOf(`--${name}`) + 1 || args.length];

/** What single words say holds less elsewhere than what classes of words say. */
const lexical = /^(?:word|two|pair|triple|verb|next|last|heading|opening|manner) /;
const runs = /^(?:two|triple|pair|verb \S+) \S/;
const penalties = { lexical: 2, other: 1.5 };
const company = 0.5;
/** Chosen on the folds, without the reading model and with it. */
const least = { page: 0.7, alone: 0.3 };
const leastRead = { page: 0.2, alone: 0.5 };

const rows = await readLabelled(corpora, option('documents'));
const folds = Number(option('folds') ?? 3);
const foldOf = new Map([...new Set(rows.map(({ group }) => group))].map((group, n) => [group, (n * 7) % folds]));
const sentencesFile = option('sentences');
if (sentencesFile !== undefined) await writeSentences(sentencesFile);
else {
  const marked = scoreByFolds();
  const readings = option('readings');
  const read = new Map(
    Object.entries(JSON.parse(readFileSync(readings ?? '/dev/stdin', 'utf8')) as Record<string, number>),
  );
  const mixtures = { page: mix(marked, read, true), alone: mix(marked, read, false) };
  console.log('How the scores are mixed', mixtures);
  measure('marks alone', (row) => marked.get(row), least);
  measure(
    'with the reading model',
    (row) => mixed(mixtures[row.page ? 'page' : 'alone'], marked.get(row), read.get(row.key)),
    leastRead,
  );
  if (!args.includes('--measure')) writeModel(mixtures);
}

interface Mixture {
  marks: number;
  meaning: number;
  bias: number;
}

async function writeSentences(file: string): Promise<void> {
  const tokenizer = await loadTokenizer(readMiniLmFiles().tokenizer);
  const known = rows.filter(({ marks }) => marks !== null);
  const lines = known.map(({ key, text, label, group }) => ({
    key,
    ids: tokenizer.encode(text, 64),
    label,
    fold: foldOf.get(group),
  }));
  writeFileSync(file, JSON.stringify(lines));
}

interface Trained {
  names: string[];
  model: LinearModel;
}

function train(chosen: readonly LabelledRow[]): Trained {
  const count = new Map<string, number>();
  for (const { marks } of chosen) for (const name of marks?.keys() ?? []) count.set(name, (count.get(name) ?? 0) + 1);
  const names = [...count].filter(([name, n]) => n >= (runs.test(name) ? 4 : 2)).map(([name]) => name);
  const columns = new Map(names.map((name, i) => [name, i]));
  const known = chosen.flatMap(({ marks, label }) => (marks === null ? [] : [sparseRow(marks, label, columns)]));
  const penalty = Float32Array.from(names, (name) => (lexical.test(name) ? penalties.lexical : penalties.other));
  return { names, model: fit(known, penalty) };
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

function scoreByFolds(): Map<LabelledRow, number> {
  const scores = new Map<LabelledRow, number>();
  for (let n = 0; n < folds; n += 1) {
    const { names, model } = train(rows.filter(({ group }) => foldOf.get(group) !== n));
    const columns = new Map(names.map((name, i) => [name, i]));
    for (const row of rows)
      if (row.marks !== null && foldOf.get(row.group) === n)
        scores.set(row, score(model, sparseRow(row.marks, 0, columns)));
  }
  return scores;
}

/** Both scores are of models that have not seen the sentence, or the mixture would trust what was learned by heart. */
function mix(marked: ReadonlyMap<LabelledRow, number>, read: ReadonlyMap<string, number>, page: boolean): Mixture {
  const both = rows.flatMap((row): SparseRow[] => {
    const [marks, meaning] = [marked.get(row), read.get(row.key)];
    if (row.page !== page || marks === undefined || meaning === undefined) return [];
    return [{ columns: Int32Array.of(0, 1), values: Float32Array.of(marks, meaning), label: row.label }];
  });
  const { bias, weights } = fit(both, Float32Array.of(1, 1), 2_000);
  const rounded = (x: number | undefined) => Number((x ?? 0).toFixed(3));
  return { marks: rounded(weights[0]), meaning: rounded(weights[1]), bias: rounded(bias) };
}

function mixed(
  { marks, meaning, bias }: Mixture,
  mark: number | undefined,
  reading: number | undefined,
): number | undefined {
  return mark === undefined || reading === undefined ? undefined : marks * mark + meaning * reading + bias;
}

function measure(by: string, scoreOf: (row: LabelledRow) => number | undefined, kept: typeof least): void {
  const mates = Map.groupBy(rows, ({ group }) => group);
  const final = rows.map((row) => {
    const own = scoreOf(row) ?? -Infinity;
    if (!row.page) return own - kept.alone;
    const others = (mates.get(row.group) ?? []).filter((other) => other !== row);
    const sum = others.reduce((total, other) => total + Math.max(-4, Math.min(4, scoreOf(other) ?? 0)), 0);
    return own + (company * sum) / (others.length + 1) - kept.page;
  });
  const table = [false, true].flatMap((page) =>
    [-1, -0.5, 0, 0.5, 1, 1.5].map((limit) => {
      const sums = { right: 0, wrong: 0, all: 0 };
      for (const [i, row] of rows.entries()) {
        if (row.page !== page) continue;
        sums.all += row.label;
        if ((final[i] ?? 0) >= limit) sums[row.label === 1 ? 'right' : 'wrong'] += 1;
      }
      return {
        rows: page ? 'sentences of pages' : 'made sentences',
        'above what is kept': limit,
        precision: (sums.right / (sums.right + sums.wrong)).toFixed(3),
        recall: (sums.right / sums.all).toFixed(3),
      };
    }),
  );
  console.log(by);
  console.table(table);
}

/** A line for each mark, in order of the alphabet, so that a change can be looked at; the weakest say nothing. */
function writeModel(mixtures: { page: Mixture; alone: Mixture }): void {
  const { names, model } = train(rows);
  const weights = names
    .map((name, i) => [name, Number((model.weights[i] ?? 0).toFixed(2))] as const)
    .filter(([, weight]) => Math.abs(weight) >= 0.03)
    .toSorted(([x], [y]) => (x < y ? -1 : 1))
    .map(([name, weight]) => `${JSON.stringify(name)}:${weight}`);
  mkdirSync('assets/actions', { recursive: true });
  const reading = {
    page: { ...mixtures.page, least: leastRead.page },
    alone: { ...mixtures.alone, least: leastRead.alone },
  };
  const head = JSON.stringify({ bias: Number(model.bias.toFixed(3)), company, least, reading }).slice(0, -1);
  writeFileSync('assets/actions/model.json', `${head},"weights":{\n${weights.join(',\n')}\n}}\n`);
}
