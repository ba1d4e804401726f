import type { Clock } from '../../domain/clock.ts';
import type { ContentSummary } from '../../domain/records/content.ts';
import type { LibraryService } from '../../services/library/library.ts';

/** What somebody who watches a library is told. */
export interface LibraryNews {
  /** Items that changed since the last news, as far as their progress shows. */
  items: ItemNews[];
  /** Present when they changed. */
  counts?: LibraryCounts;
  /** A page has written something: what another one shows may be old. */
  isWritten?: true;
}

interface LibraryCounts {
  searchable: number;
  pending: number;
  failed: number;
}

export type ItemNews = Pick<ContentSummary, 'id' | 'title' | 'url' | 'status' | 'progress' | 'failure'>;

/** Watches libraries for the pages that show them. */
export interface LibraryWatch {
  /** An item to follow until it is processed, although nobody may see it under way in between. */
  add(account: string, id: string): void;
  /**
   * A page has written something. The next news says so, with the counts even if they are the ones sent last: the page has read
   * other counts in between.
   */
  tellWritten(account: string): void;
  /** Calls back with all that is under way, and then with each change. @returns ends it */
  follow(account: string, listener: (news: LibraryNews) => void): () => void;
}

const pauseMs = 400;
/** Of the time, at most this share is spent looking: a long look is followed by a long pause. */
const maxShare = 1 / 20;
/** Maximum items of an account that are followed at once. Beyond it, the oldest are no longer followed. */
const maxFollowed = 300;

interface WatchedLibrary {
  listeners: Set<(news: LibraryNews) => void>;
  /** What was told of each item, as text. */
  told: Map<string, ItemNews>;
  counts: LibraryCounts | undefined;
  isWritten: boolean;
  ending: AbortController;
}

/** @param onTrouble told of a look that failed; the next one may succeed */
export function createLibraryWatch(
  library: Pick<LibraryService, 'underWay'>,
  clock: Clock,
  onTrouble: (error: unknown) => void,
): LibraryWatch {
  const accounts = new Map<string, WatchedLibrary>();

  const look = async (account: string, watched: WatchedLibrary): Promise<void> => {
    const { told, isWritten } = watched;
    const followed = [...told].filter(([, item]) => isUnderWay(item)).map(([id]) => id);
    watched.isWritten = false;
    const { counts, items } = await library.underWay(account, followed).catch((error: unknown) => {
      watched.isWritten ||= isWritten;
      throw error;
    });
    const changed = items.map(newsOf).filter((item) => JSON.stringify(told.get(item.id)) !== JSON.stringify(item));
    for (const item of changed) told.set(item.id, item);
    const seen = new Set(items.filter(isUnderWay).map(({ id }) => id));
    // Also stop following requested items that no longer exist. Items added meanwhile stay.
    for (const id of [...followed, ...items.map((item) => item.id)]) if (!seen.has(id)) told.delete(id);
    for (const id of told.keys()) {
      if (told.size <= maxFollowed) break;
      told.delete(id);
    }
    const isCounted = isWritten || JSON.stringify(counts) !== JSON.stringify(watched.counts);
    watched.counts = counts;
    if (changed.length === 0 && !isCounted) return;
    const news: LibraryNews = { items: changed, ...(isCounted && { counts }), ...(isWritten && { isWritten }) };
    for (const listener of watched.listeners) listener(news);
  };

  const run = async (account: string, watched: WatchedLibrary): Promise<void> => {
    const { signal } = watched.ending;
    while (!signal.aborted) {
      const began = clock.elapsed();
      await look(account, watched).catch(onTrouble);
      const tookMs = clock.elapsed() - began;
      await clock.sleep(Math.max(pauseMs, tookMs / maxShare), signal).catch(() => undefined);
    }
  };

  return {
    add(account, id) {
      const told = accounts.get(account)?.told;
      if (told === undefined) return;
      told.delete(id);
      told.set(id, { id, title: null, url: null, status: 'pending' });
    },
    tellWritten(account) {
      const watched = accounts.get(account);
      if (watched !== undefined) watched.isWritten = true;
    },
    follow(account, listener) {
      let watched = accounts.get(account);
      if (watched === undefined) {
        watched = {
          listeners: new Set(),
          told: new Map(),
          counts: undefined,
          isWritten: false,
          ending: new AbortController(),
        };
        accounts.set(account, watched);
        void run(account, watched);
      } else listener({ items: [...watched.told.values()], ...(watched.counts && { counts: watched.counts }) });
      const { listeners, ending } = watched;
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0 || accounts.get(account) !== watched) return;
        accounts.delete(account);
        ending.abort();
      };
    },
  };
}

function isUnderWay({ status }: Pick<ItemNews, 'status'>): boolean {
  return status === 'pending' || status === 'processing';
}

function newsOf({ id, title, url, status, progress, failure }: ContentSummary): ItemNews {
  return {
    id,
    title,
    url,
    status,
    ...(progress !== undefined && { progress }),
    ...(failure !== undefined && { failure }),
  };
}
