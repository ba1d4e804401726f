import { join } from 'node:path';
import {
  chooseEmbedder,
  createEmbedderFinder,
  type EmbedderParts,
  embeddingServerMs,
  openModels,
} from './choose-embedder.ts';
import { type Config, proxiesOf } from '../settings/config.ts';
import { createReading } from './create-reading.ts';
import type { AppOverrides } from './app-overrides.ts';
import { startFetching } from '../fetching/fetch-process.ts';
import { HostTurns } from '../fetching/host-turns.ts';
import { memoryMegabytes, watchHeapGrowth } from '../workers/memory.ts';
import { enoughMegabytes, memoryWarning } from '../domain/machine-limits.ts';
import { lazily } from '../domain/lazily.ts';
import { createLog } from '../workers/log.ts';
import { createTitleComparer } from '../models/embedding/index.ts';
import { checkReadiness, inspectApp } from './inspect-app.ts';
import { openTransfers } from './transfers.ts';
import { openLlmAnalysis } from './open-llm-analysis.ts';
import { chooseOutsideTokens, createDocumentFetch } from './outside-tokens.ts';
import type { Services } from '../operations/operation.ts';
import { createFindFeeds } from '../pipeline/sources/find-feeds.ts';
import { startTextWorker } from '../pipeline/text-worker/text-reader.ts';
import { createTextWorkerPool, usualTextLimits } from '../pipeline/text-worker/text-worker-pool.ts';
import { createRequestThread } from '../requests/request-thread.ts';
import { createAccessService } from '../services/access.ts';
import { createAssistantsService, createSignInService } from '../services/sign-in/sign-in.ts';
import { createPasswords } from '../services/sign-in/passwords.ts';
import {
  countWaitingAnalyses,
  countWrittenAnalyses,
  estimateAnalysisCost,
} from '../services/analyses/analysis-cost.ts';
import { QueueCounter } from '../services/operating/queue-figures.ts';
import { createRepeatedRequests } from '../services/operating/repeated-requests.ts';
import { openFolderSources } from './folder-sources.ts';
import { openProcessing } from './processing.ts';
import { createSearchPreparation } from './prepare-search.ts';
import { openServices } from './services.ts';
import { openInstallation } from './installations/open-installation.ts';
import { createSystemClock } from '../workers/system-clock.ts';
import type { HistoryLimits } from '../store/history.ts';
import { readVersion } from '../settings/version.ts';

export type App = Awaited<ReturnType<typeof createApp>>;

/** `/metrics` is requested again and again. */
const maxCountingMs = 200;
const requestThreadIdleMs = 10_000;

const systemClock = createSystemClock();

/** Memory for vectors. A million passages take 500 MB. */
function vectorMegabytes(machineMegabytes: number): number {
  return Math.max(512, Math.floor(machineMegabytes / 8));
}

/** Largest history of an account; the oldest changes go first. */
const maxHistoryBytes = 200 * 1024 * 1024;

function historyLimits({ historyDays }: Config): HistoryLimits | null {
  if (historyDays === 0) return null;
  return { keptMs: historyDays * 24 * 60 * 60_000, maxBytes: maxHistoryBytes };
}

