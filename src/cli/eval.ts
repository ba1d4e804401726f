import type { Command } from 'commander';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { mean, ndcg, percentile, recall } from '../domain/retrieval-metrics.ts';
import { AppError } from '../errors.ts';
import type { RankBy } from '../services/ranking.ts';
import { documentIdOf, documentResource, readCollection, type Collection } from './collection.ts';
import type { CommandApp, CommandContext, RunCommand } from './context.ts';
import { printable } from './output.ts';
import { createProgressBar, type ProgressBar } from './progress.ts';

/** `eval`: indexes a retrieval collection into a throw-away data folder and measures what search makes of it. */
export function addEvalCommand(program: Command, run: RunCommand): void {
  program
    .command('eval')
    .description('Measure search on a retrieval collection (docs.jsonl, queries.jsonl, qrels.tsv)')
    .argument('<folder>')
    .action((folder: string) => run((context) => evaluate(context, resolve(folder))));
}

const depth = 100;
const queryLength = 2_000;
const shownItems = 10;
const shownQueries = 5;

async function evaluate(context: CommandContext, folder: string): Promise<void> {
  const collection = await readCollection(folder);
  const judged = collection.queries.filter((query) => (collection.judgements.get(query.id)?.size ?? 0) > 0);
  if (collection.documents.length === 0 || judged.length === 0) {
    throw new AppError('invalid_input', 'This collection has no documents, or no query with a judgement.');
  }
  const data = await mkdtemp(join(tmpdir(), 'commonplace-eval-'));
  const bar = createProgressBar(context.streams.stderr, context.json);
  const memory = watchMemory();
  try {
    const app = await context.open({ data, withoutAnalysis: true, leastWorkers: 1 });
    const indexing = await index(app, context, collection, bar);
    const searching = await ask(app, context, judged, collection, bar);
    const peakAnonymousMegabytes = await memory.stop();
    const report = {
      collection: basename(folder),
      documents: collection.documents.length,
      queries: judged.length,
      ...indexing,
      ...searching,
      peakAnonymousMegabytes,
    };
    context.print(report, () => renderReport(report));
    await app.close();
  } finally {
    bar.stop();
    await memory.stop();
    await rm(data, { recursive: true, force: true });
  }
}

/** Puts the documents through the real pipeline, without the network and without analysis. */
async function index(app: CommandApp, context: CommandContext, { documents }: Collection, bar: ProgressBar) {
  const began = performance.now();
  const account = context.caller.accountId;
  for (const [position, document] of documents.entries()) {
    context.signal.throwIfAborted();
    await app.services.library.saveResource(
      account,
      documentResource(document),
      {},
      { signal: context.signal, onProgress: () => undefined },
    );
    if (position % 50 === 0) bar.update(position, documents.length, 'documents queued');
  }
  await app.worker.runUntilEmpty(context.signal);
  context.signal.throwIfAborted();
  const seconds = (performance.now() - began) / 1_000;
  const { passages } = await app.countIndexed();
  const { total: failed } = await app.services.library.list(account, { limit: 1, offset: 0, status: 'failed' });
  return { passages, failed, passagesPerSecond: passages / seconds };
}

/** The rankings that are put side by side, and how each is asked for. */
const rankings = { lexical: 'words', dense: 'meaning', hybrid: 'both' } as const;
type RankingName = keyof typeof rankings;

interface Scores {
  ndcg10: number;
  recall10: number;
  recall100: number;
}

interface QueryScores {
  query: string;
  scores: Partial<Record<RankingName, Scores>>;
}

async function ask(
  app: CommandApp,
  context: CommandContext,
  queries: Collection['queries'],
  { judgements }: Collection,
  bar: ProgressBar,
) {
  const account = context.caller.accountId;
  const times: number[] = [];
  const asked: QueryScores[] = [];
  let mode = '';
  for (const [position, { id, text }] of queries.entries()) {
    const query = text.slice(0, queryLength);
    // What a person waits for: the answer as it comes by default.
    const began = performance.now();
    mode = (await app.services.search.search(account, { query, limit: shownItems }, context.signal)).mode;
    times.push(performance.now() - began);
    const scores: QueryScores['scores'] = {};
    for (const [name, by] of Object.entries(rankings) as [RankingName, RankBy][]) {
      if (name !== 'lexical' && app.config.embedder === 'none') continue;
      const answer = await app.services.search.search(account, { query, limit: depth }, context.signal, by);
      const ranked = answer.results.map((result) => documentIdOf(result.url));
      const ofQuery = judgements.get(id) ?? new Map<string, number>();
      scores[name] = {
        ndcg10: ndcg(ranked, ofQuery, 10),
        recall10: recall(ranked, ofQuery, 10),
        recall100: recall(ranked, ofQuery, 100),
      };
    }
    asked.push({ query, scores });
    if (position % 20 === 0) bar.update(position, queries.length, 'queries asked');
  }
  return {
    mode,
    rankings: averages(asked),
    ...extremes(asked),
    queryMsP50: percentile(times, 0.5),
    queryMsP95: percentile(times, 0.95),
  };
}

