import { localAccountId } from '../src/domain/records/account.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { layOutTranscript, type Document } from '../src/domain/records/texts/document.ts';
import { plainText } from '../src/domain/text/plain-text.ts';
import { ProcessingError } from '../src/errors.ts';
import { createReaders } from '../src/sources/host/readers.ts';
import { readPdf } from '../src/sources/pdf/read-pdf.ts';

/*
 * How well and how fast PDFs are read: `node bench/pdf.ts <corpora> [--files | --print FILE | --agreement FOLDER]`. Bigram F1 as the corpora's README defines
 * it, against the same score of pdf.js's own order with nothing done to it. `--agreement` compares with the texts that other programs
 * read: beside each `NAME.pdf` of the folder stand `NAME.<program>.txt` and, for a locked file, `NAME.password`.
 */

const args = process.argv.slice(2);
const corpora = args.find((arg, i) => !arg.startsWith('--') && !args[i - 1]?.startsWith('--'));
if (corpora === undefined) throw new Error('Give the folder of the corpora: node bench/pdf.ts <corpora>');
const made = join(corpora, 'pdf-made');

function words(text: string): string[] {
  const pattern = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}_]+/gu;
  return text.normalize('NFKC').toLowerCase().match(pattern) ?? [];
}

function bigrams(text: string): Map<string, number> {
  const all = words(text);
  const counts = new Map<string, number>();
  for (let i = 0; i + 1 < all.length; i += 1) {
    const pair = `${all[i]} ${all[i + 1]}`;
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  return counts;
}

function bigramF1(got: string, truth: string): number {
  const [ours, theirs] = [bigrams(got), bigrams(truth)];
  let shared = 0;
  for (const [pair, count] of ours) shared += Math.min(count, theirs.get(pair) ?? 0);
  const total = (counts: Map<string, number>): number => [...counts.values()].reduce((sum, count) => sum + count, 0);
  return total(ours) + total(theirs) === 0 ? 1 : (2 * shared) / (total(ours) + total(theirs));
}

async function naiveText(bytes: Uint8Array): Promise<string> {
  const { openPdf } = await import('../src/sources/pdf/open-pdf.ts');
  const { document } = await openPdf(bytes, null);
  const parts: string[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const { items } = await (await document.getPage(number)).getTextContent();
    for (const item of items) if ('str' in item) parts.push(item.str + (item.hasEOL ? '\n' : ''));
    parts.push('\n');
  }
  return parts.join('');
}

const textOf = (document: Document): string => layOutTranscript(document.blocks).text;
const quiet = { url: 'file:///bench.pdf', password: null, ocr: false, progress: () => undefined };

const print = args[args.indexOf('--print') + 1];
if (args.includes('--print') && print !== undefined) {
  const password = args.includes('--password') ? (args[args.indexOf('--password') + 1] ?? null) : null;
  const { blocks, ...facts } = await readPdf(new Uint8Array(readFileSync(print)), { ...quiet, password });
  console.log(facts, `\n${layOutTranscript(blocks).text}`);
  process.exit();
}

/** Bigram F1 against the text of each other program; the best of them is a file's score. */
async function agreement(folder: string): Promise<void> {
  const names = readdirSync(folder);
  const rows: { file: string; best: number; scores: string }[] = [];
  for (const file of names.filter((name) => name.endsWith('.pdf'))) {
    const stem = file.slice(0, -'.pdf'.length);
    const others = names.filter((name) => name.startsWith(`${stem}.`) && name.endsWith('.txt'));
    const texts = others.map(
      (name) => [name.split('.').at(-2) ?? '', readFileSync(join(folder, name), 'utf8')] as const,
    );
    // Files in which no program finds text say nothing.
    if (!texts.some(([, text]) => words(text).length > 5)) continue;
    const password = names.includes(`${stem}.password`) ? readFileSync(join(folder, `${stem}.password`), 'utf8') : null;
    const read = await readPdf(new Uint8Array(readFileSync(join(folder, file))), { ...quiet, password }).catch(
      () => null,
    );
    const own = read === null ? '' : plainText(textOf(read));
    const scores = texts.map(([program, text]) => [program, bigramF1(own, text)] as const);
    const best = Math.max(...scores.map(([, score]) => score));
    rows.push({
      file: stem,
      best,
      scores: scores.map(([program, score]) => `${program} ${score.toFixed(3)}`).join(', '),
    });
  }
  console.table(rows.toSorted((a, b) => a.best - b.best).map((row) => ({ ...row, best: row.best.toFixed(3) })));
  const mean = rows.reduce((sum, { best }) => sum + best, 0) / rows.length;
  console.log(`agreement with the nearest other program: ${mean.toFixed(4)}, ${rows.length} files`);
}

const folder = args[args.indexOf('--agreement') + 1];
if (args.includes('--agreement') && folder !== undefined) {
  await agreement(folder);
  process.exit();
}

/** How well and how fast pages are read, in this process. */
async function score(): Promise<void> {
  const groups: Record<string, string[]> = {
    'one column': ['groff-1col'],
    'two columns': ['groff-2col', 'weasy-2col'],
    interleaved: ['interleaved-2col', 'rightfirst-2col'],
    table: ['weasy-table'],
    'many scripts': ['weasy-multilingual'],
  };
  const rows = [];
  for (const [group, names] of Object.entries(groups)) {
    for (const name of names) {
      const bytes = (): Uint8Array => new Uint8Array(readFileSync(join(made, `${name}.pdf`)));
      const truth = readFileSync(join(made, `${name}.txt`), 'utf8');
      const document = await readPdf(bytes(), quiet);
      rows.push({
        group,
        file: name,
        'bigram F1': bigramF1(plainText(textOf(document)), truth).toFixed(3),
        'stream order': bigramF1(await naiveText(bytes()), truth).toFixed(3),
        pages: document.pageCount,
        title: document.title,
        language: document.language,
      });
    }
  }
  console.table(rows);

  const big = new Uint8Array(readFileSync(join(made, 'big.pdf')));
  const before = process.cpuUsage();
  const { pageCount } = await readPdf(big, quiet);
  const { user, system } = process.cpuUsage(before);
  console.log(`big.pdf: ${pageCount} pages, ${((user + system) / 1000 / (pageCount ?? 1)).toFixed(1)} ms CPU a page`);
}

// Apart, where this process's own memory counts.
if (!args.includes('--files')) await score();

function ownMemory(pid: number | 'self'): number {
  return Number(/^RssAnon:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

/** Through a reading process, as the program reads; a hostile file must end with a failure in bearable time. */
const readers = createReaders();
const outcomes = [];
const files = [
  ...readdirSync(made).filter((name) => name.endsWith('.pdf')),
  ...readdirSync(join(made, 'evil')).map((name) => join('evil', name)),
];
let peakMemory = 0;
const nothing = (): Promise<never> => Promise.reject(new Error('nothing to fetch'));
const watch = setInterval(() => (peakMemory = Math.max(peakMemory, ownMemory('self'))), 20);
for (const name of files) {
  const bytes = new Uint8Array(readFileSync(join(made, name)));
  const url = `https://example.com/${name}`;
  const started = performance.now();
  let outcome: string;
  try {
    const { document, transcript } = await readers.read(
      { url, finalUrl: url, bytes, declaredType: null, fetchedAt: '', given: false },
      { signal: AbortSignal.timeout(120_000), accountId: localAccountId, supply: nothing },
    );
    outcome = `${document.contentType}, ${document.pageCount} pages, ${transcript.text.length} characters ${document.warnings.map(({ code }) => code).join(' ')}`;
  } catch (error) {
    outcome =
      error instanceof ProcessingError ? `${error.code}: ${error.message.slice(0, 60)}…` : `BROKEN ${String(error)}`;
  }
  outcomes.push({ file: name, ms: Math.round(performance.now() - started), outcome });
}
clearInterval(watch);
await readers.close();
console.table(outcomes);
console.log(
  `anonymous memory of this process at most ${Math.round(peakMemory)} MB${args.includes('--files') ? '' : ' (pdf.js itself is loaded in it for the scores above)'}`,
);
