import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { layOutTranscript } from '../../src/domain/records/document.ts';
import { readActionModel, scoreInstructions } from '../../src/models/analysis/extractive/model.ts';
import { createExtractiveAnalyst } from '../../src/models/analysis/extractive/extractive.ts';
import { sourceSentences } from '../../src/models/analysis/extractive/candidates.ts';
import { profileOf } from '../../src/models/analysis/extractive/features.ts';
import { findInstruction } from '../../src/models/analysis/extractive/grammar/instructions.ts';
import { createSentenceReader } from '../../src/models/analysis/extractive/reader.ts';
import { loadTagger } from '../../src/models/analysis/extractive/grammar/tagger.ts';
import { interrupted } from '../../src/errors.ts';
import type { Embedder } from '../../src/models/embedding/embedder.ts';
import { readMiniLmFiles } from '../../src/models/embedding/minilm/files.ts';
import { rememberingLog } from '../support/stores.ts';
import { isThorough } from '../support/thorough.ts';

interface Labelled {
  text: string;
  action: boolean;
  split: 'train' | 'held-out';
}

const labelled = readFileSync(new URL('../../bench/data/action-sentences.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Labelled);

/** Those of training are fourteen thousand: the gate tries one in five. */
const tried = labelled.filter(({ split }, at) => isThorough || split === 'held-out' || at % 5 === 0);

describe('the model of actions', () => {
  it('fits the features that it was trained on, and the sentences that nobody tuned it on', async () => {
    const analyst = createExtractiveAnalyst();
    const counts = { train: { right: 0, found: 0, actions: 0 }, 'held-out': { right: 0, found: 0, actions: 0 } };
    for (const { text, action, split } of tried) {
      const transcript = layOutTranscript([{ kind: 'paragraph', text }]);
      const signal = new AbortController().signal;
      const { actions } = await analyst.analyse({ title: null, language: 'en', ...transcript }, [], signal);
      const count = counts[split];
      if (action) count.actions += 1;
      if (actions.length > 0) count.found += 1;
      if (actions.length > 0 && action) count.right += 1;
    }
    const precision = ({ right, found }: { right: number; found: number }) => right / found;
    const recall = ({ right, actions }: { right: number; actions: number }) => right / actions;
    // Features that are not those of the training lose tenths, above all on what was learned.
    expect(precision(counts.train)).toBeGreaterThan(0.95);
    expect(recall(counts.train)).toBeGreaterThan(0.8);
    expect(precision(counts['held-out'])).toBeGreaterThan(0.75);
    expect(recall(counts['held-out'])).toBeGreaterThan(0.75);
  });

  it('holds no sentence twice, and held-out ones in groups of their own', () => {
    expect(new Set(labelled.map(({ text }) => text)).size).toBe(labelled.length);
    expect(labelled.filter(({ split }) => split === 'held-out').length).toBeGreaterThanOrEqual(200);
  });

  it('has whole pages to be measured on, of which nothing is trained', () => {
    const pages = readFileSync(new URL('../../bench/data/action-pages.jsonl', import.meta.url), 'utf8')
      .trim()
      .split('\n')
      .map(
        (line) =>
          JSON.parse(line) as { split: string; blocks: { sentences?: { text: string; action: boolean | null }[] }[] },
      );
    const texts = pages
      .flatMap(({ blocks }) => blocks.flatMap(({ sentences = [] }) => sentences))
      .filter(({ action }) => action !== null)
      .map(({ text }) => text);
    expect(new Set(pages.map(({ split }) => split))).toEqual(new Set(['held-out']));
    expect(texts.length).toBeGreaterThanOrEqual(250);
    const trained = new Set(labelled.map(({ text }) => text));
    expect(texts.filter((text) => trained.has(text))).toEqual([]);
  });

  it('has pages to be trained on, that share nothing with those it is measured on', () => {
    const textsOf = (name: string): string[] =>
      readFileSync(new URL(`../../bench/data/${name}`, import.meta.url), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { blocks: { sentences?: { text: string }[] }[] })
        .flatMap(({ blocks }) => blocks.flatMap(({ sentences = [] }) => sentences.map(({ text }) => text)));
    const trained = textsOf('training-pages.jsonl');
    const measured = new Set([
      ...textsOf('action-pages.jsonl'),
      ...labelled.filter(({ split }) => split === 'held-out').map(({ text }) => text),
    ]);
    expect(trained.length).toBeGreaterThan(1_500);
    expect(trained.filter((text) => measured.has(text))).toEqual([]);
  });

  it('doubts an instruction on the page of a seller more than in an article', async () => {
    const tag = await loadTagger();
    const model = readActionModel();
    const advice = 'Store the tent dry, and air it once a month.';
    const read = async (paragraphs: string[]) => {
      const sentences = [...sourceSentences(layOutTranscript(paragraphs.map((text) => ({ kind: 'paragraph', text }))))];
      const found = sentences.flatMap((sentence) => {
        const imperative = findInstruction(sentence, tag);
        return imperative === null ? [] : [{ sentence, imperative }];
      });
      const scored = await scoreInstructions(found, profileOf(null, sentences, 0), model, null);
      return scored.find(({ sentence }) => sentence.plain === advice)?.score ?? Number.NaN;
    };
    const article = await read([
      'You sleep badly in a damp tent, and you notice it only at night.',
      'Put it up in the garden when you come home, so that you see whether the seams are dry.',
      advice,
    ]);
    const seller = await read([
      'Discover our new collection from $199 and shop our tents for every trip.',
      'Enjoy free shipping with our members plan.',
      'Experience comfort and upgrade your adventure.',
      advice,
    ]);
    expect(article).toBeGreaterThan(seller + 1);
  });

  it('asks the reading model about the best by their marks, and goes without it when it cannot answer', async () => {
    const advice = ['Water the beans before nine in the morning.', 'Store the tent dry, and air it once a month.'];
    const transcript = layOutTranscript(advice.map((text) => ({ kind: 'paragraph', text })));
    const input = { title: null, language: 'en', ...transcript };
    const signal = new AbortController().signal;
    const asked: string[][] = [];
    const titles = async (answer: (sentence: string) => number | null) => {
      const analyst = createExtractiveAnalyst(async (sentences) => {
        asked.push(sentences.map(({ text }) => text));
        const scores = sentences.map(({ text }) => answer(text));
        return scores.includes(null) ? null : scores.map((score) => score ?? 0);
      });
      return (await analyst.analyse(input, [], signal)).actions.length;
    };
    const alone = (await createExtractiveAnalyst().analyse(input, [], signal)).actions.length;
    expect(await titles(() => null)).toBe(alone);
    expect(await titles((sentence) => (sentence === advice[0] ? -20 : 20))).toBe(1);
    expect(asked.map((sentences) => sentences.toSorted())).toEqual([advice.toSorted(), advice.toSorted()]);
  });

  it('reads with the model in the package and with no other, and goes without it when it fails', async () => {
    const log = rememberingLog();
    const { id } = readMiniLmFiles();
    const embedder = (name: string, score?: () => Promise<number[]>): Embedder => ({
      id: name,
      dimensions: 384,
      languages: null,
      embedPassages: async () => [],
      embedQuery: async () => new Float32Array(384),
      ...(score !== undefined && { scoreInstructions: score }),
      close: async () => undefined,
    });
    const sentences = [{ text: 'Walk.', around: '' }];
    const well = async () => [2];
    expect(await createSentenceReader(embedder(id, well), log)(sentences)).toEqual([2]);
    expect(await createSentenceReader(embedder('another', well), log)(sentences)).toBeNull();
    expect(await createSentenceReader(embedder(id), log)(sentences)).toBeNull();
    expect(await createSentenceReader(null, log)(sentences)).toBeNull();
    expect(log.entries).toHaveLength(0);
    const away = () => Promise.reject(new Error('away'));
    expect(await createSentenceReader(embedder(id, away), log)(sentences)).toBeNull();
    expect(log.entries).toMatchObject([{ level: 'warn' }]);

    const closing = () => Promise.reject(interrupted());
    expect(await createSentenceReader(embedder(id, closing), log)(sentences)).toBeNull();
    expect(log.entries.slice(1)).toMatchObject([{ level: 'debug' }]);
  });
});
