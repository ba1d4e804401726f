import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../../workers/log.ts';
import type { SqliteControl } from '../control/control.ts';
import type { AccountFiles } from './account-files.ts';
import { libraryJobsFolder } from '../../library-jobs.ts';
import { removeCopiesOf } from './copies-before-migration.ts';

/** The names of copies of a whole data folder that `restore --replace` puts aside in its folder `backups`. */
const putAside = /^before-restore-/;

interface AccountRemovalParts {
  dataFolder: string;
  control: SqliteControl;
  files: AccountFiles;
  log?: Log | undefined;
}

/**
 * Purges accounts whose restoration period is over, and those with an interrupted removal. Afterwards the data folder has none of
 * their bytes, except `control.db` in copies that were put aside (`foldersPutAside`).
 */
export async function removeForGood({ dataFolder, control, files, log }: AccountRemovalParts): Promise<void> {
  for (const id of await control.listExpired()) await control.markRemoved(id);
  for (const id of await control.listRemoved()) await removeFiles(id, dataFolder, files);
  try {
    await control.compactIfDue();
  } catch (error) {
    // The file is being read. It is removed at the next start, or within the hour.
    log?.debug({ err: error }, 'control.db could not be compacted');
  }
}

/** Removes the files of an account that is marked as removed. */
export async function removeFiles(accountId: string, dataFolder: string, files: AccountFiles): Promise<void> {
  await files.remove(accountId);
  rmSync(join(libraryJobsFolder(dataFolder), accountId), { recursive: true, force: true });
  // Copies of control.db have its name and the hashes of its tokens.
  removeCopiesOf(dataFolder, 'control');
  for (const folder of foldersPutAside(dataFolder))
    for (const suffix of ['', '-wal', '-shm'])
      rmSync(join(folder, 'accounts', `${accountId}.db${suffix}`), { force: true });
}

/** Whole data folders that `restore --replace` put aside. */
export function foldersPutAside(dataFolder: string): string[] {
  const folder = join(dataFolder, 'backups');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => putAside.test(name))
    .map((name) => join(folder, name));
}
