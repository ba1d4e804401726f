import type { ContentItem, ContentSummary } from '../../../domain/records/content.ts';
import type { Original, Resource } from '../../../domain/records/resource.ts';
import type { Documents } from '../../documents.ts';
import type { Items } from '../../items.ts';
import { unpackOriginal } from '../../records/packed-originals.ts';
import type * as records from '../../records.ts';
import type { Coverage } from '../../records/search-records.ts';
import type { AccountAccess, AccountTx } from '../account-access.ts';
import { type KeptOriginal, readOriginal, replaceCompanion } from '../../library/originals.ts';
import { keepResource, keepResources, readBytes } from '../blobs/kept-bytes.ts';
import { postgresDb, runSteps } from '../postgres-db.ts';
import { objectDamaged } from '../blobs/object-store.ts';
import { requeueJob } from './bridged.ts';
import type * as shared from '../../library/methods.ts';
import * as deletion from './deletion.ts';
import { importContent, type KeptImport } from './import.ts';
import * as reading from './reading.ts';
import * as saving from './saving.ts';

/** The methods for items and documents. A part of `createPostgresStore`. */
export function itemsOf(
  access: AccountAccess,
): Omit<Items & Documents, keyof typeof shared.reads | keyof typeof shared.writes> {
  return {
    async saveContent({ original, ...input }: records.SaveContent): Promise<records.SavedContent> {
      const kept = original === undefined ? null : await keepResource(access, original);
      const ask = (db: AccountTx) => saving.findSameAddress(db, input.canonicalUrl);
      return access.askAndWriteWork(ask, async (db, same) => {
        const saved = await saving.saveContent(db, input, kept, same);
        const item = await (saved.outcome === 'created' ? reading.getNewItem : reading.getItem)(db, saved.id);
        if (item === null) throw new Error('an item that was just saved is not there');
        return { ...saved, item };
      });
    },

    async importContent(entries: readonly records.ImportContent[]): Promise<records.ImportedContent[]> {
      const kept = await keepResources(
        access,
        entries.flatMap(({ original }) => original ?? []),
      );
      const withPlaces: KeptImport[] = entries.map(({ original, ...entry }) => ({
        ...entry,
        original: original === undefined ? null : taken(kept),
      }));
      return access.writeWork((db) => importContent(db, withPlaces));
    },

    getContent: (id: string): Promise<ContentItem | null> => access.read((db) => reading.getContent(db, id)),
    getContentSummary: (id: string): Promise<ContentSummary | null> =>
      access.read((db) => reading.getContentSummary(db, id)),
    findByAddress: (canonicalUrl: string): Promise<string | null> =>
      access.read(async (db) => (await saving.findSameAddress(db, canonicalUrl)).live?.id ?? null),
    getContentVersion: (id: string): Promise<number | null> => access.read((db) => saving.getVersion(db, id)),
    listContent: (query: records.ContentQuery): Promise<records.Page<ContentSummary>> =>
      access.read((db) => reading.listContent(db, query)),
    listTitles: (query: records.ContentQuery): Promise<records.Page<records.ItemTitle>> =>
      access.read((db) => reading.listTitles(db, query)),
    countKinds: (): Promise<records.KindCount[]> => access.read(reading.countKinds),
    listNames: (limit: number): Promise<records.KnownNames> => access.read((db) => reading.listNames(db, limit)),
    coverage: (): Promise<Coverage> => access.read(reading.coverage),

    retryContent: (id: string): Promise<boolean> =>
      access.writeWork(async (db) => {
        const item = await saving.findItem(db, id);
        return item !== null && requeueJob(db, item);
      }),

    async updateContent(id: string, { original, ...changes }: records.ContentChanges): Promise<ContentSummary | null> {
      const kept = original === undefined ? null : await keepResource(access, original);
      return access.writeWork(async (db) => {
        await saving.updateContent(db, id, changes, kept);
        return reading.getContentSummary(db, id);
      });
    },

    deleteContent: (id: string, unchangedSince?: number): Promise<ContentSummary | null> =>
      access.write(async (db) => {
        await saving.requireUnchanged(db, id, unchangedSince);
        await deletion.deleteContent(db, id);
        return reading.getDeletedSummary(db, id, db.passed);
      }),

    restoreContent: (id: string): Promise<ContentSummary | null> =>
      access.writeWork(async (db) => {
        await deletion.restoreContent(db, id);
        return reading.getContentSummary(db, id);
      }),

    expireDeleted: (ids: readonly string[] | null): Promise<number> =>
      access.write((db) => deletion.expireDeleted(db, ids)),

    purgeExpired: (limit: number): Promise<number> => access.write((db) => deletion.purgeExpired(db, limit)),

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
      await access.write(async (db) => {
        const item = await saving.findItem(db, contentId);
        if (item !== null) await runSteps(db, replaceCompanion(postgresDb(db), item, name, kept));
      });
    },
  };
}

function taken(kept: KeptOriginal[]): KeptOriginal {
  const first = kept.shift();
  if (first === undefined) throw new Error('an original was not kept');
  return first;
}
