/*
 * Measures search in one library of several languages:
 *
 *   npm run build && npx node bench/mixed-library.ts <collection>… [--across <collection>=<name>]… [--cache <folder>] [--json]
 *
 * A collection is a folder with docs.jsonl, queries.jsonl and qrels.tsv, in one language; their documents make up the
 * library. Each question is asked by words alone and as everybody asks it. No language may be lower by more than .002
 * than by its words alone. `--across` asks the questions of a collection that is not in the library, and the documents of
 * the same ids in the collection of that name answer them: XQuAD has the same ids in each language.
 * `strong` is the share of questions with a strong match, `absent` the same with the documents that answer left out of
 * the library: every other document of each collection, in a second library.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { createApp, type App } from '../src/app/app.ts';

import { documentIdOf, documentResource, readCollection, type Collection, noAnalysis } from './retrieval/collection.ts';
import type { RankBy } from '../src/domain/search/query-language.ts';
import { mean, ndcg } from './retrieval/metrics.ts';
import { loadConfig } from '../src/settings/config.ts';

const { values: options, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    across: { type: 'string', multiple: true, default: [] },
    cache: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
if (folders.length === 0) throw new Error('usage: mixed-library.ts <collection>… [--across <collection>=<name>]…');

const nameOf = (folder: string, id: string): string => `${basename(folder)}/${id}`;
const collections = await Promise.all(folders.map(async (folder) => ({ folder, ...(await readCollection(folder)) })));

/** Makes a library of the documents, or opens it if it was made before. */
async function openLibrary(name: string, isIn: (place: number) => boolean): Promise<App> {
  const cached = options.cache === undefined ? undefined : join(options.cache, name);
  const data = cached ?? mkdtempSync(join(tmpdir(), 'commonplace-mixed-'));
  const isThere = cached !== undefined && existsSync(cached);
  const app = await createApp(loadConfig({ data, logLevel: 'error' }, {}), { analyst: noAnalysis });
  if (!isThere) {
    const store = await app.stores.open('local');
    for (const { folder, documents } of collections) {
      for (const document of documents.filter((_, place) => isIn(place))) {
        const original = documentResource({ ...document, id: nameOf(folder, document.id) });
        await store.saveContent({
          url: original.url,
          canonicalUrl: original.url,
          tags: [],
          notes: undefined,
          original,
        });
      }
    }
    await app.worker.runUntilEmpty();
  }
  if (cached === undefined) process.on('exit', () => rmSync(data, { recursive: true }));
  return app;
}

const signal = new AbortController().signal;

async function ask(app: App, query: string, by: RankBy): Promise<{ found: string[]; match: string | undefined }> {
  const { results, match } = await app.services.search.search('local', { query, limit: 10 }, signal, by);
  return { found: results.map(({ url }) => documentIdOf(url ?? '')), match };
}

interface Row {
  questions: string;
  words: number;
  both: number;
  /** Recall@10. */
  found: number;
  strong: number;
  absent: number;
}

async function measure(title: string, { queries, judgements }: Collection, answering: string): Promise<Row> {
  const places = new Map(
    collections.find(({ folder }) => basename(folder) === answering)?.documents.map(({ id }, place) => [id, place]),
  );
  const asked: Omit<Row, 'questions' | 'absent'>[] = [];
  const absent: number[] = [];
  for (const { id, text } of queries) {
    const relevant = new Map(Array.from(judgements.get(id) ?? [], ([of, grade]) => [nameOf(answering, of), grade]));
    if (relevant.size === 0) continue;
    const words = await ask(whole, text, 'words');
    const both = await ask(whole, text, 'both');
    asked.push({
      words: ndcg(words.found, relevant, 10),
      both: ndcg(both.found, relevant, 10),
      found: both.found.some((one) => relevant.has(one)) ? 1 : 0,
      strong: both.match === 'strong' ? 1 : 0,
    });
    if ([...(judgements.get(id)?.keys() ?? [])].every((one) => (places.get(one) ?? 0) % 2 === 1))
      absent.push((await ask(half, text, 'both')).match === 'strong' ? 1 : 0);
  }
  const meanOf = (name: keyof (typeof asked)[number]) => mean(asked.map((one) => one[name]));
  return {
    questions: title,
    words: meanOf('words'),
    both: meanOf('both'),
    found: meanOf('found'),
    strong: meanOf('strong'),
    absent: mean(absent),
  };
}

const whole = await openLibrary('whole', () => true);
const half = await openLibrary('half', (place) => place % 2 === 0);
const rows: Row[] = [];
for (const { folder, ...collection } of collections)
  rows.push(await measure(basename(folder), collection, basename(folder)));
for (const across of options.across) {
  const [folder = '', answering = ''] = across.split('=');
  rows.push(await measure(`${basename(folder)} → ${answering}`, await readCollection(folder), answering));
}
await whole.close();
await half.close();

if (options.json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
else {
  const heads = ['words', 'both', 'change', 'found', 'strong', 'absent'];
  process.stdout.write(`${'nDCG@10'.padEnd(24)}${heads.map((head) => head.padStart(8)).join('')}\n`);
  for (const { questions, words, both, found, strong, absent } of rows) {
    const cells = [words, both, both - words, found, strong, absent].map((value) => value.toFixed(3).padStart(8));
    process.stdout.write(`${questions.padEnd(24)}${cells.join('')}\n`);
  }
}
process.exit(0);
