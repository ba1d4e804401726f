import { createHash } from 'node:crypto';
import type { PlaceAnalysis } from '../domain/drafts/place-analysis.ts';
import { isoTime, type Clock } from '../domain/clock.ts';
import { isNoteAddress } from '../domain/links/shown-address.ts';
import { archivedCopyOf, linkedAddress } from '../domain/links/archived-copy.ts';
import { newChange } from '../domain/records/change.ts';
import { sha256 } from '../domain/sha256.ts';
import { type PlacedAnalysis, rulesVersion } from '../domain/records/analyses/analysis.ts';
import type { TagProposals } from '../domain/records/content.ts';
import type { Transcript } from '../domain/records/texts/document.ts';
import type { KnownPage, Resource } from '../domain/records/resource.ts';
import { ProcessingError } from '../errors.ts';
import { HostBusyError, HostHeldError } from '../fetching/host-turns.ts';
import type { Log } from '../workers/log.ts';
import type { Analyst } from '../models/analysis/analyst.ts';
import type { Embedder } from '../models/embedding/index.ts';
import type { Need, Readers } from '../sources/host/index.ts';
import type { Claim, StoredDocument } from '../store/records.ts';
import type { Store, Stores } from '../store/store.ts';
import { archivedCopyWarning, type AskArchive, fetchArchivedCopy, isGone, unreadableCopy } from './archived-copy.ts';
import { embedMissing } from './embed.ts';
import type { SourceText, SplitText } from './text-worker/text-protocol.ts';
import type { OnNetwork } from './queue/job-places.ts';
import type { RunStage } from './queue/run-job.ts';

export interface ProcessingParts extends Pick<Readers, 'open' | 'read'> {
  /** @param known asks the site for the page only if it has changed since */
  fetch(url: string, signal: AbortSignal, accountId: string, known?: KnownPage): Promise<Resource>;
  supply(need: Need, signal: AbortSignal, accountId: string): Promise<Resource>;
  /** Null when no archive may be asked for pages that are gone. */
  archive: AskArchive | null;
  /** Attempts before a failure that could pass is final. */
  maxAttempts: number;
  split(source: SourceText, signal: AbortSignal, accountId: string): Promise<SplitText>;
  place: PlaceAnalysis;
  /** Null when search uses words only. */
  embedder: Embedder | null;
  analyst: Analyst;
  /** Tags of the person's own that an item is likely to get. */
  proposeTags(store: Store, contentId: string): Promise<TagProposals>;
  /** Opens a library for writes that are a change of its history. */
  openStore: Stores['open'];
  clock: Clock;
  log: Log;
}

/** Makes the function that runs one stage: fetch → extract → split → embed → analyse. Each ends in one write. */
export function createStageRunner(parts: ProcessingParts): RunStage {
  const stages = {
    fetch: fetchOriginal,
    extract: keepExtraction,
    split: splitDocument,
    embed: embedPassages,
    analyse: analyseDocument,
  };
  return (store, claim, signal, onNetwork) => {
    signal.throwIfAborted();
    const run = claim.stage === 'fetch' && claim.isRefresh ? refreshPage : stages[claim.stage];
    return run(parts, store, claim, signal, onNetwork);
  };
}

type Ask = (request: () => Promise<Resource>) => Promise<Resource>;

/**
 * Runs work that sends requests to hosts. A source may ignore that a resource cannot be fetched. A busy host says
 * nothing about the resource, so then the whole work fails and is done again later.
 */
async function withTurns<T>(work: (ask: Ask) => Promise<T>): Promise<T> {
  const refusals: Error[] = [];
  const ask: Ask = async (request) => {
    try {
      return await request();
    } catch (error) {
      if (error instanceof HostBusyError || error instanceof HostHeldError) refusals.push(error);
      throw error;
    }
  };
  const result = await work(ask).catch((error: unknown) => {
    throw refusals[0] ?? error;
  });
  if (refusals[0] !== undefined) throw refusals[0];
  return result;
}

async function fetchOriginal(parts: ProcessingParts, store: Store, claim: Claim, signal: AbortSignal): Promise<null> {
  const url = URL.parse(claim.url);
  const { accountId } = store;
  const original = await withTurns(async (ask) => {
    // Resources fetched on the way to the original are not stored.
    const supply = (need: Need) => ask(() => parts.supply(need, signal, accountId));
    const context = { signal, accountId, supply };
    const opened = url === null ? null : await parts.open(url, isoTime(parts.clock.now()), context);
    signal.throwIfAborted();
    return opened ?? (await ask(() => fetchPage(parts, store, claim, signal)));
  });
  await store.keepOriginalAndRelease(claim, original);
  return null;
}

