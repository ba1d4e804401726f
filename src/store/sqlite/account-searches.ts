import type { Transcript } from '../../domain/records/document.ts';
import type { RankedPassage } from '../../domain/records/passage.ts';
import type * as searching from '../records/search-records.ts';
import type * as port from '../store.ts';
import { listEmbedders, suggestions, type VectorMemory } from './index/index.ts';
import type { AccountAccess } from './files/account-access.ts';

/** The store's methods for searches and suggestions. A part of `createSqliteStore`. */
export function searchesOf(access: AccountAccess) {
  return {
    async readTranscript(contentId: string): Promise<string | null> {
      return access.read('readTranscript', contentId);
    },

    async readText(contentId: string): Promise<Transcript | null> {
      return access.read('readText', contentId);
    },

    async findItems(search: searching.ItemSearch): Promise<searching.ItemsFound> {
      const memories: Record<string, VectorMemory | null> = {};
      for (let vector = search.vector ?? undefined; vector !== undefined; vector = vector.before)
        memories[vector.embedderId] = access.vectorMemory(vector.embedderId, vector.values.length);
      return access.read('findItems', search, memories);
    },

    async locate(parts: readonly searching.PassagePart[]): Promise<(searching.PassagePlace | null)[]> {
      return access.read('locate', parts);
    },

    async searchWords(query: string, filter: searching.PassageFilter, limit: number): Promise<RankedPassage[]> {
      return access.read('searchWords', query, filter, limit);
    },

    async searchVectors(
      embedderId: string,
      query: Float32Array,
      filter: searching.PassageFilter,
      limit: number,
    ): Promise<RankedPassage[]> {
      const memory = access.vectorMemory(embedderId, query.length);
      return access.read('searchVectors', embedderId, query, filter, limit, memory);
    },

    async readPassages(passageIds: readonly number[]): Promise<searching.FoundPassage[]> {
      return access.read('readPassages', passageIds);
    },

    async readSurroundings(
      passageIds: readonly number[],
      distance: number,
    ): Promise<{ passageId: number; start: number; end: number }[]> {
      return access.read('readSurroundings', passageIds, distance);
    },

    async sampleItem(contentId: string, embedderId: string | null, limit: number): Promise<searching.PassageSample[]> {
      return access.read('sampleItem', contentId, embedderId, limit);
    },

    async coverage(): Promise<searching.Coverage> {
      return access.read('coverage');
    },

    async countVectors(
      embedderId: string,
      languages: readonly string[] | null = null,
    ): Promise<{ passages: number; embedded: number }> {
      return access.read('countVectors', embedderId, languages);
    },

    async listEmbedders(): Promise<{ id: string; vectors: number }[]> {
      return access.use(listEmbedders);
    },

    async listNamesLike(typed: string, limit: number): Promise<searching.NamesLike> {
      return access.list('listNamesLike', typed, limit);
    },

    async rememberQuery(text: string): Promise<void> {
      await access.write((file, now) => suggestions.rememberQuery(file, text, now));
    },

    async listPastQueries(): Promise<searching.PastQuery[]> {
      return access.use((file) => suggestions.listPastQueries(file));
    },

    async forgetQueries(): Promise<number> {
      return access.write((file) => suggestions.forgetQueries(file));
    },
  } satisfies Partial<port.Store>;
}
