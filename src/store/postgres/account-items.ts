import type { ContentSummary } from '../../domain/records/content.ts';
import type { Original, Resource } from '../../domain/records/resource.ts';
import { importPackedContent } from '../library/items/import.ts';
import { readOriginal } from '../library/items/originals.ts';
import {
  findSameAddress,
  keepPackedCompanion,
  savePackedContent,
  updatePackedContent,
} from '../library/items/saving.ts';
import type * as records from '../records.ts';
import type { Coverage } from '../records/search-records.ts';
import { unpackOriginal } from '../records/packed-originals.ts';
import type { AccountAccess, AccountTx } from './account-access.ts';
import { keepResource, keepResources, readBytes } from './blobs/kept-bytes.ts';
import { objectDamaged } from './blobs/object-store.ts';
import { postgresDb, runSteps } from './postgres-db.ts';

/** The methods for items that keep or read bytes outside of their transaction. A part of `createPostgresStore`. */
export function itemsOf(access: AccountAccess) {
  const keep = (resource: Resource | undefined) => (resource === undefined ? null : keepResource(access, resource));
  return {
    async saveContent({ original, ...input }: records.SaveContent): Promise<records.SavedContent> {
      const kept = await keep(original);
      const ask = (db: AccountTx) => runSteps(db, findSameAddress(postgresDb(db), input.canonicalUrl));
      return access.askAndWriteWork(ask, (db, same) =>
        runSteps(db, savePackedContent(postgresDb(db), input, kept, same)),
      );
    },

    async importContent(entries: readonly records.ImportContent[]): Promise<records.ImportedContent[]> {
      const originals = entries.flatMap(({ original }) => original ?? []);
      const kept = (await keepResources(access, originals)).values();
      const packed = entries.map(({ original, ...entry }) => ({
        ...entry,
        original: original === undefined ? null : (kept.next().value ?? null),
      }));
      return access.writeWork((db) => runSteps(db, importPackedContent(postgresDb(db), packed)));
    },

    async updateContent(id: string, { original, ...changes }: records.ContentChanges): Promise<ContentSummary | null> {
      const kept = await keep(original);
      return access.writeWork((db) => runSteps(db, updatePackedContent(postgresDb(db), id, changes, kept)));
    },

    coverage: (): Promise<Coverage> =>
      access.read(async ({ sql, account }) => {
        const [counts] = await sql<Coverage[]>`
          SELECT count(*) FILTER (WHERE passage_count > 0) AS searchable,
            count(*) FILTER (WHERE passage_count = 0 AND state = 'unfinished') AS pending,
            count(*) FILTER (WHERE passage_count = 0 AND state = 'failed') AS failed
          FROM items WHERE account_id = ${account} AND deleted_at IS NULL`;
        return counts ?? { searchable: 0, pending: 0, failed: 0 };
      }),

    async readOriginal(contentId: string, name = ''): Promise<Original | null> {
      for (let isSecond = false; ; isSecond = true) {
        const placed = await access.read((db) => runSteps(db, readOriginal(postgresDb(db), contentId, name)));
        if (placed === null) return null;
        const bytes = await readBytes(access, placed);
        if (bytes !== null) {
          const { object: _object, ...original } = placed;
          return unpackOriginal({ ...original, bytes });
        }
        // Between the row and its object, the original may have been replaced.
        if (isSecond) throw objectDamaged();
      }
    },

    async keepCompanion(contentId: string, name: string, resource: Resource): Promise<void> {
      if (name === '') throw new Error('a companion needs a name: the empty one is that of the original');
      const kept = await keepResource(access, resource);
      await access.write((db) => runSteps(db, keepPackedCompanion(postgresDb(db), contentId, name, kept)));
    },
  };
}
