import type { Document, Transcript } from '../../../domain/document.ts';
import type { ContentSummary } from '../../../domain/content.ts';
import type { Passage } from '../../../domain/passage.ts';
import type * as records from '../../records.ts';
import { type AnnouncedWrite, writeAnnounced } from '../announced-work.ts';
import { getContentSummary } from '../content-reading.ts';
import * as content from '../content.ts';
import { purgeExpired } from '../deletion.ts';
import { addDocument } from '../documents.ts';
import { linkDuplicates } from '../duplicates.ts';
import { replaceFingerprint } from '../fingerprints.ts';
import * as jobs from '../jobs.ts';
import { type PackedResource, replaceOriginal } from '../originals.ts';
import { replacePassages } from '../passages.ts';
import { reprocess } from '../reprocess.ts';
import type { SqliteFile } from '../sqlite-file.ts';

/**
 * Writes that may be large, by name, so that they can be done in another thread: arguments and answers are plain data. Each is
 * the work of one write transaction.
 */
export const largeWrites = {
  saveContent: (
    file: SqliteFile,
    now: number,
    generation: number,
    input: records.SaveContent,
    original: PackedResource | null,
  ): AnnouncedWrite<content.SavedContent> =>
    writeAnnounced(file, generation, () => content.saveContent(file, input, original, now)),

  updateContent(file: SqliteFile, now: number, id: string, changes: records.ContentChanges): ContentSummary | null {
    content.updateContent(file, id, changes, now);
    return getContentSummary(file, id, now);
  },

  keepOriginal(file: SqliteFile, now: number, claim: records.Claim, original: PackedResource): records.Claim {
    const item = jobs.requireLease(file, claim, 'fetch');
    replaceOriginal(file, item, original, 'fetched');
    return jobs.advanceJob(file, claim, item, 'extract', now);
  },

  keepDocument(
    file: SqliteFile,
    now: number,
    claim: records.Claim,
    document: Omit<Document, 'blocks'>,
    transcript: Transcript,
  ): records.Claim {
    const item = jobs.requireLease(file, claim, 'extract');
    addDocument(file, item, document, transcript, now);
    return jobs.advanceJob(file, claim, item, 'split', now);
  },

  keepPassages(
    file: SqliteFile,
    now: number,
    claim: records.Claim,
    documentId: number,
    split: readonly Passage[],
    fingerprint: Uint8Array | null,
  ): records.Claim {
    const item = jobs.requireLease(file, claim, 'split');
    replacePassages(file, item, documentId, split);
    replaceFingerprint(file, item, fingerprint);
    linkDuplicates(file, item, documentId, now);
    return jobs.advanceJob(file, claim, item, 'embed', now);
  },

  purgeExpired: (file: SqliteFile, now: number, most: number): number => purgeExpired(file, most, now),

  reprocess: (
    file: SqliteFile,
    now: number,
    generation: number,
    from: records.ReprocessStage,
    contentId: string | undefined,
  ): AnnouncedWrite<records.Reprocessing> =>
    writeAnnounced(file, generation, () => reprocess(file, from, contentId, now)),
};

type LargeWrites = typeof largeWrites;
export type WriteName = keyof LargeWrites;
type ArgumentsAfterFile<F> = F extends (file: SqliteFile, ...rest: infer Rest) => unknown ? Rest : never;
type ArgumentsAfterNow<F> = F extends (file: SqliteFile, now: number, ...rest: infer Rest) => unknown ? Rest : never;
/** The time comes first. */
export type TimedArguments<N extends WriteName> = ArgumentsAfterFile<LargeWrites[N]>;
export type WriteArguments<N extends WriteName> = ArgumentsAfterNow<LargeWrites[N]>;
export type WriteAnswer<N extends WriteName> = ReturnType<LargeWrites[N]>;

export function runWrite<N extends WriteName>(name: N, file: SqliteFile, args: TimedArguments<N>): WriteAnswer<N> {
  const write = largeWrites[name] as (file: SqliteFile, ...rest: TimedArguments<N>) => WriteAnswer<N>;
  return write(file, ...args);
}
