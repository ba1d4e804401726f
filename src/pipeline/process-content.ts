import { isoTime, type Clock } from '../domain/clock.ts';
import { layOutTranscript, type Transcript } from '../domain/document.ts';
import type { Passage } from '../domain/passage.ts';
import type { Resource } from '../domain/resource.ts';
import { ProcessingError } from '../errors.ts';
import type { Analyst } from '../models/analyst.ts';
import type { Embedder } from '../models/embedder.ts';
import type { Source } from '../sources/source.ts';
import type { Claim, Store, StoredDocument, StoredOriginal } from '../store/store.ts';
import { placeAnalysis } from './analyse.ts';
import { embedMissing } from './embed.ts';
import type { RunStage } from './worker.ts';

/** What the stages need of the world. */
export interface ProcessingParts {
  fetch(url: string, signal: AbortSignal): Promise<Resource>;
  /** Decodes the bytes of an original that was stored before. */
  decode(original: StoredOriginal): Promise<Resource>;
  findSource(url: URL, mediaType: string): Promise<Source | null>;
  /** The reason to give when there is no source for what was fetched. */
  describeUnsupported(url: URL, mediaType: string): Promise<ProcessingError>;
  split(transcript: Transcript, signal: AbortSignal): Promise<Passage[]>;
  /** Null where search goes by words alone. */
  embedder: Embedder | null;
  analyst: Analyst;
  clock: Clock;
}

/** Makes the function that runs one stage: fetch → extract → split → embed → analyse. Each ends in one write. */
export function createStageRunner(parts: ProcessingParts): RunStage {
  const stages = {
    fetch: fetchOriginal,
    extract: extractDocument,
    split: splitDocument,
    embed: embedPassages,
    analyse: analyseDocument,
  };
  return (store, claim, signal) => {
    signal.throwIfAborted();
    return stages[claim.stage](parts, store, claim, signal);
  };
}

async function fetchOriginal(parts: ProcessingParts, store: Store, claim: Claim, signal: AbortSignal): Promise<Claim> {
  return store.keepOriginal(claim, await parts.fetch(claim.url, signal));
}

async function extractDocument(
  parts: ProcessingParts,
  store: Store,
  claim: Claim,
  signal: AbortSignal,
): Promise<Claim> {
  const original = await store.readOriginal(claim.contentId);
  if (original === null) throw new Error('the job stands at extract, but there is no original');
  const resource = await parts.decode(original);
  const url = new URL(resource.finalUrl);
  const source = await parts.findSource(url, resource.mediaType);
  if (source === null) throw await parts.describeUnsupported(url, resource.mediaType);

  const { blocks, ...document } = await source.read(resource, {
    signal,
    fetch: async (companionUrl) => {
      const kept = await store.readOriginal(claim.contentId, companionUrl);
      if (kept !== null) return parts.decode(kept);
      const companion = await parts.fetch(companionUrl, signal);
      await store.keepCompanion(claim.contentId, companionUrl, companion);
      return companion;
    },
  });
  const transcript = layOutTranscript(blocks);
  if (transcript.text === '') {
    throw new ProcessingError(
      'empty',
      'There was no text to keep on this page. If it shows text in a browser, it needs a login or builds itself with scripts; save the text as a file instead.',
    );
  }
  signal.throwIfAborted();
  return store.keepDocument(claim, document, transcript);
}

async function splitDocument(parts: ProcessingParts, store: Store, claim: Claim, signal: AbortSignal): Promise<Claim> {
  const document = await newestDocument(store, claim);
  const passages = await parts.split(document.transcript, signal);
  signal.throwIfAborted();
  return store.keepPassages(claim, document.documentId, passages);
}

async function embedPassages(
  { embedder }: ProcessingParts,
  store: Store,
  claim: Claim,
  signal: AbortSignal,
): Promise<Claim> {
  if (embedder !== null) await embedMissing(embedder, store, signal, claim.contentId);
  return store.finishEmbedding(claim);
}

async function analyseDocument(
  { analyst, clock }: ProcessingParts,
  store: Store,
  claim: Claim,
  signal: AbortSignal,
): Promise<null> {
  const document = await newestDocument(store, claim);
  const goals = await store.listGoals({ offset: 0 });
  const analysis = await analyst.analyse(
    {
      title: document.title,
      language: document.language,
      text: document.transcript.text,
      blocks: document.transcript.blocks,
    },
    goals.items,
    signal,
  );
  signal.throwIfAborted();
  const info = { by: analyst.by, model: analyst.model, at: isoTime(clock.now()) };
  return store.keepAnalysis(claim, document.documentId, placeAnalysis(analysis, document.transcript, claim.url, info));
}

async function newestDocument(store: Store, claim: Claim): Promise<StoredDocument> {
  const document = await store.readDocument(claim.contentId);
  if (document === null) throw new Error(`the job stands at ${claim.stage}, but there is no document`);
  return document;
}
