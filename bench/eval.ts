/*
 * Measures search on a retrieval collection, or on questions about what you saved (docs/measuring-search.md).
 *
 *   npm run build && npx node bench/eval.ts <folder with docs.jsonl, queries.jsonl and qrels.tsv> [--json]
 *   npm run build && npx node bench/eval.ts --queries mine.jsonl [--data <folder>] [--json]
 *
 * `--compare <setting=value>` (repeatable) measures once more with other settings. Each setting is a flag as well:
 * `--embedder none`. A collection is indexed into a data folder that is thrown away; a library is only read.
 */
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createApp, type App } from '../src/app/app.ts';
import type { AppOverrides } from '../src/app/app-overrides.ts';
import { withSwitchesOn } from '../src/cli/arguments/flags.ts';
import { localAccountId } from '../src/domain/records/account.ts';
import { AppError } from '../src/errors.ts';
import { flagName, loadConfig, type Config } from '../src/settings/config.ts';
import { isSettingName, secretSettings, type SettingName, settings } from '../src/settings/settings.ts';
import { makeTemporaryFolder } from '../src/workers/temporary-folder.ts';
import {
  countPassages,
  documentIdOf,
  documentResource,
  noAnalysis,
  readCollection,
  type Collection,
} from './retrieval/collection.ts';
import { differencesBetween, measure, summarise, type JudgedQuery, type MeasuredMode } from './retrieval/measure.ts';
import { watchMemory } from './retrieval/memory.ts';
import { readQuestions } from './retrieval/questions.ts';
import { renderReport, type Report } from './retrieval/report.ts';

interface MeasuredCollection {
  about: Pick<Report, 'collection' | 'documents' | 'passages' | 'failed' | 'passagesPerSecond'>;
  measured: MeasuredMode;
  compared: MeasuredMode | null;
}

/** Settings of the command line, as text by name. */
type Flags = Readonly<Record<string, string | undefined>>;

const settingFlags = (Object.keys(settings.shape) as SettingName[]).filter((name) => !secretSettings.has(name));

async function evaluate(argv: readonly string[]): Promise<string> {
  const { values, positionals } = parseArgs({
    args: withSwitchesOn(argv),
    allowPositionals: true,
    options: {
      queries: { type: 'string' },
      compare: { type: 'string', multiple: true, default: [] },
      json: { type: 'boolean', default: false },
      data: { type: 'string' },
      ...Object.fromEntries(settingFlags.map((name) => [flagName(name).slice(2), { type: 'string' as const }])),
    },
  });
  const { queries, compare, json, data, ...given } = values;
  const changes = Object.fromEntries(compare.map(pairOf));
  const flags: Flags = {
    logLevel: 'error',
    data,
    ...Object.fromEntries(
      settingFlags
        .map((name) => [name, (given as Flags)[flagName(name).slice(2)]] as const)
        .filter(([, value]) => value !== undefined),
    ),
  };
  const config = loadConfig(flags);
  const changed = compare.length === 0 ? null : loadConfig({ ...flags, ...changes });
  const [folder] = positionals;
  if ((folder === undefined) === (queries === undefined) || positionals.length > 1)
    throw new AppError(
      'invalid_input',
      'Name a folder with a retrieval collection, or a file of your own questions with --queries; one of the two.',
    );
  const memory = watchMemory();
  const run =
    queries === undefined
      ? await runCollection(resolve(folder ?? ''), config, changed)
      : await runQuestions(resolve(queries), config, changed);
  const report: Report = {
    ...run.about,
    ...summarise(run.measured),
    ...(run.compared !== null && {
      compared: {
        settings: changes,
        ...summarise(run.compared),
        ...differencesBetween(run.measured.queries, run.compared.queries),
      },
    }),
    peakAnonymousMegabytes: await memory.stop(),
  };
  return json ? JSON.stringify(report, null, 2) : renderReport(report);
}

function pairOf(text: string): [name: string, value: string] {
  const [name = '', ...value] = text.split('=');
  if (value.length === 0)
    throw new AppError('invalid_input', '--compare takes a setting and its value, such as --compare embedder=none.');
  if (!isSettingName(name.trim()) || secretSettings.has(name.trim() as SettingName))
    throw new AppError('invalid_input', `${name} is not a setting that can be changed here.`);
  return [name.trim(), value.join('=')];
}

async function runWith<T>(config: Config, overrides: AppOverrides, work: (app: App) => Promise<T>): Promise<T> {
  const app = await createApp(config, overrides);
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

async function runCollection(folder: string, config: Config, changed: Config | null): Promise<MeasuredCollection> {
  const collection = await readCollection(folder);
  const judged = collection.queries.flatMap(({ id, text }): JudgedQuery[] => {
    const judgements = collection.judgements.get(id);
    return judgements === undefined || judgements.size === 0 ? [] : [{ query: text.slice(0, 2_000), judgements }];
  });
  if (collection.documents.length === 0 || judged.length === 0)
    throw new AppError('invalid_input', 'This collection has no documents, or no query with a judgement.');
  const measureWith = (given: Config, data: string) =>
    runWith(
      // What is indexed is in this folder, whatever database the settings name.
      { ...given, data, databaseUrl: '', workers: Math.max(given.workers, 1) },
      { analyst: noAnalysis, llmAnalyst: null, modelsFolder: join(given.data, 'models') },
      async (app) => {
        const indexing = await index(app, collection);
        return { indexing, measured: await measure(app, judged, ({ url }) => documentIdOf(url ?? '')) };
      },
    );
  const data = makeTemporaryFolder(join(tmpdir(), 'commonplace-eval-'));
  try {
    const { indexing, measured } = await measureWith(config, join(data, 'first'));
    // A setting can change what is indexed, so each run has its own data folder.
    const compared = changed === null ? null : await measureWith(changed, join(data, 'compared'));
    return {
      about: { collection: basename(folder), documents: collection.documents.length, ...indexing },
      measured,
      compared: compared?.measured ?? null,
    };
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

async function runQuestions(path: string, config: Config, changed: Config | null): Promise<MeasuredCollection> {
  const measureWith = (given: Config) =>
    runWith(given, { readOnly: true }, async (app) => {
      const { queries, keyOf, items } = await readQuestions(path, app);
      const passages = await countPassages(app);
      return { measured: await measure(app, queries, keyOf), items, passages };
    });
  const { measured, items, passages } = await measureWith(config);
  const compared = changed === null ? null : (await measureWith(changed)).measured;
  return {
    about: { collection: basename(path), documents: items, passages, failed: 0, passagesPerSecond: null },
    measured,
    compared,
  };
}

/** Indexes the documents with the real pipeline, without the network and without analysis. */
async function index(app: App, { documents }: Collection) {
  const { library } = app.services;
  const began = performance.now();
  for (const document of documents)
    await library.saveResource(
      localAccountId,
      documentResource(document),
      {},
      { signal: AbortSignal.timeout(600_000) },
    );
  await app.worker.runUntilEmpty();
  const seconds = (performance.now() - began) / 1_000;
  const passages = await countPassages(app);
  const { total: failed } = await library.list(localAccountId, { limit: 1, offset: 0, status: 'failed' });
  return { passages, failed, passagesPerSecond: passages / seconds };
}

try {
  process.stdout.write(`${await evaluate(process.argv.slice(2))}\n`);
} catch (error) {
  const isUsage = (error instanceof AppError && error.code === 'invalid_input') || error instanceof TypeError;
  process.stderr.write(`eval: ${error instanceof Error ? (isUsage ? error.message : error.stack) : String(error)}\n`);
  process.exitCode = isUsage ? 2 : 1;
}
