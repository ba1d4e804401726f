import type { ClockReading } from '../../../domain/clock.ts';
import type { Document, Transcript } from '../../../domain/records/document.ts';
import type { ContentSummary } from '../../../domain/records/content.ts';
import type { Passage } from '../../../domain/records/passage.ts';
import type * as records from '../../records.ts';
import { noteTime } from '../files/account-time.ts';
import type { ChangeRecord } from '../../history/change-record.ts';
import type { UndoPart } from '../../history/undo.ts';
import { recorded } from '../history/recording.ts';
import { undoPart } from '../history/undo.ts';
import { type AnnouncedWrite, writeAnnounced } from '../queue/announced-work.ts';
import type { ExportedItem } from '../../../domain/records/transfers/exported.ts';
import { restoreItem } from '../transfer/restore-item.ts';
import type { DeletedHighlight } from '../../highlights.ts';
import type { FoundPlace } from '../../../domain/records/highlights/place.ts';
import { deleteHighlight } from '../highlights/highlights.ts';
import { keepHighlightPlaces, lookForHighlightsAgain } from '../highlights/marks.ts';
import { getContentSummary, getDeletedSummary, getItem } from '../items/reading.ts';
import { applyPage } from '../copies/apply-page.ts';
import type { CopyState, IndexPage } from '../copies/index-page.ts';
import * as saving from '../items/saving.ts';
import { deleteContent, purgeExpired } from '../items/deletion.ts';
import { addDocument, readTranscriptText } from '../items/documents.ts';
import { importContent, type PackedImport } from '../items/import.ts';
import { linkDuplicates, saysTheSame } from '../items/duplicates.ts';
import { replaceFingerprint } from '../items/fingerprints.ts';
import * as claims from '../queue/claims.ts';
import type { PackedResource } from '../../records/packed-originals.ts';
import type { ReplacedItems } from '../../transfer.ts';
import { replaceOriginal } from '../items/originals.ts';
import { renameTag } from '../items/tags.ts';
import { reindexOlder, replacePassages } from '../index/index.ts';
import { reprocess } from '../queue/reprocess.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

/**
 * Writes that may be large. They have names, and plain data as arguments and results, so that they can run in another
 * thread. Each runs in one write transaction.
 */