/** Builds the application for a data folder. Heavy parts load when they are first needed. */
export async function createApp(given: Config, overrides: AppOverrides = {}) {
  const megabytes = overrides.memoryMegabytes ?? memoryMegabytes();
  const config = fitMemory(given, megabytes);
  const log = createLog(config.logLevel);
  const littleMemory = memoryWarning(megabytes);
  if (littleMemory !== null) log.warn({ megabytes }, littleMemory);
  const version = readVersion();
  const ownClock = overrides.clock ?? systemClock;
  const modelsFolder = overrides.modelsFolder ?? join(config.data, 'models');
  const embeddingProvider = lazily(async () => {
    const { createProviderFetch } = await import('../fetching/provider-fetch.ts');
    return createProviderFetch(config.embeddingBaseUrl, embeddingServerMs, undefined, proxiesOf(config));
  });
  const embedderParts: EmbedderParts = {
    clock: ownClock,
    log,
    random: Math.random,
    modelsFolder,
    fetch: async (...call) => (await embeddingProvider.get()).fetch(...call),
    takeModelAhead: overrides.takeModelAhead ?? (() => null),
  };
  const embedder = overrides.embedder === undefined ? chooseEmbedder(config, embedderParts) : overrides.embedder;
  if (overrides.loadsModel === true) embedder?.load?.();
  const { stores, clock, onWork, makeLimiter, takeTurn, readDatabase } = await openInstallation(config, {
    folder: config.data,
    clock: ownClock,
    log,
    readOnly: overrides.readOnly ?? false,
    adopting: overrides.adopting,
    synchronous: config.synchronous,
    libraryThreads: overrides.servesMany === true && megabytes >= enoughMegabytes ? {} : undefined,
    vectors: { maxBytes: vectorMegabytes(megabytes) * 1024 * 1024 },
    history: historyLimits(config),
  });

  const hosts = new HostTurns(clock, {}, () => processing.wake());
  const fetching = overrides.fetching ?? startFetching();
  const fetchDocument = createDocumentFetch(fetching, clock, version, hosts, { proxies: proxiesOf(config) });
  const reading = createReading(config, clock, version, hosts, fetching, overrides);
  const otherEmbedders = createEmbedderFinder(config, embedderParts);
  const requests = createRequestThread(requestThreadIdleMs);
  const texts =
    overrides.texts ??
    createTextWorkerPool({
      ...usualTextLimits,
      ...(megabytes < enoughMegabytes && { idleMs: 0 }),
      compare: createTitleComparer(embedder, log),
      startWorker: startTextWorker,
    });
  const analyst = overrides.analyst ?? texts.analyst;

  const llm = openLlmAnalysis(config, { stores, clock, log, texts }, overrides);
  const folders = openFolderSources(config, { stores, clock, log });
  const processing = openProcessing(config, {
    stores,
    onWork,
    takeTurn,
    reading,
    hosts,
    texts,
    embedder,
    analyst,
    llmQueue: llm.queue,
    folders,
    clock,
    log,
    isServer: overrides.isServer === true,
    isMemorySmall: megabytes < enoughMegabytes,
  });
  const { importing, exporting, vaults, libraryJobs } = openTransfers(config.data, {
    stores,
    clock,
    log,
    version,
    embedderId: () => embedder?.id ?? null,
    reading,
    requests,
    isShared: readDatabase !== undefined,
    onQueued: () => processing.wake(),
  });
  const opened = openServices(config, {
    stores,
    clock,
    log,
    embedder,
    findEmbedder: otherEmbedders.find,
    isServer: overrides.isServer === true,
    texts,
    requests,
    processing,
    llmQueue: llm.queue,
    libraryJobs,
    pictures: reading.pictures,
    findFeeds: createFindFeeds(reading.feeds),
  });
  const services: Services = {
    ...opened,
    search: {
      search(account, query, ...rest) {
        if (query.remember === true) preparation.stopPreparing();
        return opened.search.search(account, query, ...rest);
      },
    },
  };
  const outside = chooseOutsideTokens(config, { fetching, clock, version, hosts, log });
  const access = createAccessService(
    stores,
    clock,
    (error) => log.warn({ err: error }, 'the last use of a token could not be written'),
    outside,
  );
  const assistants = createAssistantsService(stores);
  const signIn = createSignInService(stores, clock, overrides.passwords ?? createPasswords(), (error) =>
    log.warn({ err: error }, 'the last use of a session could not be written'),
  );
  const queues = new QueueCounter(stores, clock);
  const countQueues = () => queues.count(maxCountingMs);
  const preparation = createSearchPreparation({
    countSearchable: async (accountId) => (await (await stores.open(accountId)).coverage()).searchable,
    listTitles: async (accountId) => {
      const { items } = await (await stores.open(accountId)).listTitles({ limit: 20, offset: 0 });
      return items.flatMap(({ title }) => title ?? []);
    },
    embedder,
    processorMs: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000;
    },
  });
  const endHeapWatch = watchHeapGrowth();
  let closing: Promise<void> | undefined;
  const shared = {
    config,
    log,
    clock,
    version,
    services,
    requests,
    access,
    signIn,
    assistants,
    fetchDocument,
  };
  return {
    ...shared,
    stores,
    importing,
    exporting,
    vaults,
    folders,
    libraryJobs,
    embedder,
    worker: processing,
    readFile: reading.readFile,
    readText: reading.readText,
    extract: reading.extract,
    unlock: reading.unlock,
    inspect: () => inspectApp(config, { stores, readDatabase, clock, queues, embedder, llm, megabytes }),
    /** Estimates the cost of letting the model analyse some items, or all of them, again; null when there is no model. */
    estimateAnalysisCost: async (account: string, ids?: readonly string[]) =>
      llm.analyst === null ? null : estimateAnalysisCost(stores, account, llm.analyst, ids),
    /** Counts the items, among some or all, that have an analysis by an assistant or a model. */
    countWrittenAnalyses: (account: string, ids?: readonly string[]) => countWrittenAnalyses(stores, account, ids),
    /** Analyses that the LLM has still to write; 0 without one. */
    countWaitingAnalyses: async (account: string) => (llm.analyst === null ? 0 : countWaitingAnalyses(stores, account)),
    loadModel: preparation.loadModel,
    prepareSearch: preparation.prepareSearch,
    stopPreparing: preparation.stopPreparing,
    async serve() {
      const { serveHttp } = await import('../http/listen.ts');
      return serveHttp({
        ...shared,
        prepareSearch: preparation.prepareSearch,
        repeatedRequests: createRepeatedRequests(stores),
        checkReadiness: () => checkReadiness(config, { stores, embedder, llmQueue: llm.queue }),
        countQueues,
        ...(makeLimiter !== undefined && { makeLimiter }),
        failedAuthPerMinute: overrides.failedAuthPerMinute,
      });
    },
    /** The sentence models that can be installed. @param hub where they are downloaded from; the usual place when undefined */
    models: (hub?: string) => openModels({ folder: modelsFolder, hub, clock, proxies: proxiesOf(config) }),
    close: () => (closing ??= close()),
  };

  async function close(): Promise<void> {
    preparation.stopPreparing();
    endHeapWatch();
    await libraryJobs.close();
    await processing.stop();
    hosts.close();
    await Promise.all([
      requests.close(),
      overrides.texts === undefined && texts.close(),
      embedder?.close(),
      otherEmbedders.close(),
      reading.close(),
      overrides.fetching === undefined && fetching.close(),
      llm.close(),
      embeddingProvider.made()?.then((one) => one.close()),
    ]);
    await stores.close();
  }
}

/** With little memory, uses one worker and no search threads, unless the settings say otherwise. */
export function fitMemory(config: Config, megabytes: number): Config {
  if (megabytes >= enoughMegabytes) return config;
  return {
    ...config,
    ...(config.origins.workers === 'default' && { workers: Math.min(1, config.workers) }),
  };
}
