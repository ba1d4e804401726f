import type { PlaceAnalysis } from '../domain/drafts/place-analysis.ts';
import { linkedAddress } from '../domain/links/archived-copy.ts';
import { isoTime, type Clock } from '../domain/clock.ts';
import { mostWrittenActions } from '../domain/records/analyses/analysis.ts';
import { Turns } from '../domain/turns/fair-queue.ts';
import { ownTags } from '../store/own-tags.ts';
import { ProcessingError } from '../errors.ts';
import type { Log } from '../workers/log.ts';
import type { ModelUsage, LlmAnalyst } from '../models/analysis/analyst.ts';
import type { AnalysisClaim } from '../store/records/analysis-records.ts';
import type { Store, Stores } from '../store/store.ts';
import { isOfTheProvider, ModelPauses, pausedMessage } from './model-pauses.ts';
import { keepLease } from './queue/run-job.ts';

export interface LlmAnalysisQueueParts {
  stores: Stores;
  llmAnalyst: LlmAnalyst;
  place: PlaceAnalysis;
  clock: Clock;
  log: Log;
  /** Daily budget (UTC) of all accounts and processes of the data folder, in millionths of a dollar. */
  costMicrosPerDay: number;
  concurrency: number;
  /** Attempts at one item before the extractive analysis stays for good. */
  maxAttempts: number;
}

/** Whether items are sent to the model now; `reason` tells the operator why not. */
export interface LlmAnalysisQueueState {
  state: 'on' | 'paused';
  reason: string | null;
}

const leaseMs = 5 * 60_000;
const betweenWalksMs = 60_000;
const firstRetryMs = 30_000;
const maxRetryMs = 60 * 60_000;
const budgetSpent = "today's budget is spent (claudeDollarsPerDay); it goes on tomorrow (UTC)";

/** Lets a model analyse items after they are completed. Several processes may do so on one data folder. */
export class LlmAnalysisQueue {
  readonly #parts: LlmAnalysisQueueParts;
  readonly #stopping = new AbortController();
  readonly #pauses: ModelPauses;
  #loop: Promise<void> | null = null;
  /** Whether the spent budget has been logged: once, not before every item. */
  #saidSpent = false;
  /** Accounts that could not be used at the last attempt. The error is logged once, not every minute. */
  readonly #unusable = new Set<string>();

  constructor(parts: LlmAnalysisQueueParts) {
    this.#parts = parts;
    this.#pauses = new ModelPauses(parts.clock, parts.log);
  }

  start(): void {
    this.#loop ??= this.#walkUntilStopped();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
  }

  state(): LlmAnalysisQueueState {
    const { reason } = this.#pauses;
    return reason === null ? { state: 'on', reason } : { state: 'paused', reason };
  }

  /**
   * Why no item is analysed now: this process has paused, or the budget of all processes is spent. Null when nothing is
   * in the way.
   */
  async whyWaiting(): Promise<string | null> {
    const { state, reason } = this.state();
    if (state === 'paused') return reason;
    return (await this.#isSpent()) ? budgetSpent : null;
  }

  /**
   * Analyses every item that is due, once, as far as the budget allows. Accounts take turns, item by item: while
   * several wait, none of them gets more of the daily budget than the others. Never rejects.
   * @returns how many items got an analysis by the model
   */
  async runUntilEmpty(signal?: AbortSignal): Promise<number> {
    const stopping = signal === undefined ? this.#stopping.signal : AbortSignal.any([signal, this.#stopping.signal]);
    const { concurrency, clock, log, stores } = this.#parts;
    const turns = new Turns([]);
    const running = new Set<Promise<void>>();
    let listedAt = Number.NEGATIVE_INFINITY;
    let kept = 0;
    try {
      while (!stopping.aborted && (await this.#mayGoOn())) {
        // List the accounts again every minute, so that items saved meanwhile get a turn: an analysis may take an hour.
        if (clock.elapsed() - listedAt >= betweenWalksMs) {
          listedAt = clock.elapsed();
          for (const { id } of await stores.control.listAccounts()) turns.add(id);
        }
        const accountId = running.size < concurrency ? turns.next() : undefined;
        if (accountId === undefined) {
          if (running.size === 0) break;
          await this.#untilOneEnds(running, stopping);
          continue;
        }
        const claimed = await this.#claimOne(accountId, stopping);
        if (claimed === null) {
          turns.done(accountId);
          continue;
        }
        const analysing = this.#analyse(claimed.store, claimed.claim, stopping)
          .then((isKept) => void (kept += isKept ? 1 : 0))
          .catch((error: unknown) => {
            this.#noteUnusable(accountId, error, stopping);
            turns.done(accountId);
          })
          .finally(() => running.delete(analysing));
        running.add(analysing);
      }
    } catch (error) {
      if (!stopping.aborted) log.warn({ err: error }, 'analyses by the model could not go on; trying again later');
    }
    // The stores must not be closed while items are analysed.
    await Promise.all(running);
    return kept;
  }

  /** Until one of the analyses ends, or until the accounts are to be listed again. */
  async #untilOneEnds(running: ReadonlySet<Promise<void>>, stopping: AbortSignal): Promise<void> {
    const ended = new AbortController();
    const listing = this.#parts.clock.sleep(betweenWalksMs, AbortSignal.any([ended.signal, stopping]));
    await Promise.race([...running, listing.catch(() => undefined)]);
    ended.abort();
  }

  /** Claims one due item of an account, if there is one. An account that cannot be used does not hold up the others. */
  async #claimOne(accountId: string, stopping: AbortSignal): Promise<{ store: Store; claim: AnalysisClaim } | null> {
    try {
      const store = await this.#parts.stores.open(accountId);
      const claim = await store.claimAnalysis(leaseMs);
      this.#unusable.delete(accountId);
      return claim === null ? null : { store, claim };
    } catch (error) {
      this.#noteUnusable(accountId, error, stopping);
      return null;
    }
  }

