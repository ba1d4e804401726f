import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sniffResource } from '../../src/fetching/sniff.ts';
import { createBlockModel } from '../../src/sources/block-model.ts';
import { mostExpected } from '../../src/sources/choose-blocks.ts';
import { isTooLargeForDom, scanPage } from '../../src/sources/html-scan.ts';
import { blocksOfPage } from '../../src/sources/page-blocks.ts';
import { blockFeatures } from '../../src/sources/page-features.ts';
import { parsePage } from '../../src/sources/parse-page.ts';
import { binColumns, trainTrees, type BoostingSettings, type TrainedModel } from './boosted-trees.ts';
import { labelBlocks, wordsOf } from './labels.ts';

/*
 * Trains the model that tells a page's content from what stands around it: `node scripts/page-blocks/train.ts <corpora> [--folds N]
 * [--out FILE]`. With `--folds` it writes no model, but measures: each page is judged by a model that has not seen it.
 */

interface LabelledPage {
  id: string;
  pageType: string;
  truth: string[];
  texts: string[][];
  labels: number[];
  rows: Float32Array[];
  /** Of its first row among those of all pages. */
  offset: number;
}

const args = process.argv.slice(2);
const corpora = args.find((arg, i) => !arg.startsWith('--') && !args[i - 1]?.startsWith('--'));
if (corpora === undefined) throw new Error('Give the folder of the corpora.');
const option = (name: string): string | undefined => args[args.indexOf(`--${name}`) + 1 || args.length];
const settings: BoostingSettings = {
  trees: Number(option('trees') ?? 160),
  depth: Number(option('depth') ?? 5),
  rate: Number(option('rate') ?? 0.1),
  seed: 7,
};

const pages = await readPages(join(corpora, 'articles'));
const { data, pageOf } = asRows(pages);
const binned = binColumns(data.columns);
const folds = Number(option('folds') ?? 0);
if (folds > 1) measure();
else {
  const model = trainTrees(binned, data, Int32Array.from(pageOf.keys()), settings);
  writeFileSync(option('out') ?? 'assets/page-blocks/model.json', written(model));
}

async function readPages(folder: string): Promise<LabelledPage[]> {
  const read: LabelledPage[] = [];
  let offset = 0;
  for (const line of readFileSync(join(folder, 'manifest.jsonl'), 'utf8').trim().split('\n')) {
    const one = JSON.parse(line) as { id: string; url: string; html: string; text: string; pageType: string };
    const bytes = new Uint8Array(gunzipSync(readFileSync(join(folder, one.html))));
    const { text } = await sniffResource(bytes, 'text/html', one.url);
    const facts = scanPage(text ?? '');
    if (facts.elements === 0 || isTooLargeForDom(facts)) continue;
    const blocks = blocksOfPage(parsePage(text ?? '', one.url, one.url).documentElement);
    const texts = blocks.map((block) => wordsOf(block.text));
    const truth = wordsOf(one.text);
    const labels = labelBlocks(texts, truth);
    const { id, pageType } = one;
    read.push({ id, pageType, truth, texts, labels, rows: blockFeatures(blocks, facts, one.url), offset });
    offset += blocks.length;
  }
  return read;
}

/** Words count, and every page as much as any other. */
function asRows(all: readonly LabelledPage[]) {
  const count = all.reduce((sum, page) => sum + page.rows.length, 0);
  const features = all[0]?.rows[0]?.length ?? 0;
  const columns = Array.from({ length: features }, () => new Float32Array(count));
  const labels = new Float32Array(count);
  const weights = new Float32Array(count);
  const owner = new Int32Array(count);
  for (const [n, page] of all.entries()) {
    const size = Math.max(150, page.truth.length);
    const raw = page.texts.map((words) => ((Math.min(words.length, size) + 0.5) / size) * 20);
    const scale = Math.min(1, 60 / raw.reduce((sum, one) => sum + one, 0));
    for (const [k, row] of page.rows.entries()) {
      const at = page.offset + k;
      for (const [j, column] of columns.entries()) column[at] = row[j] ?? 0;
      labels[at] = page.labels[k] ?? 0;
      weights[at] = (raw[k] ?? 0) * scale;
      owner[at] = n;
    }
  }
  return { data: { columns, labels, weights }, pageOf: owner };
}

function measure(): void {
  const scores = pages.map(() => 0);
  for (let fold = 0; fold < folds; fold += 1) {
    const rows = Int32Array.from(pageOf.keys()).filter((i) => (pageOf[i] ?? 0) % folds !== fold);
    const model = createBlockModel(trainTrees(binned, data, rows, settings));
    for (const [n, page] of pages.entries()) {
      if (n % folds !== fold) continue;
      const likely = page.rows.map((row) => model.probability(row));
      const { kept } = mostExpected(
        likely,
        page.texts.map((words) => words.length),
      );
      scores[n] = wordF1(page.texts.filter((_, i) => kept[i]).flat(), page.truth);
    }
  }
  const types = Map.groupBy(pages.keys(), (n) => pages[n]?.pageType ?? '');
  const mean = (which: readonly number[]): string =>
    (which.reduce((sum, n) => sum + (scores[n] ?? 0), 0) / which.length).toFixed(3);
  console.table([
    { type: 'all', pages: pages.length, F1: mean([...pages.keys()]) },
    ...[...types].map(([type, which]) => ({ type, pages: which.length, F1: mean(which) })),
  ]);
}

function wordF1(got: readonly string[], truth: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of truth) left.set(word, (left.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of got) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    shared += 1;
  }
  return shared === 0 ? (got.length + truth.length === 0 ? 1 : 0) : (2 * shared) / (got.length + truth.length);
}

/** A line for each tree, so that a change can be looked at. */
function written({ features, base, edges, trees }: TrainedModel): string {
  const lines = (all: readonly (readonly number[])[]): string => all.map((one) => JSON.stringify(one)).join(',\n');
  return `{"features":${features},"base":${base},"edges":[\n${lines(edges)}\n],"trees":[\n${lines(trees)}\n]}\n`;
}
