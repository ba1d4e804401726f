import type { ContentItem, ContentSummary } from '../../domain/content.ts';
import type * as records from '../records.ts';
import type * as port from '../store.ts';
import * as reading from './content-reading.ts';
import * as content from './content.ts';
import * as deletion from './deletion.ts';
import * as links from './goal-links.ts';
import * as jobs from './jobs.ts';
import * as originals from './originals.ts';
import { reprocess } from './reprocess.ts';
import * as segments from './word-segments.ts';
import type { AccountAccess } from './account-access.ts';

/** Items as people see, save and change them. A part of `createSqliteStore`. */
export function itemsOf(access: AccountAccess) {
  return {
    async saveContent(input: records.SaveContent): Promise<content.SavedContent> {
      const original = input.original === undefined ? null : await originals.packResource(input.original);
      await access.announceWork();
      return access.write((file, now) => content.saveContent(file, input, original, now));
    },

    async getContent(id: string): Promise<ContentItem | null> {
      return access.use((file, now) => reading.getContent(file, id, now));
    },

    async getContentSummary(id: string): Promise<ContentSummary | null> {
      return access.use((file, now) => reading.getContentSummary(file, id, now));
    },

    async listContent(query: records.ContentQuery): Promise<records.Page<ContentSummary>> {
      return access.use((file, now) => reading.listContent(file, query, now));
    },

    async listNames(most: number): Promise<records.KnownNames> {
      return access.use((file) => reading.listNames(file, most));
    },

    async retryContent(id: string): Promise<boolean> {
      await access.announceWork();
      return access.write((file, now) => {
        const item = content.findContent(file, id);
        return item !== null && jobs.requeueJob(file, item, now);
      });
    },

    async reprocess(from: records.ReprocessStage, contentId?: string): Promise<records.Reprocessing> {
      await access.announceWork();
      return access.write((file, now) => reprocess(file, from, contentId, now));
    },

    async updateContent(id: string, changes: records.ContentChanges): Promise<ContentSummary | null> {
      return access.write((file, now) => {
        content.updateContent(file, id, changes, now);
        return reading.getContentSummary(file, id, now);
      });
    },

    async deleteContent(id: string): Promise<ContentSummary | null> {
      return access.write((file, now) => {
        deletion.deleteContent(file, id, now);
        return reading.getDeletedSummary(file, id, now);
      });
    },

    async restoreContent(id: string): Promise<ContentSummary | null> {
      await access.announceWork();
      return access.write((file, now) => {
        deletion.restoreContent(file, id, now);
        return reading.getContentSummary(file, id, now);
      });
    },

    async purgeExpired(most: number): Promise<number> {
      return access.write((file, now) => deletion.purgeExpired(file, most, now));
    },

    async hasWordsToMerge(): Promise<boolean> {
      return access.use(segments.hasWordsToMerge);
    },

    async mergeWords(): Promise<void> {
      await access.write(segments.mergeWords);
    },

    async hasChores(): Promise<boolean> {
      return access.use((file, now) => deletion.hasExpired(file, now) || links.hasLinksDue(file));
    },
  } satisfies Partial<port.Store>;
}
