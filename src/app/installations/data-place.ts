import { existsSync, realpathSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { networkDriveOf, syncServiceOf } from '../../domain/data-places.ts';

export interface DataPlace {
  /** The sync service whose folder the data folder is in; null when it is in none. */
  syncService: string | null;
  /** The network file system that it is on; null when it is on none. */
  networkDrive: string | null;
}

/** Where the data folder is: some places damage it. */
export function dataPlaceOf(folder: string): DataPlace {
  try {
    const path = realpathSync(folder);
    return {
      syncService: syncServiceOf(path, (above, file) => existsSync(join(above, file))),
      networkDrive: networkDriveOf(path, statfsSync(path).type, process.platform),
    };
  } catch {
    // Other checks say what is wrong with the folder.
    return { syncService: null, networkDrive: null };
  }
}
