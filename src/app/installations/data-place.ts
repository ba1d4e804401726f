import { existsSync, realpathSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { networkDriveOf, syncServiceOf } from '../../domain/data-places.ts';

export interface DataPlace {
  /** The sync service whose folder the data folder is in; null when it is in none. */
  syncService: string | null;
  /** The network file system that it is on; null when it is on none. */
  networkDrive: string | null;
  /** Room on its disk; null where that cannot be told. */
  freeBytes: number | null;
}

/** Where the data folder is: some places damage it. */
export function dataPlaceOf(folder: string): DataPlace {
  try {
    const path = realpathSync(folder);
    const { type, blocks, bavail, bsize } = statfsSync(path);
    return {
      syncService: syncServiceOf(path, (above, file) => existsSync(join(above, file))),
      networkDrive: networkDriveOf(path, type, process.platform),
      // Some network file systems report no sizes.
      freeBytes: blocks > 0 ? bavail * bsize : null,
    };
  } catch {
    // Other checks say what is wrong with the folder.
    return { syncService: null, networkDrive: null, freeBytes: null };
  }
}
