import type { Config } from '../settings/config.ts';
import type { Clock } from '../domain/clock.ts';
import type { HostTurns } from '../fetching/host-turns.ts';
import type { Log } from '../workers/log.ts';
import type { Analyst } from '../models/analysis/analyst.ts';
import type { Embedder } from '../models/embedding/index.ts';
import { embedAllAccounts, keepAllEmbedded } from '../pipeline/embed.ts';
import { createFeedCheck } from '../pipeline/sources/feed.ts';
import { createPagesCheck } from '../pipeline/sources/pages.ts';
import { doMaintenance } from '../pipeline/maintenance.ts';
import { createMailboxCheck, followMailbox, type MailboxSettings } from '../pipeline/sources/mailbox.ts';
import { createStageRunner, type ProcessingParts } from '../pipeline/process-content.ts';
import { renewAnalyses } from '../pipeline/renew-analyses.ts';
import type { TextWorkerPool } from '../pipeline/text-worker/text-worker-pool.ts';
import type { RunStage } from '../pipeline/queue/run-job.ts';
import { maxAttempts } from '../pipeline/queue/retry.ts';
import { QueueWorker } from '../pipeline/queue/queue-worker.ts';
import { findTags } from '../search/find-tags.ts';
import type { Stores } from '../store/store.ts';
import type { SourceReading } from './create-reading.ts';
import type { FolderSources } from './folder-sources.ts';
import type { Installation } from './installations/data-folder.ts';
import type { LlmAnalysis } from './open-llm-analysis.ts';

/** Everything that is done in the background: the stages of saved items, missing vectors, analyses by older rules, and analyses by a model. */
export type Processing = ReturnType<typeof openProcessing>;

interface ProcessingSetup {
  stores: Stores;
  onWork: Installation['onWork'];
  takeTurn: Installation['takeTurn'];
  reading: SourceReading;
  hosts: HostTurns;
  texts: TextWorkerPool;
  embedder: Embedder | null;
  analyst: Analyst;
  llmQueue: LlmAnalysis['queue'];
  folders: FolderSources;
  clock: Clock;
  log: Log;
  /** A server watches the folders of its settings. */
  isServer: boolean;
  isMemorySmall: boolean;
}

const leaseMs = 30_000;
const pollMs = 1_000;

export function openProcessing(config: Config, parts: ProcessingSetup) {
  const { stores, onWork, takeTurn, reading, hosts, texts, embedder, analyst, llmQueue, folders, clock, log } = parts;
  const { isServer, isMemorySmall } = parts;
  // Whoever asks for more workers gets them.
  const isOneAtATime = isMemorySmall && config.workers === 1;
  const proposeTags: ProcessingParts['proposeTags'] = async (store, contentId) => ({
    found: await findTags(store, contentId, embedder?.id ?? null),
    areComputed: true,
    areApplied: config.autoTag,
  });
  const stages = createStageRunner({
    ...reading.readers,
    fetch: reading.fetch,
    supply: reading.supply,
    archive: reading.archive,
    maxAttempts,
    split: texts.split,
    place: texts.place,
    embedder,
    analyst,
    proposeTags,
    openStore: (writer) => stores.open(writer),
    clock,
    log,
  });
  const runStage: RunStage = (store, claim, signal, onNetwork) => {
    // The first attempt may have failed because the reader had too little memory.
    if (isOneAtATime && claim.stage === 'extract' && claim.attempts > 1) embedder?.unload?.();
    return stages(store, claim, signal, onNetwork);
  };
  const mailbox = mailboxOf(config);
  const worker = new QueueWorker({
    stores,
    takeTurn,
    runStage,
    doMaintenance: (store, signal) => doMaintenance(store, texts, signal),
    checkers: {
      feed: createFeedCheck({ ...reading.feeds, clock, random: Math.random }),
      pages: createPagesCheck(clock),
      ...(folders.check !== null && { folder: folders.check }),
      ...(mailbox !== null && { mailbox: createMailboxCheck(mailbox, clock) }),
    },
    hosts,
    clock,
    log,
    random: Math.random,
    settings: {
      concurrency: config.workers,
      isOneAtATime,
      maxAttempts,
      leaseMs,
      pollMs,
    },
  });
  const background = new AbortController();
  let embedding: Promise<void> | undefined;
  let renewing: Promise<void> | undefined;
  return {
    wake: (): void => worker.wake(),
    background: background.signal,
    start(): void {
      worker.start();
      if (mailbox !== null)
        followMailbox(stores, mailbox.address).catch((error: unknown) =>
          log.warn({ err: error }, 'the mailbox of the settings could not be followed'),
        );
      onWork(() => worker.wake());
      if (embedder !== null)
        embedding ??= keepAllEmbedded({ stores, takeTurn, embedder, clock, log }, background.signal);
      renewing ??= renewAnalyses(
        { stores, takeTurn, isIdle: () => worker.isIdle, analyst, place: texts.place, proposeTags, clock, log },
        background.signal,
      );
      llmQueue?.start();
      if (isServer)
        folders
          .begin()
          .catch((error: unknown) => log.warn({ err: error }, 'the watched folders could not be looked up'));
    },
    /** Resolves when no job is running. */
    async stop(): Promise<void> {
      background.abort();
      folders.close();
      await Promise.all([worker.stop(), llmQueue?.stop()]);
      await Promise.all([embedding, renewing]);
    },
    /** Resolves when no job is left that can run now. */
    async runUntilEmpty(signal?: AbortSignal, how?: { checksSources?: boolean }): Promise<void> {
      await worker.runUntilEmpty(signal, how);
      if (embedder !== null) await embedAllAccounts({ stores, embedder, log }, signal ?? background.signal);
      await llmQueue?.runUntilEmpty(signal);
    },
  };
}

/** Null when the settings name none. */
export function mailboxOf(config: Config): MailboxSettings | null {
  const { mailbox: address, mailboxPassword: password, mailboxMarkRead: markRead, mailboxMoveTo: moveTo } = config;
  if (address === '') return null;
  return { address, password, maxBytes: config.fetchMaxMegabytes * 1024 ** 2, afterwards: { markRead, moveTo } };
}
