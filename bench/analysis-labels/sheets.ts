/**
 * Writes pages with what the analyst without a language model makes of them, for people who grade it:
 * `node bench/analysis-labels/sheets.ts <corpora> <folder to write to> <train | held-out>`. One file per page, in an order
 * of chance: title, kind, text, summary, insights. Nothing says which version of the program wrote them.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLog } from '../../src/workers/log.ts';
import { createExtractiveAnalyst } from '../../src/models/analysis/extractive/index.ts';
import { createMiniLm, createTitleComparer } from '../../src/models/embedding/index.ts';
import { readPages } from './corpus.ts';
import { byChance, readLines, type Split } from './material.ts';

const [corpora, folder, split] = process.argv.slice(2);
if (corpora === undefined || folder === undefined || (split !== 'train' && split !== 'held-out'))
  throw new Error('usage: sheets.ts <corpora> <folder to write to> <train | held-out>');
mkdirSync(folder, { recursive: true });

const rows = readLines<{ page: string; kind: string; split: Split }>(new URL('pages.jsonl', import.meta.url));
const wanted = new Set(rows.filter((row) => row.split === split).map(({ page }) => page));
const pages = byChance(await readPages(corpora, (id) => wanted.has(id)), ({ id }) => `sheets ${id}`);
const log = createLog('warn');
const embedder = createMiniLm({ idleMs: 60_000, log });
const analyst = createExtractiveAnalyst(createTitleComparer(embedder, log));
const signal = new AbortController().signal;
let ms = 0;
for (const [at, { id, title, kind, transcript }] of pages.entries()) {
  const started = performance.now();
  const { summary, insights } = await analyst.analyse({ title, language: 'en', ...transcript }, [], signal);
  ms += performance.now() - started;
  const sheet = [
    `# ${title}`,
    `Page: ${id}. Kind: ${kind}.`,
    '## Text',
    transcript.text,
    '## Summary',
    summary ?? '(none)',
    '## Insights',
    insights.length === 0 ? '(none)' : insights.map(({ text }, n) => `${n + 1}. ${text}`).join('\n'),
  ].join('\n\n');
  writeFileSync(join(folder, `${String(at + 1).padStart(3, '0')}.md`), `${sheet}\n`);
}
await embedder.close();
console.log(`${pages.length} pages, ${(ms / pages.length).toFixed(0)} ms a page`);
