import type { Command } from 'commander';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { mean, ndcg, percentile, recall } from '../domain/retrieval-metrics.ts';
import { AppError } from '../errors.ts';
import { readCollection, type Collection } from './collection.ts';
import type { CommandApp, CommandContext } from './context.ts';
import { createProgressBar, type ProgressBar } from './progress.ts';
import type { RunCommand } from './program.ts';

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
  for (const [position, { id, title, text }] of documents.entries()) {
    context.signal.throwIfAborted();
    const url = documentUrl(id);
    const whole = title === '' ? text : `# ${title.replaceAll(/\s+/g, ' ')}\n\n${text}`;
    const resource = {
      url,
      finalUrl: url,
      bytes: Buffer.from(whole),
      mediaType: 'text/markdown',
      declaredType: 'text/markdown',
      charset: 'utf-8',
      text: whole,
      fetchedAt: new Date(0).toISOString(),
    };
    await app.services.library.saveResource(
      account,
      resource,
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

async function ask(
  app: CommandApp,
  context: CommandContext,
  queries: Collection['queries'],
  { judgements }: Collection,
  bar: ProgressBar,
) {
  const times: number[] = [];
  const scores: { ndcg10: number; recall10: number; recall100: number }[] = [];
  let mode = '';
  for (const [position, query] of queries.entries()) {
    const began = performance.now();
    const answer = await app.services.search.search(
      context.caller.accountId,
      { query: query.text.slice(0, queryLength), limit: depth },
      context.signal,
    );
    times.push(performance.now() - began);
    mode = answer.mode;
    const ranked = answer.results.map((result) => documentId(result.url));
    const ofQuery = judgements.get(query.id) ?? new Map<string, number>();
    scores.push({
      ndcg10: ndcg(ranked, ofQuery, 10),
      recall10: recall(ranked, ofQuery, 10),
      recall100: recall(ranked, ofQuery, 100),
    });
    if (position % 20 === 0) bar.update(position, queries.length, 'queries asked');
  }
  return {
    mode,
    ndcg10: mean(scores.map((score) => score.ndcg10)),
    recall10: mean(scores.map((score) => score.recall10)),
    recall100: mean(scores.map((score) => score.recall100)),
    queryMsP50: percentile(times, 0.5),
    queryMsP95: percentile(times, 0.95),
  };
}

const address = 'https://collection.invalid/';

function documentUrl(id: string): string {
  return address + encodeURIComponent(id);
}

function documentId(url: string): string {
  return decodeURIComponent(url.slice(address.length));
}

/** Watches the anonymous memory of this process (Linux; null elsewhere), megabytes at the peak. */
function watchMemory(): { stop: () => Promise<number | null> } {
  let peak: number | null = null;
  const look = async () => {
    const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
    const kilobytes = /^RssAnon:\s+(\d+) kB/m.exec(status)?.[1];
    if (kilobytes !== undefined) peak = Math.max(peak ?? 0, Number(kilobytes) / 1_024);
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
  const rows: [string, string][] = [
    [
      'collection',
      `${report.collection}: ${report.documents} documents, ${report.passages} passages, ${report.queries} queries`,
    ],
    ['mode', report.mode],
    ['nDCG@10', report.ndcg10.toFixed(4)],
    ['recall@10', report.recall10.toFixed(4)],
    ['recall@100', report.recall100.toFixed(4)],
    ['ms/query p50', report.queryMsP50.toFixed(1)],
    ['ms/query p95', report.queryMsP95.toFixed(1)],
    ['passages/s', report.passagesPerSecond.toFixed(0)],
    [
      'peak anonymous memory',
      report.peakAnonymousMegabytes === null ? 'not known here' : `${report.peakAnonymousMegabytes.toFixed(0)} MB`,
    ],
  ];
  if (report.failed > 0) rows.push(['failed documents', String(report.failed)]);
  return rows.map(([name, value]) => `${name.padEnd(22)}${value}`).join('\n');
}
