import type { Highlight, HighlightChanges, NewHighlight } from '../../../domain/records/highlights/highlight.ts';
import type { FoundPlace } from '../../../domain/records/highlights/place.ts';
import type { DeletedHighlight, HighlightQuery, HighlightsToPlace } from '../../highlights.ts';
import type { Page } from '../../records.ts';
import type * as port from '../../store.ts';
import type { AccountAccess } from '../files/account-access.ts';
import { countPassagesOf } from '../items/saving.ts';
import { getHighlight } from './highlight-reading.ts';
import * as highlights from './highlights.ts';
import { nextHighlightsToPlace } from './marks.ts';

/** The methods for highlights. A part of `createSqliteStore`. */
export function highlightsOf(access: AccountAccess) {
  /** The words of all passages of an item are indexed anew. */
  const isLarge = async (contentId: string): Promise<boolean> =>
    (await access.use((file) => countPassagesOf(file, contentId))) >= access.largeSizes.reindexed;
  return {
    async listHighlights(query: HighlightQuery): Promise<Page<Highlight>> {
      return access.list('listHighlights', query);
    },

    async getHighlight(id: string): Promise<Highlight | null> {
      return access.use((file) => getHighlight(file, id));
    },

    async addHighlight(added: NewHighlight): Promise<Highlight | null> {
      return access.writeWork((file, now) => highlights.addHighlight(file, added, now));
    },

    async updateHighlight(id: string, changes: HighlightChanges): Promise<Highlight | null> {
      return access.writeWork((file, now) => highlights.updateHighlight(file, id, changes, now));
    },

    async deleteHighlight(id: string): Promise<DeletedHighlight | null> {
      const before = await access.use((file) => getHighlight(file, id));
      const isOfMany = before !== null && (await isLarge(before.contentId));
      return access.writeNamed(isOfMany, 'deleteHighlight', id);
    },

    async nextHighlightsToPlace(limit: number, contentId?: string): Promise<HighlightsToPlace | null> {
      return access.use((file) => nextHighlightsToPlace(file, limit, contentId));
    },

    async keepHighlightPlaces(
      contentId: string,
      documentId: number,
      places: readonly { id: string; quote: string; place: FoundPlace | null }[],
    ): Promise<void> {
      await access.writeNamed(await isLarge(contentId), 'keepHighlightPlaces', contentId, documentId, places);
    },
  } satisfies Partial<port.Store>;
}