const largeWrites = {
  /** Does nothing: opening the file has migrated it already. */
  migrate: (_file: SqliteFile, _now: number): void => {},

  saveContent: (
    file: SqliteFile,
    clock: ClockReading,
    generation: number,
    input: records.SaveContent,
    original: PackedResource | null,
  ): AnnouncedWrite<records.SavedContent> =>
    writeAnnounced(file, generation, () => {
      const now = clock.now();
      const { id, outcome } = saving.saveContent(file, input, original, now, clock);
      const item = getItem(file, id, now);
      if (item === null) throw new Error('an item that was just saved is not there');
      return { id, outcome, item };
    }),

  importContent: (
    file: SqliteFile,
    clock: ClockReading,
    generation: number,
    entries: readonly PackedImport[],
  ): AnnouncedWrite<records.ImportedContent[]> =>
    writeAnnounced(file, generation, () => importContent(file, entries, clock.now(), clock)),

  updateContent(
    file: SqliteFile,
    clock: ClockReading,
    id: string,
    changes: records.ContentChanges,
  ): ContentSummary | null {
    const now = clock.now();
    saving.updateContent(file, id, changes, null, now);
    return getContentSummary(file, id, now);
  },

  rewriteContent: (
    file: SqliteFile,
    clock: ClockReading,
    generation: number,
    id: string,
    changes: Omit<records.ContentChanges, 'original'>,
    original: PackedResource | null,
  ): AnnouncedWrite<ContentSummary | null> =>
    writeAnnounced(file, generation, () => {
      const now = clock.now();
      saving.updateContent(file, id, changes, original, now);
      return getContentSummary(file, id, now);
    }),

  deleteContent(
    file: SqliteFile,
    clock: ClockReading,
    id: string,
    unchangedSince: number | undefined,
  ): ContentSummary | null {
    const now = clock.now();
    saving.requireUnchanged(file, id, unchangedSince);
    deleteContent(file, id, now, clock);
    return getDeletedSummary(file, id, now, clock);
  },

  renameTag: (file: SqliteFile, clock: ClockReading, from: string, to: string): records.RenamedTag | null =>
    renameTag(file, from, to, clock.now()),

  undoPart: (
    file: SqliteFile,
    clock: ClockReading,
    generation: number,
    id: string,
    how: { force: boolean; undoneBy: string },
  ): AnnouncedWrite<UndoPart | null> =>
    writeAnnounced(file, generation, () => undoPart(file, id, how, clock.now(), clock)),

  keepOriginalAndRelease(file: SqliteFile, clock: ClockReading, claim: records.Claim, original: PackedResource): void {
    const item = claims.requireLease(file, claim, 'fetch');
    replaceOriginal(file, item, original, 'fetched');
    claims.advanceAndRelease(file, item, 'extract', clock.now());
  },

  keepDocument(
    file: SqliteFile,
    clock: ClockReading,
    claim: records.Claim,
    document: Omit<Document, 'blocks'>,
    transcript: Transcript,
  ): records.Claim {
    const item = claims.requireLease(file, claim, 'extract');
    addDocument(file, item, document, transcript, clock.now());
    return claims.advanceJob(file, claim, item, 'split', clock.now());
  },

  keepPassages(
    file: SqliteFile,
    clock: ClockReading,
    claim: records.Claim,
    documentId: number,
    split: readonly Passage[],
    fingerprint: Uint8Array | null,
  ): records.Claim {
    const item = claims.requireLease(file, claim, 'split');
    const text = readTranscriptText(file, documentId) ?? '';
    showPassages(file, item, documentId, text, split, fingerprint, clock.now());
    return claims.advanceJob(file, claim, item, 'embed', clock.now());
  },

  keepReadingAndRelease(
    file: SqliteFile,
    clock: ClockReading,
    claim: records.Claim,
    { document, transcript, passages, wordCount, fingerprint }: records.KeptReading,
    next: 'embed' | 'analyse',
  ): void {
    const item = claims.requireLease(file, claim, 'extract');
    const documentId = addDocument(file, item, document, transcript, clock.now(), wordCount);
    showPassages(file, item, documentId, transcript.text, passages, fingerprint, clock.now());
    claims.advanceAndRelease(file, item, next, clock.now());
  },

  restoreItem: (
    file: SqliteFile,
    clock: ClockReading,
    generation: number,
    item: ExportedItem,
    originals: readonly PackedResource[],
    replaces: ReplacedItems,
  ): AnnouncedWrite<records.ImportedContent> =>
    writeAnnounced(file, generation, () => restoreItem(file, item, originals, replaces, clock.now(), clock)),

  keepHighlightPlaces: (
    file: SqliteFile,
    clock: ClockReading,
    contentId: string,
    documentId: number,
    places: readonly { id: string; quote: string; place: FoundPlace | null }[],
  ): void => keepHighlightPlaces(file, contentId, documentId, places, clock.now()),

  deleteHighlight: (file: SqliteFile, clock: ClockReading, id: string): DeletedHighlight | null =>
    deleteHighlight(file, id, clock.now()),

  purgeExpired: (file: SqliteFile, clock: ClockReading, limit: number): number =>
    purgeExpired(file, limit, clock.now(), clock),

  applyIndexPage: (file: SqliteFile, _clock: ClockReading, page: IndexPage): CopyState => applyPage(file, page),

  reindexOlder: (file: SqliteFile, _clock: ClockReading): void => reindexOlder(file),

  reprocess: (
    file: SqliteFile,
    clock: ClockReading,
    generation: number,
    from: records.ReprocessStage,
    contentId: string | undefined,
  ): AnnouncedWrite<records.Reprocessing> =>
    writeAnnounced(file, generation, () => reprocess(file, from, contentId, clock.now())),
};

/** Makes a document visible with its passages. */
function showPassages(
  file: SqliteFile,
  item: number,
  documentId: number,
  text: string,
  passages: readonly Passage[],
  fingerprint: Uint8Array | null,
  now: number,
): void {
  const isSameText = saysTheSame(file, item, documentId);
  replacePassages(file, item, documentId, text, passages);
  lookForHighlightsAgain(file, item);
  replaceFingerprint(file, item, fingerprint);
  linkDuplicates(file, item, documentId, now, isSameText);
}

type LargeWrites = typeof largeWrites;
export type WriteName = keyof LargeWrites;
type ArgumentsAfterClock<F> = F extends (file: SqliteFile, clock: ClockReading, ...rest: infer Rest) => unknown
  ? Rest
  : never;
export type WriteArguments<N extends WriteName> = ArgumentsAfterClock<LargeWrites[N]>;
export type WriteAnswer<N extends WriteName> = ReturnType<LargeWrites[N]>;

/** The clock's readings when the write was requested: a clock object cannot be sent to another thread. */
interface AskedAt {
  now: number;
  uptime: number;
  /** The change that the write is a part of. */
  change?: ChangeRecord | undefined;
}
export type TimedArguments<N extends WriteName> = [at: AskedAt, ...rest: WriteArguments<N>];

export function runWrite<N extends WriteName>(
  name: N,
  file: SqliteFile,
  [at, ...rest]: TimedArguments<N>,
): WriteAnswer<N> {
  const clock: ClockReading = { now: () => at.now, uptime: () => at.uptime };
  noteTime(file, clock);
  const write = largeWrites[name] as (
    file: SqliteFile,
    clock: ClockReading,
    ...rest: WriteArguments<N>
  ) => WriteAnswer<N>;
  return recorded(file, at.change, clock, () => write(file, clock, ...rest));
}
