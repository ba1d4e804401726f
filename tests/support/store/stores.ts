import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localAccountId } from '../../../src/domain/records/account.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import type { Log } from '../../../src/workers/log.ts';
import { openDataFolder } from '../../../src/app/installations/data-folder.ts';
import type { Store, Stores } from '../../../src/store/store.ts';
import { putNewLibrary } from './new-library.ts';

export interface TestStores {
  folder: string;
  stores: Stores;
  /** The local account's. */
  store: Store;
  close(): Promise<void>;
}

/** Real stores in their own folder, which goes with them. */
export async function openStores(clock: Clock): Promise<TestStores> {
  const folder = await mkdtemp(join(tmpdir(), 'commonplace-stores-'));
  await putNewLibrary(folder);
  const stores = await openDataFolder({ folder, clock });
  return {
    folder,
    stores,
    store: await stores.open(localAccountId),
    close: async () => {
      await stores.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface LogEntry {
  level: 'debug' | 'info' | 'warn' | 'error';
  fields: Record<string, unknown>;
  message: string;
}

/** A log that remembers what was said. */
export function rememberingLog(): Log & { entries: LogEntry[] } {
  const entries: LogEntry[] = [];
  const at = (level: LogEntry['level']) => (fields: object, message: string) =>
    void entries.push({ level, fields: { ...fields }, message });
  return { entries, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** Queues an item for each address. */
export async function saveUrls(store: Store, urls: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const url of urls) {
    ids.push((await store.saveContent({ url, canonicalUrl: url, tags: [], notes: undefined })).id);
  }
  return ids;
}
