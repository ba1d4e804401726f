import type { Transfer } from '../../transfer.ts';
import type { AccountAccess } from '../account-access.ts';
import { keepResources } from '../blobs/kept-bytes.ts';
import { later } from '../database.ts';
import { restoreGoals, restoreItem, restoreItems, restoreMerges } from './restore-item.ts';

/** The methods that take a library along and bring it back. A part of `createPostgresStore`. */
export function transferOf(
  access: AccountAccess,
): Pick<Transfer, 'restoreGoals' | 'restoreItem' | 'restoreItems' | 'restoreMerges'> {
  return {
    restoreGoals: (goals) => access.writeWork((db) => restoreGoals(db, goals)),
    async restoreItem(item, originals) {
      const kept = await keepResources(access, originals);
      return access.writeWork((db) => restoreItem(db, item, kept));
    },
    async restoreItems(items) {
      const kept = await Promise.all(items.map(({ originals }) => keepResources(access, originals)));
      await access.writeWork(async (db) => {
        // Plans of statements were made when these tables were as good as empty, and read all items of the account for
        // each one that is written. The database itself makes them anew when it looks at the tables, once a minute.
        later(db.sql`DISCARD PLANS`);
        await restoreItems(
          db,
          items.map(({ item }, at) => ({ item, originals: kept[at] ?? [] })),
        );
      });
    },
    restoreMerges: (merges) => access.write((db) => restoreMerges(db, merges)),
  };
}
