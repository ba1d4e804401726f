import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { changeSettings } from '../../settings/config.ts';
import { AppError } from '../../errors.ts';
import type { Settings } from '../../settings/settings.ts';
import { makeTemporaryFolder } from '../../temporary-folder.ts';
import type { CommandApp, CommandContext, RunCommand } from '../context.ts';
import { createProgressBar, type ProgressBar } from '../progress.ts';
import { documentIdOf, documentResource, readCollection, type Collection } from './collection.ts';
import {
  averages,
  extremes,
  measure,
  quoteShare,
  scoresOf,
  waits,
  type JudgedQuery,
  type MeasuredMode,
  type QueryScores,
} from './measure.ts';
import { watchMemory } from './memory.ts';
import { readQuestions } from './eval-questions.ts';
import { renderReport, type Report } from './report.ts';

interface EvalFlags {
  queries?: string;
  compare?: Map<string, string>;
}

/** `eval`: measures search on a retrieval collection, or on the user's own questions. */
export function addEvalCommand(program: Command, run: RunCommand): void {
  program
    .command('eval')
    .description(
      'Measure search: on a folder with docs.jsonl, queries.jsonl and qrels.tsv, or on questions of your own',
    )
    .argument('[folder]', 'a retrieval collection, indexed into a data folder that is thrown away')
    .option(
      '--queries <file>',
      'questions about what you saved, one JSON object a line: query, relevant, quote, filters',
    )
    .option('--compare <setting=value>', 'measure once more with this setting (repeatable), side by side', collectPair)
    .action((folder: string | undefined, flags: EvalFlags) => run((context) => evaluate(context, folder, flags)));
}

function collectPair(text: string, before = new Map<string, string>()): Map<string, string> {
  const [name = '', ...value] = text.split('=');
  if (value.length === 0) {
    throw new AppError('invalid_input', '--compare takes a setting and its value, such as --compare embedder=none.');
  }
  return new Map(before).set(name.trim(), value.join('='));
}

async function evaluate(context: CommandContext, folder: string | undefined, flags: EvalFlags): Promise<void> {
  const compared = flags.compare === undefined ? null : changeSettings(context.config, flags.compare);
  if ((folder === undefined) === (flags.queries === undefined)) {
    throw new AppError(
      'invalid_input',
      'Name a folder with a retrieval collection, or a file of your own questions with --queries; one of the two.',
    );
  }
  const bar = createProgressBar(context.streams.stderr, context.json);
  const memory = watchMemory();
  try {
    const run =
      flags.queries === undefined
        ? await runCollection(context, resolve(folder ?? ''), compared, bar)
        : await runQuestions(context, resolve(flags.queries), compared, bar);
    const report: Report = {
      ...run.about,
      ...summarise(run.measured),
      ...(run.compared !== null && {
        compared: {
          settings: Object.fromEntries(flags.compare ?? []),
          ...summarise(run.compared),
          ...extremes(differencesBetween(run.measured.queries, run.compared.queries)),
        },
      }),
      peakAnonymousMegabytes: await memory.stop(),
    };
    bar.stop();
    context.print(report, () => renderReport(report));
  } finally {
    bar.stop();
    await memory.stop();
  }
}

interface MeasuredCollection {
  about: Pick<Report, 'collection' | 'documents' | 'passages' | 'failed' | 'passagesPerSecond'>;
  measured: MeasuredMode;
  compared: MeasuredMode | null;
}

async function runCollection(
  context: CommandContext,
  folder: string,
  changed: Settings | null,
  bar: ProgressBar,
): Promise<MeasuredCollection> {
  const collection = await readCollection(folder);
  const judged = collection.queries.flatMap(({ id, text }): JudgedQuery[] => {
    const judgements = collection.judgements.get(id);
    return judgements === undefined || judgements.size === 0 ? [] : [{ query: text.slice(0, 2_000), judgements }];
  });
  if (collection.documents.length === 0 || judged.length === 0) {
    throw new AppError('invalid_input', 'This collection has no documents, or no query with a judgement.');
  }
  const measureWith = async (data: string, settings: Partial<Settings>) => {
    const app = await context.open({ data, withoutAnalysis: true, minWorkers: 1, settings });
    const indexing = await index(app, context, collection, bar);
    const measured = await measure(app, context, judged, ({ url }) => documentIdOf(url ?? ''), bar);
    await app.close();
    return { indexing, measured };
  };
  const data = makeTemporaryFolder(join(tmpdir(), 'commonplace-eval-'));
  try {
    const { indexing, measured } = await measureWith(join(data, 'first'), {});
    // A setting can change what is indexed, so each run has its own data folder.
    const compared = changed === null ? null : await measureWith(join(data, 'compared'), changed);
    return {
      about: { collection: basename(folder), documents: collection.documents.length, ...indexing },
      measured,
      compared: compared?.measured ?? null,
    };
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}

/** Measures the user's own questions on the saved items. The library is opened read-only. */
async function runQuestions(
  context: CommandContext,
  path: string,
  changed: Settings | null,
  bar: ProgressBar,
): Promise<MeasuredCollection> {
  const measureWith = async (settings: Partial<Settings>) => {
    const app = await context.open({ readOnly: true, settings });
    const { queries, keyOf, items } = await readQuestions(path, app, context);
    const { passages } = await app.countIndexed();
    const measured = await measure(app, context, queries, keyOf, bar);
    await app.close();
    return { measured, items, passages };
  };
  const { measured, items, passages } = await measureWith({});
  const compared = changed === null ? null : (await measureWith(changed)).measured;
  return {
    about: { collection: basename(path), documents: items, passages, failed: 0, passagesPerSecond: null },
    measured,
    compared,
  };
}

/** Indexes the documents with the real pipeline, without the network and without analysis. */
async function index(app: CommandApp, context: CommandContext, { documents }: Collection, bar: ProgressBar) {
  const began = performance.now();
  const account = context.caller.accountId;
  for (const [position, document] of documents.entries()) {
    context.signal.throwIfAborted();
    await app.services.library.saveResource(account, documentResource(document), {}, { signal: context.signal });
    if (position % 50 === 0) bar.update(position, documents.length, 'documents queued');
  }
  await app.worker.runUntilEmpty(context.signal);
  context.signal.throwIfAborted();
  const seconds = (performance.now() - began) / 1_000;
  const { passages } = await app.countIndexed();
  const { total: failed } = await app.services.library.list(account, { limit: 1, offset: 0, status: 'failed' });
  return { passages, failed, passagesPerSecond: passages / seconds };
}

function summarise({ mode, queries, times, passagesToEmbed }: MeasuredMode) {
  return {
    queries: queries.length,
    mode,
    passagesToEmbed,
    rankings: averages(queries),
    quotesShown: quoteShare(queries),
    ...extremes(
      queries.flatMap(({ query, scores: { lexical, hybrid } }) =>
        lexical === undefined || hybrid === undefined ? [] : [{ query, before: lexical.ndcg10, after: hybrid.ndcg10 }],
      ),
    ),
    ...waits(times),
  };
}

function differencesBetween(before: readonly QueryScores[], after: readonly QueryScores[]) {
  return before.flatMap((one, position) => {
    const other = after[position];
    return other === undefined
      ? []
      : [{ query: one.query, before: scoresOf(one).ndcg10, after: scoresOf(other).ndcg10 }];
  });
}
