import { rulesVersion } from '../domain/records/analyses/analysis.ts';
import { Turns } from '../domain/turns/fair-queue.ts';
import type { AnalysedItem } from '../store/records/analysis-records.ts';
import type { Store, Stores } from '../store/store.ts';
import { isAccountRemoved } from './queue/announce-work.ts';
import { analyseText, type ProcessingParts } from './process-content.ts';

export interface RenewalParts extends Pick<ProcessingParts, 'analyst' | 'place' | 'proposeTags' | 'clock' | 'log'> {
  stores: Stores;
  takeTurn: (name: string, everyMs: number) => Promise<boolean>;
  /** Whether the queue worker runs neither a job nor maintenance. */
  isIdle: () => boolean;
}

const afterStartMs = 60_000;
/** Servers that share a database begin this long after each other, and an account that failed is tried again after it. */
const betweenWalksMs = 10 * 60_000;
const maxWalks = 6;
/** A busy worker is waited for by looking this often, at most so many times: one account must not stop it for all. */
const betweenLooksMs = 1_000;
const maxLooks = 60;
/** Pause after an analysis, as a multiple of the time that it took: it uses at most a third of one processor. */
const pauseFactor = 2;
const lookedAtOnce = 50;

/** Where the walk is in an account. */
interface Progress {
  last: number;
  renewed: number;
  /** Items that failed, or that somebody changed meanwhile: they keep their analysis until the next start. */
  left: number;
}

/**
 * Renews extractive analyses by another version of the rules: one pass over all accounts after the start of a server, because only
 * an update of the program changes the rules. Items are analysed one at a time while the worker is idle, and accounts take turns.
 * Each item is tried once. Never rejects.
 */
export async function renewAnalyses(parts: RenewalParts, signal: AbortSignal): Promise<void> {
  const { stores, takeTurn, clock, log } = parts;
  try {
    await clock.sleep(afterStartMs, signal);
    while (!(await takeTurn('analyses', betweenWalksMs).catch(() => false))) await clock.sleep(betweenWalksMs, signal);
    const progress = new Map<string, Progress>();
    for (const { id } of await stores.control.listAccounts()) progress.set(id, { last: 0, renewed: 0, left: 0 });
    for (let walk = 1; walk <= maxWalks && progress.size > 0; walk += 1) {
      if (walk > 1) await clock.sleep(betweenWalksMs, signal);
      await renewByTurns(parts, progress, signal);
    }
  } catch (error) {
    if (!signal.aborted)
      log.warn({ err: error }, 'analyses by older rules could not be renewed; trying at the next start');
  }
}

/** Accounts that are finished leave `progress`; those that failed stay. */
async function renewByTurns(parts: RenewalParts, progress: Map<string, Progress>, signal: AbortSignal): Promise<void> {
  const { isIdle, clock, log } = parts;
  const turns = new Turns(progress.keys());
  for (let accountId = turns.next(); accountId !== undefined; accountId = turns.next()) {
    const account = progress.get(accountId);
    if (account === undefined) continue;
    for (let looks = 0; looks < maxLooks && !isIdle(); looks += 1) await clock.sleep(betweenLooksMs, signal);
    signal.throwIfAborted();
    const began = clock.elapsed();
    try {
      if (await renewNext(parts, await parts.stores.open(accountId), account, signal)) {
        await clock.sleep(pauseFactor * (clock.elapsed() - began), signal);
        continue;
      }
      progress.delete(accountId);
      const { renewed, left } = account;
      if (renewed + left > 0) log.info({ accountId, renewed, left }, 'analyses by older rules were renewed');
    } catch (error) {
      signal.throwIfAborted();
      if (isAccountRemoved(error)) progress.delete(accountId);
      else log.warn({ err: error, accountId }, 'analyses of this account could not be renewed; trying again later');
    }
    turns.done(accountId);
  }
}

/** Renews at most one analysis. @returns false after the last item */
async function renewNext(parts: RenewalParts, store: Store, account: Progress, signal: AbortSignal): Promise<boolean> {
  const items = await store.listAnalysed(account.last, lookedAtOnce);
  const item = items.find(({ info }) => info?.by === 'extractive' && info.promptVersion !== rulesVersion);
  const last = item ?? items.at(-1);
  if (last === undefined) return false;
  // Before the attempt, so that an item that fails is not tried again.
  account.last = last.seq;
  if (item !== undefined) account[(await renewOne(parts, store, item, signal)) ? 'renewed' : 'left'] += 1;
  return true;
}

async function renewOne(parts: RenewalParts, store: Store, item: AnalysedItem, signal: AbortSignal): Promise<boolean> {
  const { contentId } = item;
  const document = await store.readDocument(contentId);
  if (document === null) return false;
  try {
    const { analysis, goalsVersion } = await analyseText(parts, store, item, document, signal);
    // The person has seen the item: tags are proposed, and none is given to it.
    const tags = { ...(await parts.proposeTags(store, contentId)), areApplied: false };
    return await store.renewExtractiveAnalysis(contentId, document.documentId, { ...analysis, tags }, goalsVersion);
  } catch (error) {
    signal.throwIfAborted();
    parts.log.debug({ err: error, contentId }, 'an analysis could not be renewed; the older one stays');
    return false;
  }
}
