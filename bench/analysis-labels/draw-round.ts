/**
 * Draws the third round: 80 pages of all kinds whose summaries were never graded and that the first draw did not use, and at
 * most four unlabelled sentences of each that look like instructions; about half of the pages are held out:
 * `node bench/analysis-labels/draw-round.ts <corpora> <folder to write to>`. Adds them to `sentences.jsonl` and `pages.jsonl`
 * (`round`: 3), and writes the sheets for labellers. It knows nothing of the rules.
 */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { candidates, context } from './candidates.ts';
import { readPages } from './corpus.ts';
import { byChance, hash16, readLines, splitOf } from './material.ts';

const [corpora, folder] = process.argv.slice(2);
if (corpora === undefined || folder === undefined)
  throw new Error('usage: draw-round.ts <corpora> <folder to write to>');
mkdirSync(folder, { recursive: true });
const round = 3;
const perKind = { article: 42, service: 8, listing: 6, documentation: 6, forum: 5, product: 7, collection: 6 };
const rowsOfFirstDraw = 400;

const file = (name: string): URL => new URL(name, import.meta.url);
const known = readLines<{ page: string; sentence: string }>(file('sentences.jsonl'));
const earlier = new Set([
  ...known.slice(0, rowsOfFirstDraw).map(({ page }) => page),
  ...['pages.jsonl', 'pairs.jsonl'].flatMap((name) => readLines<{ page?: string }>(file(name)).map(({ page }) => page)),
]);
const labelled = new Set(known.map(({ page, sentence }) => `${page} ${sentence}`));
const pages = byChance(
  await readPages(corpora, (id) => !earlier.has(id) && !/^(?:own|kind)-/.test(id)),
  ({ id }) => `round ${round} ${id}`,
);
const drawn = Object.entries(perKind).flatMap(([kind, count]) =>
  pages.filter((page) => page.kind === kind).slice(0, count),
);
const rows = drawn
  .flatMap((page) =>
    candidates(page)
      .filter(({ tells, text }) => tells && !labelled.has(`${page.id} ${hash16(text)}`))
      .slice(0, 4),
  )
  .map((one, at) => ({ id: `s${known.length + 1 + at}`, one, split: splitOf(one.page.id) }));
const lines = (all: readonly object[]): string => all.map((row) => `${JSON.stringify(row)}\n`).join('');
appendFileSync(
  file('sentences.jsonl'),
  lines(
    rows.map(({ id, one: { page, text }, split }) => ({ id, page: page.id, sentence: hash16(text), split, round })),
  ),
);
appendFileSync(
  file('pages.jsonl'),
  lines(drawn.map(({ id, kind }) => ({ page: id, kind, split: splitOf(id), round }))),
);
for (const part of ['train', 'held-out'] as const)
  writeFileSync(
    join(folder, `round-${part}.txt`),
    rows
      .filter(({ split }) => split === part)
      .map(({ id, one }) => `## ${id}\n${context(one)}`)
      .join('\n'),
  );
console.log(`${rows.length} sentences of ${drawn.length} pages`);
