/**
 * Fits what judges instructions by meaning: `node bench/analysis-labels/fit-actions.ts <corpora>` writes
 * `assets/actions/usefulness.json`. Logistic regression on two vectors of the sentence model, from pages of our own
 * (`../data/training-pages.jsonl`, `selling-pages.jsonl`) and the train half of `sentences.jsonl`; nothing held out is read.
 */
import { writeFileSync } from 'node:fs';
import { layOutTranscript, type Block } from '../../src/domain/records/document.ts';
import { createLog } from '../../src/log.ts';
import { sourceSentences } from '../../src/models/analysis/extractive/candidates.ts';
import { instructs } from '../../src/models/analysis/extractive/instructions.ts';
import { english } from '../../src/models/analysis/extractive/languages/english.ts';
import { isRecipe } from '../../src/models/analysis/extractive/page-kinds.ts';
import { textsToRead, type PlacedSentence } from '../../src/models/analysis/extractive/reader.ts';
import { createMiniLm } from '../../src/models/embedding/minilm/minilm.ts';
import { readPages } from './corpus.ts';
import { labelledSentences } from './labelled-sentences.ts';
import { readLines } from './material.ts';

const [corpora] = process.argv.slice(2);
if (corpora === undefined) throw new Error('usage: fit-actions.ts <corpora>');

interface Example {
  place: PlacedSentence;
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
      const place = { text: sentence.plain, around: `${title}. ${sentence.heading}` };
      examples.push({ place, useful: Number(action), weight: 1 });
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
    examples.push({ place: { text: sentence.plain, around: `${title}. ${sentence.heading}` }, useful, weight: 2 });
  }
}

const embedder = createMiniLm({ idleMs: 60_000, log: createLog('warn') });
const vectors = await embedder.embedPassages(
  examples.flatMap(({ place }) => textsToRead(place)),
  new AbortController().signal,
);
await embedder.close();

/** Keeps the weights small: there are more of them than examples of each kind. */
const ridge = 8;
/** The log odds from which a sentence is kept, by the train half. */
const least = -1.25;
const size = embedder.dimensions ?? 0;
const rows = examples.map((_, at) => [...(vectors[2 * at] ?? []), ...(vectors[2 * at + 1] ?? [])]);
const weights = Array.from({ length: 2 * size }, () => 0);
let bias = 0;
const total = examples.reduce((sum, { weight }) => sum + weight, 0);
for (let round = 0; round < 400; round += 1) {
  const slope = weights.map((weight) => ridge * weight);
  let slopeOfBias = 0;
  for (const [at, { useful, weight }] of examples.entries()) {
    const row = rows[at] ?? [];
    const odds = row.reduce((sum, value, d) => sum + value * (weights[d] ?? 0), bias);
    const error = (1 / (1 + Math.exp(-odds)) - useful) * weight;
    for (let d = 0; d < row.length; d += 1) slope[d] = (slope[d] ?? 0) + error * (row[d] ?? 0);
    slopeOfBias += error;
  }
  for (let d = 0; d < weights.length; d += 1) weights[d] = (weights[d] ?? 0) - (4 * (slope[d] ?? 0)) / total;
  bias -= (0.8 * slopeOfBias) / total;
}
const rounded = weights.map((weight) => Number(weight.toFixed(3)));
writeFileSync(
  new URL('../../assets/actions/usefulness.json', import.meta.url),
  `${JSON.stringify({ model: embedder.id, bias: Number((bias - least).toFixed(3)), alone: rounded.slice(0, size), placed: rounded.slice(size) })}\n`,
);
console.log(
  `fitted on ${examples.length} sentences, ${examples.filter(({ useful }) => useful >= 0.5).length} of them useful`,
);
