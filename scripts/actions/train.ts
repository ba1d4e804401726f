import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Marks } from '../../src/models/analysis/extractive/features.ts';
import {
  bounded,
  readActionModel,
  type Mixture,
  type ScoreParameters,
} from '../../src/models/analysis/extractive/model.ts';
import { createLog } from '../../src/log.ts';
import { createSentenceReader } from '../../src/models/analysis/extractive/reader.ts';
import { readMiniLmFiles } from '../../src/models/embedding/minilm/files.ts';
import { tokensOf } from '../../src/models/embedding/minilm/instruction-scorer.ts';
import { createMiniLm } from '../../src/models/embedding/minilm/minilm.ts';
import { loadTokenizer } from '../../src/models/embedding/tokenizers/load-tokenizer.ts';
import { readLabelled, type LabelledRow } from './labelled.ts';
import { fit, score, type LinearModel, type SparseRow } from './logistic.ts';

/*
 * Trains the model that tells things to do from other instructions; README.md says in which order what runs.
 * `node scripts/actions/train.ts <corpora> [--documents FILE] [--folds N] [--sentences FILE | --readings FILE,FILE | --only-unseen]
 * [--least N,N] [--measure]`
 * Each group of sentences and each page is in one fold, and is scored by models that have not seen it: that measures, and says how
 * the scores of the marks and of the instruction scorer are mixed. `--sentences` writes what `tune.py` learns from.
 */

const args = process.argv.slice(2);
const corpora = args.find((arg, i) => !arg.startsWith('--') && !args[i - 1]?.startsWith('--'));
if (corpora === undefined) throw new Error('Give the folder of the corpora.');
const option = (name: string): string | undefined => args[args.indexOf(`--${name}`) + 1 || args.length];

/** What single words say holds less elsewhere than what classes of words say. */
const lexical = /^(?:word|two|pair|triple|verb|next|last|heading|opening|manner) /;
const runs = /^(?:two|triple|pair|verb \S+) \S/;
const ofThePage = /^(?:page|title|section) /;
const penalties = { lexical: 2, ofThePage: 0.4, other: 1.5 };
/** A model of pages learns a little from sentences that stand alone, and the other way round. */
const shares = { page: { own: 2, other: 0.1 }, alone: { own: 1, other: 0.3 } };

/**
 * Takes the readings of the scorer in the package. Only what it has not learned from says how far to trust it; sentences
 * that stand alone keep the mixture they have.
 */
const onlyUnseen = args.includes('--only-unseen');

/** Least scores of pages that are set by hand: with the scorer, and by the features alone. */
const leastOfPages = option('least')?.split(',').map(Number);

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
  const readings = onlyUnseen ? await readByPackage() : readReadings();
  const scored = { page: scoreKind('page', readings), alone: scoreKind('alone', readings) };
  const parameters = { page: scored.page.parameters, alone: scored.alone.parameters };
  const [withScorer, byMarks] = leastOfPages ?? [];
  parameters.page.least = byMarks ?? parameters.page.least;
  parameters.page.reading.least = withScorer ?? parameters.page.reading.least;
  console.log(JSON.stringify(parameters, null, 2));
  for (const by of ['marks', 'reading'] as const) {
    const scores = new Map([...scored.page[by], ...scored.alone[by]]);
    for (const from of ['sentences', 'real pages', 'made pages'] as const)
      measure(
        `${from}, ${by}`,
        rows.filter((row) => row.from === from && !row.isUnseen),
        scores,
      );
    measure(
      `pages that sell, ${by}`,
      rows.filter(({ isUnseen }) => isUnseen),
      scores,
    );
  }
  if (!args.includes('--measure')) writeModel(parameters);
}

/** Whether a sentence has a page that says what it is like. */
type Of = 'page' | 'alone';
type Scores = Map<LabelledRow, number>;

function isOf(row: LabelledRow, of: Of): boolean {
  return row.page === (of === 'page');
}

function readReadings(): ReadonlyMap<string, number> {
  const files = option('readings')?.split(',') ?? [];
  return new Map(
    files.flatMap((file) => Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>)),
  );
}

/** Readings of the scorer in the package, of sentences that it has not learned from. */
async function readByPackage(): Promise<ReadonlyMap<string, number>> {
  const log = createLog('warn');
  const embedder = createMiniLm({ idleMs: 60_000, log });
  const unseen = rows.filter(({ isUnseen, marks }) => isUnseen && marks !== null);
  const placed = unseen.map(({ text, heading }) => ({ text, around: heading }));
  const scores = await createSentenceReader(embedder, log)(placed);
  await embedder.close();
  if (scores === null) throw new Error('The sentence model of the package does not run.');
  return new Map(unseen.map(({ key }, i) => [key, scores[i] ?? 0]));
}

