/**
 * Measures which labelled sentences are found as actions: `node bench/analysis-labels/actions.ts <corpora>`. Each page is
 * analysed as a whole; its best actions are shown, and all sentences that are found useful are counted, since only four
 * of a page are labelled. A procedure is judged by its
 * title, not here. Prints counts alone: of `held-out` nothing else is to be seen. `--show` prints those of `train`,
 * `--without-model` measures what is found without the sentence model.
 */
import { findUseful } from '../../src/models/analysis/extractive/actions.ts';
import { sourceSentences } from '../../src/models/analysis/extractive/candidates.ts';
import { createLog } from '../../src/workers/log.ts';
import { createExtractiveAnalyst } from '../../src/models/analysis/extractive/index.ts';
import { createMiniLm, createTitleComparer } from '../../src/models/embedding/index.ts';
import { english } from '../../src/models/analysis/extractive/languages/english.ts';
import { readPages } from './corpus.ts';
import { labelledSentences } from './labelled-sentences.ts';

const [corpora] = process.argv.slice(2);
if (corpora === undefined) throw new Error('usage: actions.ts <corpora>');
const labelled = labelledSentences();
const pages = await readPages(corpora, (id) => labelled.some(({ page }) => page === id));
const log = createLog('warn');
const embedder = createMiniLm({ idleMs: 60_000, log });
const compare = process.argv.includes('--without-model') ? null : createTitleComparer(embedder, log);
const analyst = createExtractiveAnalyst(compare);
const tools = { table: english, isEnglish: true, compare };
const { signal } = new AbortController();
const percent = (share: number): string => `${Math.round(100 * share)} %`;

for (const split of ['train', 'held-out'] as const) {
  for (const what of ['found', 'shown'] as const) {
    const labels = { useful: 0, generic: 0, noise: 0, other: 0 };
    let [found, all, rightly, actions] = [0, 0, 0, 0];
    for (const { id, title, transcript } of pages) {
      const own = labelled.filter((one) => one.page === id && one.split === split);
      if (own.length === 0) continue;
      const input = { title, language: 'en', ...transcript };
      const taken =
        what === 'shown'
          ? (await analyst.analyse(input, [], signal)).actions.flatMap((one) =>
              /, \d+ steps$/.test(one.title) ? [] : one.quote,
            )
          : (await findUseful(input, [...sourceSentences(input)], tools, () => undefined)).useful.map(
              ({ sentence }) => sentence,
            );
      actions += taken.length;
      for (const one of own) {
        const span = one.spanIn(transcript);
        all += one.useful;
        if (span === null || !taken.some(({ start, end }) => start < span.end && end > span.start)) continue;
        found += 1;
        rightly += one.useful;
        for (const label of one.labels) labels[label as keyof typeof labels] += 1 / one.labels.length;
        if (split === 'train' && process.argv.includes('--show'))
          console.log(one.labels.join('/'), transcript.text.slice(span.start, span.end));
      }
    }
    console.log(
      `${split}, ${what}: ${found} of ${actions} are labelled: useful ${percent(labels.useful / found)}, generic ${percent(labels.generic / found)}, noise ${percent((labels.noise + labels.other) / found)}; ${rightly} of ${all} useful ones`,
    );
  }
}
await embedder.close();