/** The page at the item's address, or an archive's copy of it when it is gone. */
async function fetchPage(parts: ProcessingParts, store: Store, claim: Claim, signal: AbortSignal): Promise<Resource> {
  const { archive, maxAttempts, clock } = parts;
  try {
    return await parts.fetch(claim.url, signal, store.accountId);
  } catch (error) {
    signal.throwIfAborted();
    if (archive === null || !isGone(error, claim.attempts >= maxAttempts)) throw error;
    const item = await store.getContentSummary(claim.contentId);
    const closestTo = item === null ? clock.now() : Date.parse(item.createdAt);
    return fetchArchivedCopy(archive, error, { url: claim.url, closestTo }, signal, store.accountId);
  }
}

/**
 * A document of up to this many characters is split first, and stored together with its passages. A longer one is stored before it
 * is split, so that it is not read again if the program ends meanwhile, and no single write takes long.
 */
const maxReadAtOnce = 200_000;

async function keepExtraction(
  parts: ProcessingParts,
  store: Store,
  claim: Claim,
  signal: AbortSignal,
  onNetwork: OnNetwork,
): Promise<Claim | null> {
  const original = await store.readOriginal(claim.contentId);
  if (original === null) throw new Error('the job stands at extract, but there is no original');
  const { accountId } = store;
  const copy = original.given ? null : archivedCopyOf(original, claim.url);
  const { document, transcript } = await withTurns((ask) =>
    parts.read(original, {
      signal,
      accountId,
      async supply(need) {
        const name = companionName(need);
        const kept = await store.readOriginal(claim.contentId, name);
        if (kept !== null) return kept;
        const companion = await ask(() => onNetwork(() => parts.supply(need, signal, accountId)));
        await store.keepCompanion(claim.contentId, name, companion);
        return companion;
      },
    }),
  ).catch((error: unknown) => {
    throw copy !== null && error instanceof ProcessingError && !error.retryable ? unreadableCopy(error, copy) : error;
  });
  signal.throwIfAborted();
  const isLetter = original.given && original.declaredType === 'message/rfc822' && /^https?:/.test(claim.url);
  const first = copy !== null ? [archivedCopyWarning(copy)] : isLetter ? [letterWarning] : [];
  const warnings = [...first, ...document.warnings];
  const kept = { ...document, warnings };
  const split =
    transcript.text.length > maxReadAtOnce ? null : await trySplitting(parts, kept, transcript, signal, accountId);
  if (split === null) return store.keepDocument(claim, kept, transcript);
  const next = parts.embedder === null ? 'analyse' : 'embed';
  await store.keepReadingAndRelease(claim, { document: kept, transcript, ...split }, next);
  return null;
}

/** A letter may say that any address is its own. */
const letterWarning = {
  code: 'letter_not_page',
  message:
    'This is the text of a letter that says it can be read at this address. It was not fetched from there, so the page may say something else.',
};

/** Null when the text could not be split. The stage `split` tries again and says why. */
async function trySplitting(
  { split, log }: ProcessingParts,
  { contentType, language }: Pick<SourceText, 'contentType' | 'language'>,
  transcript: Transcript,
  signal: AbortSignal,
  accountId: string,
): Promise<SplitText | null> {
  try {
    return await split({ transcript, contentType, language }, signal, accountId);
  } catch (error) {
    signal.throwIfAborted();
    log.debug({ err: error }, 'a text is stored before it is split');
    return null;
  }
}

/** The address; with a body also its method and hash, since one address answers many requests. */
function companionName(need: Need): string {
  if (need.kind === 'yt-dlp') return `yt-dlp ${need.address}`;
  const { url, request = {} } = need;
  if (request.body === undefined) return url;
  return `${request.method ?? 'GET'} ${url} ${createHash('sha256').update(request.body).digest('hex').slice(0, 32)}`;
}

/** Refetches and reads a finished item's page. The result is stored in one write, so the item is unchanged until its new text is known. */
async function refreshPage(parts: ProcessingParts, store: Store, claim: Claim, signal: AbortSignal): Promise<null> {
  const { accountId } = store;
  const known = (await store.readKnownPage(claim.contentId)) ?? undefined;
  const companions: { name: string; resource: Resource }[] = [];
  const page = await withTurns(async (ask) => {
    const supply = (need: Need) => ask(() => parts.supply(need, signal, accountId));
    const url = URL.parse(claim.url);
    const context = { signal, accountId, supply };
    const opened = url === null ? null : await parts.open(url, isoTime(parts.clock.now()), context);
    return opened ?? (await ask(() => parts.fetch(claim.url, signal, accountId, known)));
  });
  const hash = page.isUnchanged === true ? null : await sha256(page.bytes);
  const validators = hash === null ? undefined : page.validators;
  if (await store.keepSamePage(claim, hash, validators)) return null;
  const { document, transcript } = await withTurns((ask) =>
    parts.read(
      { ...page, given: false },
      {
        signal,
        accountId,
        async supply(need) {
          const resource = await ask(() => parts.supply(need, signal, accountId));
          companions.push({ name: companionName(need), resource });
          return resource;
        },
      },
    ),
  );
  signal.throwIfAborted();
  await store.keepChangedPage(claim, page, companions, { document, transcript, validators });
  return null;
}