async function writeSentences(file: string): Promise<void> {
  const { id, tokenizer } = readMiniLmFiles();
  const words = await loadTokenizer(tokenizer);
  const sentences = rows.flatMap(({ key, text, heading, label, group, from, marks }) => {
    if (marks === null) return [];
    // Of a page that is not ours no text is kept.
    const own = from === 'real pages' ? null : text;
    const ids = tokensOf(words, text, heading);
    return [{ key, text: own, ids, label, page: from !== 'sentences', fold: foldOf.get(group) }];
  });
  writeFileSync(file, JSON.stringify({ model: id, sentences }));
}

interface Trained {
  names: string[];
  model: LinearModel;
}

function train(chosen: readonly LabelledRow[], of: Of): Trained {
  const known = chosen.flatMap((row) => {
    const { marks, label } = row;
    const weight = isOf(row, of) ? shares[of].own : shares[of].other;
    return marks === null || label === null ? [] : [{ marks, label, weight }];
  });
  const count = new Map<string, number>();
  for (const { marks } of known) for (const name of marks.keys()) count.set(name, (count.get(name) ?? 0) + 1);
  const names = [...count].filter(([name, n]) => n >= (runs.test(name) ? 4 : 2)).map(([name]) => name);
  const columns = new Map(names.map((name, i) => [name, i]));
  const penalty = Float32Array.from(names, penaltyOf);
  return {
    names,
    model: fit(
      known.map(({ marks, label, weight }) => ({ ...sparseRow(marks, columns), label, weight })),
      penalty,
    ),
  };
}

function penaltyOf(name: string): number {
  if (lexical.test(name)) return penalties.lexical;
  return ofThePage.test(name) ? penalties.ofThePage : penalties.other;
}

function sparseRow(marks: Marks, columns: ReadonlyMap<string, number>): Pick<SparseRow, 'columns' | 'values'> {
  const known = [...marks].flatMap(([name, value]) => {
    const column = columns.get(name);
    return column === undefined ? [] : [[column, value] as const];
  });
  return {
    columns: Int32Array.from(known, ([column]) => column),
    values: Float32Array.from(known, ([, value]) => value),
  };
}

function scoreByFolds(of: Of): Scores {
  const scores: Scores = new Map();
  for (let n = 0; n < folds; n += 1) {
    const { names, model } = train(
      rows.filter(({ group }) => foldOf.get(group) !== n),
      of,
    );
    const columns = new Map(names.map((name, i) => [name, i]));
    for (const row of rows)
      if (row.marks !== null && isOf(row, of) && foldOf.get(row.group) === n)
        scores.set(row, score(model, sparseRow(row.marks, columns)));
  }
  return scores;
}

/**
 * How sentences of a page or alone are scored, and their scores by marks and with the scorer, less the least that is kept. All are of models that have not
 * seen the sentence, or what was learned by heart would be trusted.
 */
function scoreKind(
  of: Of,
  read: ReadonlyMap<string, number>,
): { parameters: Omit<ScoreParameters, 'bias'>; marks: Scores; reading: Scores } {
  const marked = scoreByFolds(of);
  const marks = place(of, marked);
  const known = [...marked.keys()].filter(({ isUnseen }) => isUnseen || !onlyUnseen);
  if (known.length === 0) {
    const { reading } = readActionModel()[of];
    return {
      parameters: { company: marks.company, least: marks.least, reading },
      marks: marks.scores,
      reading: new Map(),
    };
  }
  const unread = known.filter(({ key }) => !read.has(key)).length;
  if (unread > 0) throw new Error(`The readings lack ${unread} sentences: run tune.py on all folds.`);
  const pair = (row: LabelledRow): number[] => [marked.get(row) ?? 0, read.get(row.key) ?? 0];
  const { bias, weights } = fitOn(known, pair);
  const [ofMarks = 0, ofMeaning = 0] = weights;
  const mixed = known.map((row): [LabelledRow, number] => {
    const [mark = 0, meaning = 0] = pair(row);
    return [row, ofMarks * mark + ofMeaning * meaning + bias];
  });
  const { scores, ...placed } = place(of, new Map(mixed));
  const reading: Mixture = { marks: rounded(ofMarks), meaning: rounded(ofMeaning), bias: rounded(bias), ...placed };
  return {
    parameters: { company: marks.company, least: marks.least, reading },
    marks: marks.scores,
    reading: scores,
  };
}

/** With a share of the mean score of the page's other instructions, as `scoreInstructions` has it, and less the least that is kept. */
function place(of: Of, own: Scores): { company: number; least: number; scores: Scores } {
  const company = of === 'page' ? companyOf(own) : 0;
  const whole = [...own].map(([row, score]) => [row, score + company * meanOfOthers(own, row)] as const);
  const least = rounded(leastOf(of, new Map(whole)));
  return { company, least, scores: new Map(whole.map(([row, score]) => [row, score - least])) };
}