  #noteUnusable(accountId: string, error: unknown, stopping: AbortSignal): void {
    if (!stopping.aborted && !this.#unusable.has(accountId))
      this.#parts.log.warn(
        { err: error, accountId },
        'analyses by the model could not go on in this account; trying again',
      );
    this.#unusable.add(accountId);
  }

  async #walkUntilStopped(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      await this.runUntilEmpty();
      await this.#parts.clock.sleep(betweenWalksMs, this.#stopping.signal).catch(() => undefined);
    }
  }

  async #mayGoOn(): Promise<boolean> {
    if (this.state().state === 'paused') return false;
    const spent = await this.#isSpent();
    if (spent && !this.#saidSpent) this.#parts.log.warn({}, `${pausedMessage} ${budgetSpent}`);
    this.#saidSpent = spent;
    return !spent;
  }

  async #isSpent(): Promise<boolean> {
    const { costMicrosPerDay, stores } = this.#parts;
    return (await stores.control.usageToday()).costMicros >= costMicrosPerDay;
  }

  async #analyse(store: Store, claim: AnalysisClaim, signal: AbortSignal): Promise<boolean> {
    const ended = new AbortController();
    const lost = new AbortController();
    const renew = (): Promise<boolean> => store.renewAnalysis(claim, leaseMs).catch(() => true);
    const renewing = keepLease(this.#parts.clock, leaseMs, ended.signal, renew, () => lost.abort());
    try {
      return await this.#write(store, claim, AbortSignal.any([signal, lost.signal]));
    } catch (error) {
      if (!lost.signal.aborted) await this.#fail(store, claim, error, signal);
      return false;
    } finally {
      ended.abort();
      await renewing;
    }
  }

  async #write(store: Store, claim: AnalysisClaim, signal: AbortSignal): Promise<boolean> {
    const { llmAnalyst, place, clock, stores, log } = this.#parts;
    const document = await store.readDocument(claim.contentId);
    // The item is being processed again. It becomes due again when that is done.
    if (document === null || document.documentId !== claim.documentId) throw new TextChanged();
    const goals = await store.listGoals({ offset: 0 });
    const { transcript, title, language } = document;
    const tags = await ownTags(store);
    const input = { title, language, text: transcript.text, blocks: transcript.blocks, tags };
    const spend = async (usage: ModelUsage) => {
      await stores.control.addUsage(usage);
      return !(await this.#isSpent());
    };
    const { analysis: written, usage, unread } = await llmAnalyst.analyse(input, goals.items, signal, spend);
    const actions = written.actions.slice(0, mostWrittenActions(claim.url, document));
    const analysis = { ...written, actions };
    this.#pauses.noteSuccess();
    signal.throwIfAborted();
    const info = {
      by: llmAnalyst.by,
      model: llmAnalyst.model,
      at: isoTime(clock.now()),
      promptVersion: llmAnalyst.promptVersion,
      inputTokens: usage.inputTokens,
      outputTokens: usage.outputTokens,
      costUsd: usage.costMicros / 1_000_000,
      ...(unread !== null && { unread }),
    };
    const item = { url: linkedAddress(claim.url, document.warnings), contentType: document.contentType };
    const placed = await place(analysis, transcript, item, info, signal, store.accountId);
    const outcome = await store.keepLlmAnalysis(claim, document.documentId, placed);
    if (outcome !== 'kept' && outcome !== 'kept_before')
      log.info({ contentId: claim.contentId, outcome }, 'an analysis came too late and was not kept');
    return outcome === 'kept';
  }

  async #fail(store: Store, claim: AnalysisClaim, error: unknown, signal: AbortSignal): Promise<void> {
    const { clock, log, maxAttempts } = this.#parts;
    const now = clock.now();
    if (signal.aborted || error instanceof TextChanged) {
      const later = { nextAttemptAt: now + firstRetryMs, attempts: claim.attempts - 1 };
      await store.endAnalysis(claim, {
        code: 'interrupted',
        message: 'It was interrupted; it is tried again.',
        ...later,
      });
      return;
    }
    const known = error instanceof ProcessingError ? error : null;
    log.warn({ err: error, contentId: claim.contentId }, 'the model could not analyse an item');
    const code = known?.code ?? 'internal';
    const message = known?.message ?? 'Something went wrong inside Commonplace while the model analysed this.';
    const isProvider = isOfTheProvider(code);
    const settingsMs = this.#pauses.noteFailure(code, message, known?.retryAfterMs);
    if (settingsMs !== null) {
      const later = { nextAttemptAt: now + settingsMs, attempts: claim.attempts - 1 };
      await store.endAnalysis(claim, { code, message, ...later });
      return;
    }
    // Attempts counted while the provider was away only set the backoff, so start again at 1.
    const wasAway = claim.lastFailure !== null && isOfTheProvider(claim.lastFailure);
    const attempts = wasAway && !isProvider ? 1 : claim.attempts;
    const waitMs = known?.retryAfterMs ?? Math.min(maxRetryMs, firstRetryMs * 4 ** (attempts - 1));
    const isLast = !isProvider && (known?.retryable === false || attempts >= maxAttempts);
    await store.endAnalysis(claim, { code, message, nextAttemptAt: isLast ? null : now + waitMs, attempts });
  }
}

class TextChanged extends Error {}