/** A refresh that changes an item is a separate change in the history. */
async function writerOf(parts: ProcessingParts, store: Store, claim: Claim): Promise<Store> {
  if (!claim.isRefresh) return store;
  const change = newChange({ face: 'pages', by: null, operation: 'refresh_content', scopes: ['content:write'] });
  return parts.openStore({ account: store.accountId, change });
}

async function splitDocument(parts: ProcessingParts, store: Store, claim: Claim, signal: AbortSignal): Promise<Claim> {
  const document = await newestDocument(store, claim);
  const { passages, fingerprint } = await parts.split(document, signal, store.accountId);
  signal.throwIfAborted();
  const writer = await writerOf(parts, store, claim);
  return writer.keepPassages(claim, document.documentId, passages, fingerprint);
}

/** After so many attempts the item is completed without vectors; the background makes them later. */
const embeddingAttempts = 3;

/** A book takes minutes to embed: after this many passages, other items get a turn. */
const embeddedAtOnce = 64;

async function embedPassages(
  { embedder, log }: ProcessingParts,
  store: Store,
  claim: Claim,
  signal: AbortSignal,
): Promise<Claim | 'yield'> {
  if (embedder !== null) {
    try {
      const { contentId } = claim;
      const count = await embedMissing(embedder, store, signal, { contentId, limit: embeddedAtOnce });
      if (count >= embeddedAtOnce) return 'yield';
    } catch (error) {
      // A model that cannot run must not keep the item from being found by its words and summarised.
      const hopeless = error instanceof ProcessingError && (!error.retryable || claim.attempts >= embeddingAttempts);
      if (signal.aborted || !hopeless) throw error;
      log.warn(
        { err: error, contentId: claim.contentId },
        'an item is processed without vectors for now; embedding is tried again later',
      );
    }
  }
  return store.finishEmbedding(claim);
}

async function analyseDocument(parts: ProcessingParts, store: Store, claim: Claim, signal: AbortSignal): Promise<null> {
  const document = await newestDocument(store, claim);
  const { analysis, goalsVersion } = await analyseText(parts, store, claim, document, signal);
  const tags = await parts.proposeTags(store, claim.contentId);
  signal.throwIfAborted();
  return store.keepAnalysis(claim, document.documentId, { ...analysis, tags }, goalsVersion);
}

/** @returns the analysis by the extractive analyst, and the version of the goals that it was given */
export async function analyseText(
  { analyst, place, clock }: Pick<ProcessingParts, 'analyst' | 'place' | 'clock'>,
  store: Store,
  { contentId, url }: Pick<Claim, 'contentId' | 'url'>,
  document: StoredDocument,
  signal: AbortSignal,
): Promise<{ analysis: PlacedAnalysis; goalsVersion: number }> {
  const goalsVersion = await store.goalsVersion();
  const goals = await store.listGoals({ offset: 0 });
  // Mails have no web address either, and are written by others. One without a sender is read as a text.
  const isText = document.contentType === 'text';
  const isNote = isNoteAddress(url) && isText && (await store.readDeclaredType(contentId)) !== 'message/rfc822';
  const isOwnFile = url.startsWith('file:') && isText;
  const saved = isNote || isOwnFile ? await store.getContentSummary(contentId) : null;
  const day = saved?.createdAt.slice(0, 10);
  const found = await analyst.analyse(
    {
      title: document.title,
      language: document.language,
      text: document.transcript.text,
      blocks: document.transcript.blocks,
      ...(isNote ? { writtenOn: day } : { boxesOn: day }),
    },
    goals.items,
    signal,
    store.accountId,
  );
  signal.throwIfAborted();
  const { by, model } = analyst;
  const info = { by, model, at: isoTime(clock.now()), promptVersion: rulesVersion };
  const item = { url: linkedAddress(url, document.warnings), contentType: document.contentType };
  const analysis = await place(found, document.transcript, item, info, signal, store.accountId);
  signal.throwIfAborted();
  return { analysis, goalsVersion };
}

async function newestDocument(store: Store, claim: Claim): Promise<StoredDocument> {
  const document = await store.readDocument(claim.contentId);
  if (document === null) throw new Error(`the job stands at ${claim.stage}, but there is no document`);
  return document;
}
