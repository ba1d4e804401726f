import { realpath, stat } from 'node:fs/promises';
import { basename, parse, resolve, sep } from 'node:path';
import { localAccountId } from '../domain/access/account-names.ts';
import type { Clock } from '../domain/clock.ts';
import type { Source } from '../domain/records/sources/source.ts';
import type { FolderEvent } from '../domain/records/sources/folder.ts';
import { invalidInput } from '../errors.ts';
import type { Log } from '../workers/log.ts';
import { createFolderCheck } from '../pipeline/sources/folder.ts';
import { createFolderWatches } from '../pipeline/sources/folder-watch.ts';
import type { CheckSource } from '../pipeline/sources/run-check.ts';
import type { Config } from '../settings/config.ts';
import type { Stores } from '../store/store.ts';

/** Folders of this machine that the local library is kept in step with. Only its settings and its command line add any. */
export interface FolderSources {
  /** Null where the records are in a database that several machines share. */
  check: CheckSource | null;
  /** Adds a folder to check; a known one stays as it is. @throws {AppError} `invalid_input` */
  add(path: string, tags?: readonly string[]): Promise<Source>;
  get(id: string): Promise<Source | null>;
  /** @returns ends it */
  onEvent(listener: (sourceId: string, event: FolderEvent) => void): () => void;
  /** Adds the folders of the settings, and checks all folders that changed while no process watched. */
  begin(): Promise<void>;
  close(): void;
}

/** How a source names this folder; null when it is not there. */
const addressOf = (path: string): Promise<string | null> => realpath(resolve(path)).catch(() => null);

/** Whether the settings name this folder, perhaps by a link. */
export async function isSetFolder(address: string, watchFolders: readonly string[]): Promise<boolean> {
  const set = await Promise.all(watchFolders.map(async (path) => (await addressOf(path)) ?? resolve(path)));
  return set.includes(address);
}

export function openFolderSources(
  { watchFolders, databaseUrl, fetchMaxMegabytes }: Config,
  { stores, clock, log }: { stores: Stores; clock: Clock; log: Log },
): FolderSources {
  const listeners = new Set<(sourceId: string, event: FolderEvent) => void>();
  const watches = createFolderWatches(log);
  const check = createFolderCheck({
    readFolder: async (...asked) => (await import('../importing/import-thread.ts')).readInThread(...asked),
    maxBytes: fetchMaxMegabytes * 1024 * 1024,
    clock,
    onEvent: (sourceId, event) => listeners.forEach((listener) => listener(sourceId, event)),
    watch: watches.watch,
  });

  const add: FolderSources['add'] = async (path, tags = []) => {
    if (databaseUrl !== '')
      throw invalidInput(
        'The records are in a database (databaseUrl) that other machines share, and a folder is on one. Watch it with a library in a data folder.',
      );
    const address = await addressOf(path);
    if (address !== null && (await stat(address)).isFile())
      throw invalidInput(`${JSON.stringify(path)} is a file: save it with \`commonplace save\`.`);
    if (address === null || !(await stat(address)).isDirectory())
      throw invalidInput(`There is no folder ${JSON.stringify(path)}.`);
    if (address === parse(address).root) throw invalidInput('A whole drive cannot be watched. Name a folder on it.');
    const store = await stores.open(localAccountId);
    const folders = await store.listSources('folder');
    const same = folders.find((one) => one.address === address);
    if (same !== undefined) {
      if (tags.length > 0) await store.updateSource(same.id, { options: { ...same.options, tags: [...tags] } });
      await store.askSource(same.id);
      return (await store.getSource(same.id)) ?? same;
    }
    const around = folders.find(
      (one) => address.startsWith(one.address + sep) || one.address.startsWith(address + sep),
    );
    if (around !== undefined)
      throw invalidInput(
        `${JSON.stringify(around.address)} is watched already, and one of the two is inside the other. Remove that source first: commonplace sources remove ${around.id}.`,
      );
    const options = tags.length === 0 ? {} : { tags: [...tags] };
    return store.addSource({ kind: 'folder', address, name: basename(address), options });
  };

  return {
    check: databaseUrl === '' ? check : null,
    add,
    get: async (id) => (await stores.open(localAccountId)).getSource(id),
    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async begin() {
      if (databaseUrl !== '') return;
      for (const path of watchFolders)
        await add(path).catch((error: unknown) => log.warn({ err: error, path }, 'a folder cannot be watched'));
      const store = await stores.open(localAccountId);
      for (const { id } of await store.listSources('folder')) await store.askSource(id);
    },
    close: watches.close,
  };
}
