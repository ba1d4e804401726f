import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { layOutTranscript } from '../../src/domain/records/texts/document.ts';
import { plainText } from '../../src/domain/text/plain-text.ts';
import { ProcessingError } from '../../src/errors.ts';
import { createBlockModel, type BlockModel } from '../../src/sources/page/blocks/block-model.ts';
import { bestExpected } from '../../src/sources/page/blocks/choose-blocks.ts';
import { extractPage } from '../../src/sources/page/extract-page.ts';
import { asRows, readPages, type LabelledPage } from './labelled-pages.ts';
import { binColumns, trainTrees, type BoostingSettings, type TrainedModel } from './boosted-trees.ts';
import { explain, explainWarnings, mean, scoreWords, wordsOf, type WordScore } from '../../bench/word-scores.ts';

/*
 * Trains the model that tells a page's content from what stands around it: `node scripts/page-blocks/train.ts <corpora> [--folds N]
 * [--out FILE]`. With `--folds` it writes no model, but measures: each page is judged by a model that has not seen it.
 */

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
if (folds > 1) await measure();
else {
  const model = trainTrees(binned, data, Int32Array.from(pageOf.keys()), settings);
  writeFileSync(option('out') ?? 'assets/page-blocks/model.json', written(model));
}

/** Every page by a model that has not seen it: that model alone, and all that reads a page, rules where it doubts included. */
async function measure(): Promise<void> {
  const alone: WordScore[] = [];
  const whole: WordScore[] = [];
  const warned: boolean[] = [];
  for (let fold = 0; fold < folds; fold += 1) {
    const rows = Int32Array.from(pageOf.keys()).filter((i) => (pageOf[i] ?? 0) % folds !== fold);
    const model = createBlockModel(trainTrees(binned, data, rows, settings));
    for (const [n, page] of pages.entries()) {
      if (n % folds !== fold) continue;
      const { text, isWarned } = await read(page, model);
      whole[n] = scoreWords(wordsOf(text), page.truth);
      warned[n] = isWarned;
      if (page.rows.length === 0) continue;
      const likely = page.rows.map((row) => model.probability(row));
      const { kept } = bestExpected(
        likely,
        page.texts.map((words) => words.length),
      );
      alone[n] = scoreWords(page.texts.filter((_, i) => kept[i]).flat(), page.truth);
    }
  }
  const f1 = (scores: readonly WordScore[], which: readonly number[]): string =>
    mean(which.flatMap((n) => scores[n]?.f1 ?? []));
  const row = (type: string, which: readonly number[]) => ({
    type,
    pages: which.length,
    'model alone': f1(alone, which),
    both: f1(whole, which),
  });
  const types = Map.groupBy(pages.keys(), (n) => pages[n]?.pageType ?? '');
  console.table([row('all', [...pages.keys()]), ...[...types].map(([type, which]) => row(type, which))]);
  console.log(explainWarnings(whole.map((score, n) => ({ score, isWarned: warned[n] === true }))));
  const worst = Number(option('worst') ?? 10);
  for (const [type, which] of [['all', [...pages.keys()]] as const, ['article', types.get('article') ?? []] as const]) {
    console.log(`\nworst of ${type}:`);
    const order = which.toSorted((a, b) => (whole[a]?.f1 ?? 0) - (whole[b]?.f1 ?? 0)).slice(0, worst);
    for (const n of order) console.log(pages[n]?.id, pages[n]?.pageType, explain(whole[n] as WordScore), pages[n]?.url);
  }
}

/** Its text, nothing for a page that is refused, and whether it has a warning of lost text. */
async function read({ html, url }: LabelledPage, model: BlockModel): Promise<{ text: string; isWarned: boolean }> {
  try {
    const { blocks, warnings } = await extractPage(html, url, { model: () => model });
    const isWarned = warnings.some(({ code }) => code === 'text_left_out');
    return { text: plainText(layOutTranscript(blocks).text), isWarned };
  } catch (error) {
    if (error instanceof ProcessingError) return { text: '', isWarned: false };
    throw error;
  }
}

/** A line for each tree, so that a change can be looked at. */
function written({ features, base, edges, trees }: TrainedModel): string {
  const lines = (all: readonly (readonly number[])[]): string => all.map((one) => JSON.stringify(one)).join(',\n');
  return `{"features":${features},"base":${base},"edges":[\n${lines(edges)}\n],"trees":[\n${lines(trees)}\n]}\n`;
}
