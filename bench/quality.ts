/*
 * Measures search on retrieval collections and chooses how much meaning counts beside words.
 *
 *   npm run build && npx node bench/quality.ts <folder of collections> [--cache <folder>] [--json]
 *
 * A collection is a folder with docs.jsonl, queries.jsonl and qrels.tsv. Documents go through the real pipeline (split,
 * embed), which takes minutes: `--cache` keeps the data folders for the next run. For every share of meaning the fused
 * ranking is scored (nDCG@10); "left out" is the score with the share that is best on the mean of all others.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { createApp, type App } from '../src/app/app.ts';

import {
  documentIdOf,
  documentResource,
  readCollection,
  type Collection,
  noAnalysis,
  countPassages,
} from './retrieval/collection.ts';
import { loadConfig } from '../src/settings/config.ts';
import { mean, ndcg } from './retrieval/metrics.ts';
import type { RankedPassage } from '../src/domain/records/texts/passage.ts';
import { fuseRankings, meaningShare } from '../src/search/ranking.ts';
import { understands } from '../src/services/search/meaning.ts';
import type { Store } from '../src/store/store.ts';

const shares = [0, 0.1, 0.2, 0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7, 0.8, 0.9, 1];
const depth = 200;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { cache: { type: 'string' }, json: { type: 'boolean', default: false } },
});
const [root] = positionals;
if (root === undefined) throw new Error('usage: quality.ts <folder of collections> [--cache <folder>] [--json]');

async function index(app: App, { documents }: Collection): Promise<void> {
  const store = await app.stores.open('local');
  for (const document of documents) {
    const original = documentResource(document);
    await store.saveContent({ url: original.url, canonicalUrl: original.url, tags: [], notes: undefined, original });
  }
  await app.worker.runUntilEmpty();
}

interface Asked {
  judgements: ReadonlyMap<string, number>;
  lexical: RankedPassage[];
  /** Null where the question is not for the model. */
  semantic: RankedPassage[] | null;
  withoutVector: ReadonlySet<number>;
  documentOf: Map<number, string>;
}

async function ask(app: App, store: Store, { queries, judgements }: Collection): Promise<Asked[]> {
  const { embedder } = app;
  if (embedder === null) throw new Error('this measures the built-in embedder: do not set it to none');
  // Whatever has no vector when all is processed never gets one: it is in another language than the model's.
  const { passages: most } = await store.countVectors(embedder.id);
  const waiting = await store.listPassagesToEmbed(embedder.id, most);
  const withoutVector = new Set(waiting.map(({ passageId }) => passageId));
  const { passages: known } = await store.countVectors(embedder.id, embedder.languages);
  const asked: Asked[] = [];
  for (const { id, text } of queries) {
    const ofQuery = judgements.get(id);
    if (ofQuery === undefined) continue;
    const lexical = await store.searchWords(text, {}, depth);
    const semantic = understands(embedder, text, known / most)
      ? await store.searchVectors(embedder.id, await embedder.embedQuery(text, AbortSignal.timeout(60_000)), {}, depth)
      : null;
    const ids = [...new Set([...lexical, ...(semantic ?? [])].map(({ passageId }) => passageId))];
    const passages = await store.readPassages(ids);
    const documentOf = new Map(passages.map(({ passageId, itemUrl }) => [passageId, documentIdOf(itemUrl ?? '')]));
    asked.push({ judgements: ofQuery, lexical, semantic, withoutVector, documentOf });
  }
  return asked;
}

/** Mean nDCG@10; a document ranks where its best passage does. */
function score(asked: readonly Asked[], rank: (one: Asked) => readonly RankedPassage[]): number {
  return mean(
    asked.map((one) => {
      const documents = [...new Set(rank(one).map(({ passageId }) => one.documentOf.get(passageId) ?? ''))];
      return ndcg(documents, one.judgements, 10);
    }),
  );
}

const hybrid =
  (share: number) =>
  ({ lexical, semantic, withoutVector }: Asked) =>
    semantic === null ? lexical : fuseRankings(lexical, semantic, withoutVector, { share });

interface Row {
  collection: string;
  passages: number;
  lexical: number;
  dense: number;
  byShare: number[];
}

const rows: Row[] = [];
const names = readdirSync(root)
  .sort()
  .filter((name) => existsSync(join(root, name, 'docs.jsonl')));
if (names.length === 0) throw new Error(`${root} has no collections: name the folder that holds them`);
for (const name of names) {
  const cached = options.cache === undefined ? undefined : join(options.cache, name);
  const fresh = cached === undefined || !existsSync(cached);
  const data = cached ?? mkdtempSync(join(tmpdir(), 'commonplace-quality-'));
  const collection = await readCollection(join(root, name));
  const app = await createApp(loadConfig({ data, logLevel: 'error' }, {}), { analyst: noAnalysis });
  if (fresh) await index(app, collection);
  const store = await app.stores.open('local');
  const asked = await ask(app, store, collection);
  rows.push({
    collection: basename(name),
    passages: await countPassages(app),
    lexical: score(asked, ({ lexical }) => lexical),
    dense: score(asked, ({ semantic }) => semantic ?? []),
    byShare: shares.map((share) => score(asked, hybrid(share))),
  });
  await app.close();
  if (cached === undefined) rmSync(data, { recursive: true });
}

/** The share that is best on the mean of the gains over BM25 in these collections. */
function bestShare(among: readonly Row[]): number {
  const gains = shares.map((_, at) => mean(among.map(({ byShare, lexical }) => (byShare[at] ?? 0) / lexical)));
  return gains.indexOf(Math.max(...gains));
}

const chosen = shares.indexOf(meaningShare);
if (options.json) process.stdout.write(`${JSON.stringify({ shares, meaningShare, rows }, null, 2)}\n`);
else {
  const cell = (value: number) => value.toFixed(4).padStart(8);
  const line = (name: string, cells: string[]) => process.stdout.write(`${name.padEnd(16)}${cells.join('')}\n`);
  line(
    'nDCG@10',
    ['passages', 'lexical', 'dense', 'hybrid', 'gain %', 'left out', 'share'].map((head) => head.padStart(9)),
  );
  for (const row of rows) {
    const leftOut = bestShare(rows.filter((other) => other !== row));
    const of = row.byShare[chosen] ?? Number.NaN;
    line(row.collection, [
      String(row.passages).padStart(9),
      ...[row.lexical, row.dense, of].map((value) => ` ${cell(value)}`),
      ((of / row.lexical - 1) * 100).toFixed(2).padStart(9),
      ` ${cell(row.byShare[leftOut] ?? Number.NaN)}`,
      String(shares[leftOut]).padStart(9),
    ]);
  }
  const gain = mean(rows.map(({ byShare, lexical }) => (byShare[chosen] ?? 0) / lexical - 1)) * 100;
  process.stdout.write(
    `\nshare ${meaningShare}: mean gain over BM25 ${gain.toFixed(2)} %; best on all: ${shares[bestShare(rows)]}\n\nby share\n`,
  );
  line(
    '',
    shares.map((share) => String(share).padStart(9)),
  );
  for (const row of rows)
    line(
      row.collection,
      row.byShare.map((value) => ` ${cell(value)}`),
    );
}
process.exit(0);
