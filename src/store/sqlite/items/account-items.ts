import type { ContentItem, ContentSummary } from '../../../domain/records/content.ts';
import type * as records from '../../records.ts';
import type * as port from '../../store.ts';
import * as reading from './reading.ts';
import * as saving from './saving.ts';
import * as deletion from './deletion.ts';
import { requeueJob } from '../queue/jobs.ts';
import { type PackedImport, sizeOfImport } from './import.ts';
import { packResource } from '../../records/packed-originals.ts';
import { countTagged } from './tags.ts';
import { countPassages } from '../index/index.ts';
import type { AccountAccess } from '../files/account-access.ts';

/** The methods for saving, reading, changing and deleting items. A part of `createSqliteStore`. */
export function itemsOf(access: AccountAccess) {
  return {
    async saveContent(input: records.SaveContent): Promise<records.SavedContent> {
      const original = input.original === undefined ? null : await packResource(input.original);
      // Leave out the unpacked original: only the packed one is stored.
      const { original: _given, ...save } = input;
      const isLarge = original !== null && original.bytes.length >= access.largeSizes.bytes;
      return access.announcing((generation) => access.writeNamed(isLarge, 'saveContent', generation, save, original));
    },

    async importContent(entries: readonly records.ImportContent[]): Promise<records.ImportedContent[]> {
      const packed: PackedImport[] = [];
      for (const { original, ...entry } of entries)
        packed.push({ ...entry, original: original === undefined ? null : await packResource(original) });
      const { rows, bytes } = sizeOfImport(packed);
      const { imported, passages, bytes: largeBytes } = access.largeSizes;
      const isLarge = packed.length >= imported || rows >= passages || bytes >= largeBytes;
      return access.announcing((generation) => access.writeNamed(isLarge, 'importContent', generation, packed));
    },

    async getContent(id: string): Promise<ContentItem | null> {
      return access.use((file, now) => reading.getContent(file, id, now));
    },

    async getContentSummary(id: string): Promise<ContentSummary | null> {
      return access.use((file, now) => reading.getContentSummary(file, id, now));
    },

    async findByAddress(canonicalUrl: string): Promise<string | null> {
      return access.use((file) => saving.findLive(file, canonicalUrl)?.id ?? null);
    },

    async countKinds(): Promise<records.KindCount[]> {
      return access.list('countKinds');
    },
    async listContent(query: records.ContentQuery): Promise<records.Page<ContentSummary>> {
      return access.list('listContent', query);
    },

    async listTitles(query: records.ContentQuery): Promise<records.Page<records.ItemTitle>> {
      return access.list('listTitles', query);
    },

    async listTags(page: { limit: number; offset: number }): Promise<records.Page<records.TagCount>> {
      return access.list('listTags', page);
    },

    async renameTag(from: string, to: string): Promise<records.RenamedTag | null> {
      const tagged = await access.use((file) => countTagged(file, [from, to]));
      return access.writeNamed(tagged >= access.largeSizes.reindexed, 'renameTag', from, to);
    },

    async listNames(limit: number): Promise<records.KnownNames> {
      return access.list('listNames', limit);
    },

    async retryContent(id: string): Promise<boolean> {
      return access.writeWork((file, now) => {
        const item = saving.findItem(file, id);
        return item !== null && requeueJob(file, item, now);
      });
    },

    async reprocess(from: records.ReprocessStage, contentId?: string): Promise<records.Reprocessing> {
      const passages = await access.use((file) =>
        contentId === undefined ? countPassages(file) : saving.countPassagesOf(file, contentId),
      );
      const isLarge = passages >= access.largeSizes.passages;
      return access.announcing((generation) => access.writeNamed(isLarge, 'reprocess', generation, from, contentId));
    },

    async updateContent(id: string, changes: records.ContentChanges): Promise<ContentSummary | null> {
      // The title is indexed with every passage, so a new title reindexes all of them.
      const passages = changes.title === undefined ? 0 : await access.use((file) => saving.countPassagesOf(file, id));
      const isLarge = passages >= access.largeSizes.reindexed;
      const { original: given, ...others } = changes;
      // A new text and new notes leave work.
      if (given === undefined && changes.notes === undefined)
        return access.writeNamed(isLarge, 'updateContent', id, others);
      const original = given === undefined ? null : await packResource(given);
      const isLargeText = isLarge || (original?.bytes.length ?? 0) >= access.largeSizes.bytes;
      return access.announcing((generation) =>
        access.writeNamed(isLargeText, 'rewriteContent', generation, id, others, original),
      );
    },

    async getContentVersion(id: string): Promise<number | null> {
      return access.use((file) => saving.getVersion(file, id));
    },

    async deleteContent(id: string, unchangedSince?: number): Promise<ContentSummary | null> {
      const copies = await access.use((file) => deletion.countCopies(file, id));
      return access.writeNamed(copies >= access.largeSizes.passages, 'deleteContent', id, unchangedSince);
    },

    async restoreContent(id: string): Promise<ContentSummary | null> {
      return access.writeWork((file, now, clock) => {
        deletion.restoreContent(file, id, now, clock);
        return reading.getContentSummary(file, id, now);
      });
    },

    async expireDeleted(ids: readonly string[] | null): Promise<number> {
      return access.write((file, _now, clock) => deletion.expireDeleted(file, ids, clock));
    },

    async purgeExpired(limit: number): Promise<number> {
      const passages = await access.use((file, _now, clock) => deletion.countExpiredPassages(file, limit, clock));
      return access.writeNamed(passages >= access.largeSizes.reindexed, 'purgeExpired', limit);
    },
  } satisfies Partial<port.Store>;
}
