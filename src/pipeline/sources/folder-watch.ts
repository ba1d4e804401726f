import { type FSWatcher, watch } from 'node:fs';
import type { SourceClaim } from '../../domain/records/sources/source.ts';
import type { Log } from '../../workers/log.ts';
import type { Store } from '../../store/store.ts';
import type { FolderParts } from './folder.ts';

/** A change is looked at when nothing has changed for so long, and after so long in any case: editors save while one types. */
const quietMs = 2_000;
const longestMs = 20_000;
/** One system watches whole trees; where it does not, each folder of them needs a watcher. */
const watchesTrees = process.platform === 'darwin' || process.platform === 'win32';
const maxWatchers = 8_000;

interface Watched {
  /** By folder. */
  watchers: Map<string, FSWatcher>;
  ask: () => Promise<boolean>;
  timer: NodeJS.Timeout | undefined;
  /** When the first change came that was not asked about yet. */
  since: number;
  hasAsked: boolean;
}

/**
 * Watchers of folders, by source. They only make a source due: the check finds out what has changed. Where nothing can be
 * watched, such as on drives of a network, the check that comes every few minutes finds it.
 */
export function createFolderWatches(log: Log): { watch: FolderParts['watch']; close(): void } {
  const all = new Map<string, Watched>();
  let isClosed = false;

  const end = (sourceId: string): void => {
    const watched = all.get(sourceId);
    all.delete(sourceId);
    clearTimeout(watched?.timer);
    for (const watcher of watched?.watchers.values() ?? []) watcher.close();
  };

  const noteChange = (sourceId: string, name: string | null): void => {
    const watched = all.get(sourceId);
    // Programs write into their hidden folders with every click.
    if (watched === undefined || name?.split(/[/\\]/).some((part) => part.startsWith('.')) === true) return;
    const now = performance.now();
    if (watched.timer === undefined) watched.since = now;
    clearTimeout(watched.timer);
    watched.timer = setTimeout(
      () => {
        watched.timer = undefined;
        watched.hasAsked = true;
        watched.ask().then(
          (isActive) => (isActive ? undefined : end(sourceId)),
          (error: unknown) => log.warn({ err: error, sourceId }, 'a change in a folder could not be noted'),
        );
      },
      Math.max(0, Math.min(quietMs, watched.since + longestMs - now)),
    ).unref();
  };

  const begin = (sourceId: string, folder: string): FSWatcher | null => {
    try {
      const watcher = watch(folder, { persistent: false, recursive: watchesTrees }, (_event, name) =>
        noteChange(sourceId, name),
      );
      watcher.on('error', () => {
        watcher.close();
        all.get(sourceId)?.watchers.delete(folder);
      });
      return watcher;
    } catch (error) {
      log.info({ err: error, sourceId }, 'a folder cannot be watched; it is looked through every few minutes');
      return null;
    }
  };

  return {
    watch(store: Store, { id, address }: SourceClaim, folders) {
      if (isClosed) return () => false;
      const wanted = new Set(watchesTrees ? [address] : folders.slice(0, maxWatchers));
      const watched: Watched = all.get(id) ?? {
        watchers: new Map(),
        ask: () => store.askSource(id),
        timer: undefined,
        since: 0,
        hasAsked: false,
      };
      all.set(id, watched);
      for (const [folder, watcher] of watched.watchers)
        if (!wanted.has(folder)) {
          watcher.close();
          watched.watchers.delete(folder);
        }
      // A first scan finds changes from before the folder was watched.
      watched.hasAsked = false;
      for (const folder of wanted) {
        if (watched.watchers.has(folder)) continue;
        const watcher = begin(id, folder);
        if (watcher === null) break;
        watched.watchers.set(folder, watcher);
        watched.hasAsked = true;
      }
      return () => watched.hasAsked;
    },
    close() {
      isClosed = true;
      for (const sourceId of all.keys()) end(sourceId);
    },
  };
}
