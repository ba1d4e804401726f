/**
 * Fits what judges instructions by meaning: `node bench/analysis-labels/fit-actions.ts <corpora>` writes
 * `assets/actions/usefulness.json`. Logistic regression on the vectors of the sentence model, from pages of our own
 * (`../data/training-pages.jsonl`, `selling-pages.jsonl`) and the train part of `sentences.jsonl`; nothing held out is read.
 */
import { writeFileSync } from 'node:fs';
import { layOutTranscript, type Block } from '../../src/domain/records/document.ts';
import { createLog } from '../../src/log.ts';
import { unannounced } from '../../src/models/analysis/extractive/actions.ts';
import { sourceSentences } from '../../src/models/analysis/extractive/candidates.ts';
import { instructs } from '../../src/models/analysis/extractive/instructions.ts';
import { english } from '../../src/models/analysis/extractive/languages/english.ts';
import { announcesAdvice, isRecipe } from '../../src/models/analysis/extractive/page-kinds.ts';
import { createMiniLm } from '../../src/models/embedding/minilm/minilm.ts';
import { readPages } from './corpus.ts';
import { labelledSentences } from './labelled-sentences.ts';
import { hash16, readLines } from './material.ts';

const [corpora] = process.argv.slice(2);
if (corpora === undefined) throw new Error('usage: fit-actions.ts <corpora>');

interface Example {
  text: string;
  /** The page of a labelled sentence, whose part of the folds is measured; null for pages of our own. */
  page: string | null;
  announced: boolean;
  /** 0–1: the share of the labellers who found it useful. */
  useful: number;
  weight: number;
}
const examples: Example[] = [];

for (const file of ['training-pages', 'selling-pages'])
  for (const { title, split, blocks } of readLines<{
    title: string;
    split: string;
    blocks: { heading?: string; list?: true; sentences?: { text: string; action: boolean | null }[] }[];
  }>(new URL(`../data/${file}.jsonl`, import.meta.url))) {
    if (split !== 'train') continue;
    const verdicts = new Map(blocks.flatMap(({ sentences = [] }) => sentences.map((one) => [one.text, one.action])));
    const transcript = layOutTranscript(
      blocks.flatMap(({ heading, list, sentences = [] }): Block[] => {
        if (heading !== undefined) return [{ kind: 'heading', level: 2, text: `## ${heading}` }];
        const kind = list === true ? 'list' : 'paragraph';
        return sentences.map(({ text }) => ({ kind, text: list === true ? `- ${text}` : text }));
      }),
    );
    const sentences = [...sourceSentences(transcript)];
    if (isRecipe({ title }, sentences)) continue;
    for (const sentence of sentences) {
      const action = verdicts.get(sentence.plain) ?? null;
      if (action === null || !instructs(sentence, english)) continue;
      examples.push({
        text: sentence.plain,
        page: null,
        announced: announcesAdvice(title, sentence.heading),
        useful: Number(action),
        weight: 1,
      });
    }
  }

const labelled = labelledSentences().filter(({ split }) => split === 'train');
const pages = await readPages(corpora, (id) => labelled.some(({ page }) => page === id));
for (const { title, transcript, id } of pages) {
  const sentences = [...sourceSentences(transcript)];
  if (isRecipe({ title }, sentences)) continue;
  for (const { useful, spanIn } of labelled.filter(({ page }) => page === id)) {
    const span = spanIn(transcript);
    const sentence = sentences.find(({ start, end }) => span !== null && start < span.end && end > span.start);
    if (sentence === undefined || !instructs(sentence, english)) continue;
    const announced = announcesAdvice(title, sentence.heading);
    examples.push({ text: sentence.plain, page: id, announced, useful, weight: 2 });
  }
}

const embedder = createMiniLm({ idleMs: 60_000, log: createLog('warn') });
const vectors = await embedder.embedPassages(
  examples.map(({ text }) => text),
  new AbortController().signal,
);
await embedder.close();

/** Keeps the weights small: there are more of them than examples of each kind. */
const ridge = 4;
/** The log odds from which a sentence is kept, by the folds below. */
const least = -1.5;
const size = embedder.dimensions ?? 0;
const rows = examples.map((example, at) => ({ ...example, vector: [...(vectors[at] ?? [])] }));
type Row = (typeof rows)[number];

const oddsOf = ({ weights, bias }: { weights: readonly number[]; bias: number }, vector: readonly number[]): number =>
  vector.reduce((sum, value, d) => sum + value * (weights[d] ?? 0), bias);

function fit(from: readonly Row[]): { weights: number[]; bias: number } {
  const weights = Array.from({ length: size }, () => 0);
  let bias = 0;
  const total = from.reduce((sum, { weight }) => sum + weight, 0);
  for (let round = 0; round < 400; round += 1) {
    const slope = weights.map((weight) => ridge * weight);
    let slopeOfBias = 0;
    for (const { vector, useful, weight } of from) {
      const error = (1 / (1 + Math.exp(-oddsOf({ weights, bias }, vector))) - useful) * weight;
      for (let d = 0; d < size; d += 1) slope[d] = (slope[d] ?? 0) + error * (vector[d] ?? 0);
      slopeOfBias += error;
    }
    for (let d = 0; d < size; d += 1) weights[d] = (weights[d] ?? 0) - (4 * (slope[d] ?? 0)) / total;
    bias -= (0.8 * slopeOfBias) / total;
  }
  return { weights, bias };
}

// Of each labelled page by a fit that has not seen it; what the page as a whole decides is not part of it.
const folds = 8;
const foldOf = (page: string | null): number =>
  page === null ? -1 : Number.parseInt(hash16(`fold ${page}`).slice(0, 4), 16) % folds;
let [kept, useful] = [0, 0];
for (let fold = 0; fold < folds; fold += 1) {
  const fitted = fit(rows.filter(({ page }) => foldOf(page) !== fold));
  for (const row of rows.filter(({ page }) => foldOf(page) === fold)) {
    if (oddsOf(fitted, row.vector) - (row.announced ? 0 : unannounced) < least) continue;
    kept += 1;
    useful += row.useful;
  }
}
const all = rows.reduce((sum, row) => sum + (row.page === null ? 0 : row.useful), 0);
console.log(`in ${folds} folds by page ${kept} are kept, ${useful} of ${all} useful ones among them`);

const { weights, bias } = fit(rows);
writeFileSync(
  new URL('../../assets/actions/usefulness.json', import.meta.url),
  `${JSON.stringify({ model: embedder.id, bias: Number((bias - least).toFixed(3)), weights: weights.map((weight) => Number(weight.toFixed(3))) })}\n`,
);
console.log(`fitted on ${rows.length} sentences, ${rows.filter((row) => row.useful >= 0.5).length} of them useful`);
