import type { PlacedAnalysis } from '../../../domain/records/analyses/analysis.ts';
import type { Document, Transcript } from '../../../domain/records/texts/document.ts';
import type { Passage } from '../../../domain/records/texts/passage.ts';
import type { Claim, KeptReading } from '../../records.ts';
import { replaceAnalysis } from '../analyses/analyses.ts';
import { advanceAndRelease, advanceJob, finishJob, requireLease } from './jobs.ts';
import { type Db, type Steps, together } from '../db.ts';
import {
  addDocument,
  type KeptOriginal,
  readTextOf,
  replaceOriginal,
  requireDocument,
  showDocument,
  visibleDocument,
} from '../items/documents.ts';
import { keepDocuments, recordVersion, removeOldDocuments } from '../items/versions.ts';
import { linkDuplicates, replaceFingerprint, saysTheSame } from '../items/duplicates.ts';
import { noteOldGoals } from '../analyses/goals.ts';
import { queueLlmAnalysis } from './llm-analyses.ts';
import { lookForHighlightsAgain } from '../highlights.ts';
import { keepValidators } from './refreshing.ts';

/*
 * The results of the stages. Each method keeps the result and moves the job to the next stage in one transaction, keeps the
 * lease, and returns the claim for that stage (null after the last one). All throw `LeaseLostError` when the claim is no
 * longer ours; then nothing is kept.
 */

export function* keepOriginal(db: Db, claim: Claim, original: KeptOriginal): Steps<void> {
  const item = yield* requireLease(db, claim, 'fetch');
  yield* replaceOriginal(db, item, original, 'fetched');
  const { validators } = original.resource;
  if (validators !== undefined) yield* keepValidators(db, item, validators);
  yield* advanceAndRelease(db, item, 'extract');
}

/** Stores a new version of the document. It becomes visible with `keepPassages`, or at once when it is the first. */
export function* keepDocument(
  db: Db,
  claim: Claim,
  document: Omit<Document, 'blocks'>,
  transcript: Transcript,
): Steps<Claim> {
  const item = yield* requireLease(db, claim, 'extract');
  yield* addDocument(db, item, document, transcript);
  return yield* advanceJob(db, claim, item, 'split');
}

/**
 * Makes the document visible, with these passages; passages with unchanged text keep their vectors. Determines which
 * items it is a copy of: those with the same text, with nearly the same text by `fingerprint`, or with the same
 * address and title. `fingerprint` is described in `domain/duplicates/simhash.ts`; null or absent for a text too
 * short to have one.
 */
export function* keepPassages(
  db: Db,
  claim: Claim,
  documentId: number,
  passages: readonly Passage[],
  fingerprint: Uint8Array | null = null,
): Steps<Claim> {
  const item = yield* requireLease(db, claim, 'split');
  const text = (yield* readTextOf(db, documentId)) ?? '';
  const before = claim.isRefresh ? yield* visibleDocument(db, item) : null;
  yield* showPassages(db, item, { documentId, text, passages, fingerprint });
  if (claim.isRefresh) yield* keepDocuments(db, item, { unsplit: undefined });
  yield* recordVersion(db, item, before, documentId);
  return yield* advanceJob(db, claim, item, 'embed');
}

/**
 * Does what `keepDocument` and then `keepPassages` do for a claim of the stage `extract`, moves the job to `next` and
 * releases it, in one transaction.
 */
export function* keepReadingAndRelease(
  db: Db,
  claim: Claim,
  { document, transcript, passages, wordCount, fingerprint }: KeptReading,
  next: 'embed' | 'analyse',
): Steps<void> {
  const item = yield* requireLease(db, claim, 'extract');
  const documentId = yield* addDocument(db, item, document, transcript, wordCount);
  yield* showPassages(db, item, { documentId, text: transcript.text, passages, fingerprint });
  yield* advanceAndRelease(db, item, next);
}

interface ShownText {
  documentId: number;
  text: string;
  passages: readonly Passage[];
  fingerprint: Uint8Array | null;
}

function* showPassages(db: Db, item: number, { documentId, text, passages, fingerprint }: ShownText): Steps<void> {
  const [isSameText] = yield* together(saysTheSame(db, item, documentId), requireDocument(db, item, documentId));
  yield* db.indexing.replacePassages(item, documentId, text, passages);
  yield* showDocument(db, item, documentId);
  yield* lookForHighlightsAgain(db, item);
  yield* replaceFingerprint(db, item, fingerprint);
  yield* linkDuplicates(db, item, documentId, isSameText);
}

export function* finishEmbedding(db: Db, claim: Claim): Steps<Claim> {
  const item = yield* requireLease(db, claim, 'embed');
  return yield* advanceJob(db, claim, item, 'analyse');
}

/**
 * Replaces insights and untouched actions of the item. Actions that a person completed, dismissed or edited survive,
 * and a new action with the same quote as one of these is left out. A new action with the quote of an untouched one
 * takes its id and `createdAt`. Completes the item.
 * @param goalsVersion version of the goals that the analyst was given; when goals have changed since, links are
 * determined again
 */
export function* keepAnalysis(
  db: Db,
  claim: Claim,
  documentId: number,
  analysis: PlacedAnalysis,
  goalsVersion?: number,
): Steps<null> {
  const item = yield* requireLease(db, claim, 'analyse');
  yield* replaceAnalysis(db, item, documentId, analysis, goalsVersion);
  if (goalsVersion !== undefined) yield* noteOldGoals(db, item, goalsVersion);
  yield* queueLlmAnalysis(db, item);
  yield* removeOldDocuments(db, item);
  yield* finishJob(db, item);
  return null;
}
