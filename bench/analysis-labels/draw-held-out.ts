/**
 * Draws further sentences, from pages of the corpora that no earlier draw used; half of the pages are held out:
 * `node bench/analysis-labels/draw-held-out.ts <corpora> <folder to write to>`. Adds them to `sentences.jsonl`, and writes
 * the sheets for labellers. It knows nothing of the rules: of each page that may advise at all it takes, by chance, at most
 * three sentences that look like instructions and one other.
 */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { candidates, context } from './candidates.ts';
import { readPages } from './corpus.ts';
import { byChance, hash16, readLines, splitOf } from './material.ts';

const [corpora, folder] = process.argv.slice(2);
if (corpora === undefined || folder === undefined)
  throw new Error('usage: draw-held-out.ts <corpora> <folder to write to>');
mkdirSync(folder, { recursive: true });
const rowsOfSheet = 100;

const sentences = new URL('sentences.jsonl', import.meta.url);
const earlier = new Set(
  [sentences, new URL('pages.jsonl', import.meta.url), new URL('pairs.jsonl', import.meta.url)].flatMap((file) =>
    readLines<{ page?: string }>(file).map(({ page }) => page),
  ),
);
const pages = await readPages(corpora, (id) => !earlier.has(id) && !/^(?:own|kind)-/.test(id));
const drawn = byChance(pages, ({ id }) => id).flatMap((page) => {
  const all = candidates(page);
  const telling = all.filter(({ tells }) => tells).slice(0, 3);
  return telling.length === 0 ? [] : [...telling, ...all.filter(({ tells }) => !tells).slice(0, 1)];
});
const first = readLines(sentences).length + 1;
const rows = drawn.map((one, at) => ({ id: `s${first + at}`, one }));
appendFileSync(
  sentences,
  rows
    .map(
      ({ id, one: { page, text } }) =>
        `${JSON.stringify({ id, page: page.id, sentence: hash16(text), split: splitOf(page.id) })}\n`,
    )
    .join(''),
);
for (let at = 0; at < rows.length; at += rowsOfSheet)
  writeFileSync(
    join(folder, `todo-${1 + at / rowsOfSheet}.txt`),
    rows
      .slice(at, at + rowsOfSheet)
      .map(({ id, one }) => `## ${id}\n${context(one)}`)
      .join('\n'),
  );
console.log(`${rows.length} sentences of ${new Set(drawn.map(({ page }) => page)).size} pages`);
