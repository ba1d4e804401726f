import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { heldToOf, isAccountId } from '../domain/access/account-names.ts';
import { libraryJobRecord, type LibraryJobRecord } from '../domain/records/transfers/library-job.ts';
import { idPattern } from '../domain/records/ids.ts';
import { heldRefusal } from './held-store.ts';

const recordFile = 'job.json';
const idOfJob = idPattern('j');

/** The folder, inside the data folder, with the jobs of all accounts. */
export function libraryJobsFolder(dataFolder: string): string {
  return join(dataFolder, 'jobs');
}

export type LibraryJobFolders = ReturnType<typeof createLibraryJobFolders>;

/**
 * Imports and exports of accounts: for each a folder with its record and its files. They are no part of an account's library:
 * backups leave them out.
 */
export function createLibraryJobFolders(dataFolder: string) {
  const root = libraryJobsFolder(dataFolder);
  const requireWhole = (accountId: string): void => {
    if (heldToOf(accountId) !== null) throw heldRefusal('exports and imports are of the whole library');
  };
  const folderOf = (accountId: string, id: string): string => {
    requireWhole(accountId);
    if (!isAccountId(accountId) || !idOfJob.test(id)) throw new Error('no id of an account or of a job');
    return join(root, accountId, id);
  };
  const read = async (accountId: string, id: string): Promise<LibraryJobRecord | null> => {
    if (!idOfJob.test(id)) return null;
    const text = await readFile(join(folderOf(accountId, id), recordFile), 'utf8').catch(missing(null));
    return text === null ? null : recordIn(text);
  };
  return {
    read,
    /** Newest first. */
    async list(accountId: string) {
      requireWhole(accountId);
      const ids = await readdir(join(root, accountId)).catch(missing([]));
      const records = await Promise.all(ids.map((id) => read(accountId, id)));
      return records
        .filter((record) => record !== null)
        .toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
    },
    async create(accountId: string, id: string) {
      await mkdir(folderOf(accountId, id), { recursive: true, mode: 0o700 });
    },
    /** Writes the record at once or not at all. Does nothing when the folder was removed. */
    async write(accountId: string, record: LibraryJobRecord) {
      const path = join(folderOf(accountId, record.id), recordFile);
      await writeDurably(`${path}.new`, JSON.stringify(record))
        .then(() => rename(`${path}.new`, path))
        .catch(missing(undefined));
    },
    /** The path of a file of the job. */
    pathOf: (accountId: string, id: string, name: string) => join(folderOf(accountId, id), name),
    async remove(accountId: string, id: string) {
      await rm(folderOf(accountId, id), { recursive: true, force: true });
    },
    /** Removes folders without a record that are older than `before`: what a killed process left. */
    async removeAbandoned(accountId: string, before: number) {
      for (const id of (await readdir(join(root, accountId)).catch(missing([]))).filter((name) => idOfJob.test(name))) {
        if ((await read(accountId, id)) !== null) continue;
        const made = await stat(folderOf(accountId, id)).catch(missing(null));
        if (made !== null && made.mtimeMs < before) await rm(folderOf(accountId, id), { recursive: true, force: true });
      }
    },
    async accounts() {
      return (await readdir(root).catch(missing([]))).filter(isAccountId);
    },
  };
}

/** Null when the text is not a record: then its folder is treated like one without a record, and is removed later. */
function recordIn(text: string): LibraryJobRecord | null {
  try {
    return libraryJobRecord.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Without `sync`, the file could be empty after a power cut, although it was renamed. */
async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Handles the error of a file or a folder that is not there. */
function missing<T>(instead: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code !== 'ENOENT') throw error;
    return instead;
  };
}