function averages(asked: readonly QueryScores[]): Partial<Record<RankingName, Scores>> {
  const means: Partial<Record<RankingName, Scores>> = {};
  for (const name of Object.keys(rankings) as RankingName[]) {
    const of = asked.flatMap(({ scores }) => scores[name] ?? []);
    if (of.length === 0) continue;
    means[name] = {
      ndcg10: mean(of.map((score) => score.ndcg10)),
      recall10: mean(of.map((score) => score.recall10)),
      recall100: mean(of.map((score) => score.recall100)),
    };
  }
  return means;
}

interface Difference {
  query: string;
  lexical: number;
  hybrid: number;
}

/** The queries whose nDCG@10 meaning changed most, for the better and for the worse. */
function extremes(asked: readonly QueryScores[]): { gained: Difference[]; lost: Difference[] } {
  const changed = asked
    .flatMap(({ query, scores: { lexical, hybrid } }): Difference[] =>
      lexical === undefined || hybrid === undefined ? [] : [{ query, lexical: lexical.ndcg10, hybrid: hybrid.ndcg10 }],
    )
    .filter(({ lexical, hybrid }) => lexical !== hybrid)
    .sort((a, b) => b.hybrid - b.lexical - (a.hybrid - a.lexical));
  return {
    gained: changed.filter(({ lexical, hybrid }) => hybrid > lexical).slice(0, shownQueries),
    lost: changed
      .filter(({ lexical, hybrid }) => hybrid < lexical)
      .slice(-shownQueries)
      .reverse(),
  };
}

/** Watches the anonymous memory of this process and of the model's (Linux; null elsewhere), megabytes at the peak. */
function watchMemory(): { stop: () => Promise<number | null> } {
  let peak: number | null = null;
  const read = (path: string) => readFile(path, 'utf8').catch(() => '');
  const look = async () => {
    const children = (await read(`/proc/self/task/${process.pid}/children`)).split(' ').filter(Boolean);
    let total = 0;
    for (const pid of ['self', ...children]) {
      total += Number(/^RssAnon:\s+(\d+) kB/m.exec(await read(`/proc/${pid}/status`))?.[1] ?? 0) / 1_024;
    }
    if (total > 0) peak = Math.max(peak ?? 0, total);
  };
  const timer = setInterval(() => void look(), 50);
  return {
    stop: async () => {
      clearInterval(timer);
      await look();
      return peak;
    },
  };
}

type Report = Awaited<ReturnType<typeof ask>> &
  Awaited<ReturnType<typeof index>> & {
    collection: string;
    documents: number;
    queries: number;
    peakAnonymousMegabytes: number | null;
  };

function renderReport(report: Report): string {
  const { lexical, dense, hybrid } = report.rankings;
  const columns = [lexical, dense, hybrid].map((scores) => scores ?? null);
  const row = (name: string, cells: readonly string[]) =>
    name.padEnd(24) + cells.map((cell) => cell.padStart(9)).join('');
  const scored = (name: string, key: keyof Scores) =>
    row(
      name,
      columns.map((scores) => (scores === null ? '–' : scores[key].toFixed(4))),
    );
  const one = (name: string, value: string) => `${name.padEnd(26)}${value}`;
  const memory = report.peakAnonymousMegabytes;
  const lines = [
    `${report.collection}: ${report.documents} documents, ${report.passages} passages, ${report.queries} queries (${report.mode})`,
    '',
    row('', ['lexical', 'dense', 'hybrid']),
    scored('nDCG@10', 'ndcg10'),
    scored('recall@10', 'recall10'),
    scored('recall@100', 'recall100'),
    '',
    one('ms/query p50', report.queryMsP50.toFixed(1)),
    one('ms/query p95', report.queryMsP95.toFixed(1)),
    one('passages/s', report.passagesPerSecond.toFixed(1)),
    one('peak anonymous memory', memory === null ? 'not known here' : `${memory.toFixed(0)} MB`),
  ];
  if (report.failed > 0) lines.push(one('failed documents', String(report.failed)));
  for (const [name, queries] of [
    ['Gained most from meaning', report.gained],
    ['Lost most', report.lost],
  ] as const) {
    if (queries.length === 0) continue;
    lines.push('', `${name} (nDCG@10 lexical → hybrid)`);
    for (const { query, lexical: before, hybrid: after } of queries) {
      lines.push(
        `  ${before.toFixed(2)} → ${after.toFixed(2)}  ${printable(query).replaceAll(/\s+/g, ' ').slice(0, 100)}`,
      );
    }
  }
  return lines.join('\n');
}