/** In parts of the sentence's own score, which stays as it is. */
function companyOf(own: Scores): number {
  const { weights } = fitOn([...own.keys()], (row) => [own.get(row) ?? 0, meanOfOthers(own, row)]);
  const [itself = 1, others = 0] = weights;
  return rounded(others / itself);
}

function meanOfOthers(own: Scores, row: LabelledRow): number {
  const all = groups.get(row.group) ?? [];
  const sum = all.reduce((total, other) => total + (other === row ? 0 : bounded(own.get(other) ?? 0)), 0);
  return sum / all.length;
}

function fitOn(known: readonly LabelledRow[], valuesOf: (row: LabelledRow) => number[]): LinearModel {
  const sparse = known.flatMap((row) =>
    row.label === null
      ? []
      : [{ columns: Int32Array.of(0, 1), values: Float32Array.from(valuesOf(row)), label: row.label, weight: 1 }],
  );
  return fit(sparse, Float32Array.of(1, 1), 2_000);
}

function rounded(x: number | undefined): number {
  return Number((x ?? 0).toFixed(3));
}

interface Kept {
  score: number;
  precision: number;
  recall: number;
}

/** What is kept of them from which score on. */
function curveOf(chosen: readonly LabelledRow[], scores: Scores): Kept[] {
  const known = chosen.filter(({ label }) => label !== null);
  const all = known.reduce((sum, { label }) => sum + (label ?? 0), 0);
  // What has no score was missed by the grammar.
  const sorted = known.filter((row) => scores.has(row)).toSorted((x, y) => (scores.get(y) ?? 0) - (scores.get(x) ?? 0));
  let right = 0;
  return sorted.map((row, i) => {
    right += row.label ?? 0;
    return { score: scores.get(row) ?? 0, precision: right / (i + 1), recall: right / all };
  });
}

function leastOf(of: Of, scores: Scores): number {
  const worth = ({ precision: p, recall: r }: Kept): number => ((1 + beta ** 2) * p * r) / (beta ** 2 * p + r || 1);
  const curve = curveOf(
    rows.filter((row) => isOf(row, of)),
    scores,
  );
  return curve.reduce((x, y) => (worth(y) > worth(x) ? y : x)).score;
}

/** Prints the curve of scores of which 0 and more is kept. */
function measure(what: string, of: readonly LabelledRow[], scores: Scores): void {
  const chosen = of.filter(({ label }) => label !== null);
  if (!chosen.some((row) => scores.has(row))) return;
  const curve = curveOf(chosen, scores);
  const shown = (at: Kept | undefined) =>
    at === undefined ? 'none' : `${at.precision.toFixed(3)}, ${at.recall.toFixed(3)} (from ${at.score.toFixed(2)})`;
  const recalls = [0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9].map((least) => [
    `at recall ${least}`,
    shown(curve.find(({ recall }) => recall >= least)),
  ]);
  const precisions = [0.95, 0.9, 0.85, 0.8].map((least) => [
    `at precision ${least}`,
    shown(curve.findLast(({ precision }) => precision >= least)),
  ]);
  console.log(`${what}: ${chosen.length}, precision and recall`);
  console.table(
    Object.fromEntries([...recalls, ...precisions, ['kept', shown(curve.findLast(({ score }) => score >= 0))]]),
  );
}

/** A line for each mark, in order of the alphabet, so that a change can be looked at; the weakest say nothing. */
function writeModel(parameters: Record<Of, Omit<ScoreParameters, 'bias'>>): void {
  const models = { page: train(rows, 'page'), alone: train(rows, 'alone') };
  const { names } = models.page;
  const weights = names
    .map((name, i) => {
      const [page = 0, alone = 0] = [models.page, models.alone].map(({ model }) => model.weights[i] ?? 0);
      return [name, Number(page.toFixed(2)), Number(alone.toFixed(2))] as const;
    })
    .filter(([, page, alone]) => Math.abs(page) >= 0.03 || Math.abs(alone) >= 0.03)
    .toSorted(([x], [y]) => (x < y ? -1 : 1))
    .map(([name, page, alone]) => `${JSON.stringify(name)}:[${page},${alone}]`);
  mkdirSync('assets/actions', { recursive: true });
  const of = (name: Of) => ({ bias: Number(models[name].model.bias.toFixed(3)), ...parameters[name] });
  const head = JSON.stringify({ page: of('page'), alone: of('alone') }).slice(0, -1);
  writeFileSync('assets/actions/model.json', `${head},"weights":{\n${weights.join(',\n')}\n}}\n`);
}
