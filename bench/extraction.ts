import { localAccountId } from '../src/domain/records/account.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { layOutTranscript } from '../src/domain/records/texts/document.ts';
import { plainText } from '../src/domain/text/plain-text.ts';
import { ProcessingError } from '../src/errors.ts';
import { sniffResource } from '../src/sources/decoding/sniff.ts';
import { extractPage } from '../src/sources/page/extract-page.ts';
import { createReaders } from '../src/sources/host/readers.ts';
import { explain, explainWarnings, mean, scoreWords, wordsOf, type WordScore } from './word-scores.ts';

/*
 * How well and how fast pages are read: `node bench/extraction.ts <corpora> [--every N] [--worst N] [--only ID] [--misses title|author|date]`. Scores as the corpora's
 * README defines them; texts are compared without their Markdown.
 */

interface Truth {
  id: string;
  url: string;
  html: string;
  text: string;
  title: string | null;
  author: string | null;
  published: string | null;
  with: string[];
  without: string[];
  pageType: string;
}

interface Score extends WordScore {
  id: string;
  url: string;
  pageType: string;
  title: boolean | null;
  author: boolean | null;
  date: boolean | null;
  got: { title: string | null; author: string | null; date: string | null };
  page: Truth;
  cpuMs: number;
  outcome: string;
}

const args = process.argv.slice(2);
const corpora = args.find((arg, i) => !arg.startsWith('--') && !args[i - 1]?.startsWith('--'));
if (corpora === undefined) throw new Error('Give the folder of the corpora: node bench/extraction.ts <corpora>');
const option = (name: string): string | undefined => {
  const at = args.indexOf(`--${name}`);
  return at === -1 ? undefined : args[at + 1];
};

function normalise(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ').trim();
}

function readPage(file: string): Uint8Array {
  return new Uint8Array(gunzipSync(readFileSync(file)));
}

async function scorePage(truth: Truth): Promise<Score> {
  const bytes = readPage(join(corpora ?? '', 'articles', truth.html));
  const { text: html } = await sniffResource(bytes, 'text/html', truth.url);
  const before = process.cpuUsage();
  let text = '';
  let outcome = 'ok';
  let got: Score['got'] = { title: null, author: null, date: null };
  try {
    const document = await extractPage(html ?? '', truth.url);
    text = plainText(layOutTranscript(document.blocks).text);
    got = { title: document.title, author: document.author, date: document.publishedAt };
    if (document.warnings.length > 0) outcome = document.warnings.map(({ code }) => code).join(' ');
  } catch (error) {
    outcome = error instanceof ProcessingError ? error.code : String(error);
  }
  const { user, system } = process.cpuUsage(before);
  return {
    id: truth.id,
    url: truth.url,
    pageType: truth.pageType,
    ...scoreWords(wordsOf(text), wordsOf(truth.text)),
    title: truth.title === null ? null : normalise(got.title ?? '') === normalise(truth.title),
    author: truth.author === null ? null : normalise(got.author ?? '').includes(normalise(truth.author)),
    date: truth.published === null ? null : got.date?.slice(0, 10) === truth.published.slice(0, 10),
    got,
    page: truth,
    cpuMs: (user + system) / 1000,
    outcome,
  };
}

function share(scores: readonly Score[], field: 'title' | 'author' | 'date'): string {
  const known = scores.filter((score) => score[field] !== null);
  return `${mean(known.map((score) => (score[field] === true ? 1 : 0)))} (${known.length})`;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function row(name: string, scores: readonly Score[]): Record<string, string | number> {
  return {
    type: name,
    pages: scores.length,
    F1: mean(scores.map(({ f1 }) => f1)),
    precision: mean(scores.map(({ precision }) => precision)),
    recall: mean(scores.map(({ recall }) => recall)),
    title: share(scores, 'title'),
    author: share(scores, 'author'),
    date: share(scores, 'date'),
    'CPU ms p50': Math.round(median(scores.map(({ cpuMs }) => cpuMs))),
    'CPU ms max': Math.round(Math.max(0, ...scores.map(({ cpuMs }) => cpuMs))),
  };
}

const only = option('only');
const manifest = readFileSync(join(corpora, 'articles', 'manifest.jsonl'), 'utf8')
  .trim()
  .split('\n');
const every = Number(option('every') ?? 1);
const truths = manifest
  .map((line) => JSON.parse(line) as Truth)
  .filter(({ id }, i) => (only === undefined ? i % every === 0 : id === only));
const scores: Score[] = [];
for (const truth of truths) scores.push(await scorePage(truth));

const types = [...new Set(scores.map(({ pageType }) => pageType))];
console.table([
  row('all', scores),
  ...types.map((type) =>
    row(
      type,
      scores.filter(({ pageType }) => pageType === type),
    ),
  ),
]);

const outcomes = Map.groupBy(scores, ({ outcome }) => outcome);
console.log('outcomes:', Object.fromEntries([...outcomes].map(([outcome, those]) => [outcome, those.length])));
console.log(explainWarnings(scores.map((score) => ({ score, isWarned: score.outcome.includes('text_left_out') }))));

const worst = Number(option('worst') ?? 10);
for (const score of scores.toSorted((a, b) => a.f1 - b.f1).slice(0, worst)) {
  console.log(score.id, score.pageType, explain(score), score.outcome, score.url);
}
const misses = option('misses');
if (misses === 'title' || misses === 'author' || misses === 'date') {
  for (const { id, url, got, page, ...score } of scores) {
    if (score[misses] !== false) continue;
    console.log(
      id,
      score.pageType,
      JSON.stringify([got[misses], misses === 'date' ? page.published : page[misses]]),
      url,
    );
  }
}

if (only === undefined) {
  const readers = createReaders();
  const rows = [];
  for (const name of readdirSync(join(corpora, 'hard-html')).toSorted()) {
    const bytes = readPage(join(corpora, 'hard-html', name));
    const url = `https://example.com/${name.replace(/\.html\.gz$/, '')}`;
    const started = performance.now();
    let outcome: string;
    try {
      const { document, transcript } = await readers.read(
        { url, finalUrl: url, bytes, declaredType: 'text/html', fetchedAt: '', given: false },
        {
          signal: AbortSignal.timeout(60_000),
          accountId: localAccountId,
          supply: () => Promise.reject(new Error('nothing to fetch')),
        },
      );
      const { title, author, warnings } = document;
      outcome = `${transcript.text.length} characters, ${transcript.blocks.length} blocks, ${JSON.stringify(title)} ${author ?? ''} ${warnings.map(({ code }) => code).join(' ')}`;
    } catch (error) {
      outcome =
        error instanceof ProcessingError ? `${error.code}: ${error.message.slice(0, 70)}…` : `BROKEN ${String(error)}`;
    }
    rows.push({ file: name.replace('.html.gz', ''), ms: Math.round(performance.now() - started), outcome });
  }
  await readers.close();
  console.table(rows);

  // The PDFs' part: `node bench/pdf.ts <corpora>` prints it alone.
  await import('./pdf.ts');
}
