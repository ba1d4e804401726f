import type { Writer } from '../../domain/records/change.ts';
import type { ContentSummary, ItemVersion, ReadVersion } from '../../domain/records/content.ts';
import type { Source } from '../../domain/records/sources/source.ts';
import { shortened } from '../../domain/text/shortened.ts';
import { type AppError, invalidInput, noSuchItem, notFound } from '../../errors.ts';
import type { RefreshAsked } from '../../store/records.ts';
import type { Store, Stores } from '../../store/store.ts';

export interface RefreshRequest {
  ids?: readonly string[] | undefined;
  /** The items that it finds, in place of ids. */
  query?: string | undefined;
  /** Whether a text that a person or their client gave is replaced by the page. */
  replaceGiven?: boolean | undefined;
  /** Refetches them from now on, at this interval. */
  everyMinutes?: number | undefined;
}

export interface Refreshing {
  items: { id: string; outcome: 'queued' | 'refused' | 'not_found'; message?: string }[];
  queued: number;
  /** Items that the query finds beyond the limit of one call. */
  left: number;
  /** Fetches them from now on; absent when that was not asked for, or all ids were refused. */
  source?: Source;
}

/** Items that one call with a query takes. */
export const maxRefreshed = 500;

/** Items that a source finds by their ids. */
const maxByIds = 20;

const refusals: Readonly<Partial<Record<RefreshAsked['outcome'], string>>> = {
  given:
    'Its text was given, and not fetched: say `replaceGiven` (`commonplace refresh <id> --replace-given`) to replace it by the page.',
  no_page: 'It has no web address from which it could be fetched.',
  not_found: noSuchItem().message,
};

/** A source that refetches these pages; repeating the query updates the interval. */
async function addRhythm(store: Store, which: string | readonly string[], everyMinutes: number): Promise<Source> {
  if (typeof which === 'string')
    return store.addSource({ kind: 'pages', address: which, name: shortened(which, 200), everyMinutes });
  const [first = '', ...others] = which;
  const title = shortened((await store.getContentSummary(first))?.title ?? first, 150);
  const name = others.length === 0 ? title : `${title} and ${others.length} more`;
  const address = which.map((id) => `id:${id}`).join(' OR ');
  return store.addSource({ kind: 'pages', address, name, everyMinutes });
}

/** A part of `createLibraryService`. @param find at most `maxRefreshed` items of a query, and their number */
export function createRefreshing(
  stores: Stores,
  onQueued: () => void,
  find: (writer: Writer, query: string) => Promise<{ ids: string[]; total: number }>,
) {
  const noSuchVersion = (): AppError =>
    notFound('The item has no such version of its text. The list of its versions shows those there are.');
  return {
    /** Queues pages for refetching. Until a page has another text, its item is unchanged. */
    async refresh(
      writer: Writer,
      { ids = [], query, replaceGiven, everyMinutes }: RefreshRequest,
    ): Promise<Refreshing> {
      if ((ids.length === 0) === (query === undefined))
        throw invalidInput('Say which items: give either `ids` or a `query`.');
      if (everyMinutes !== undefined && ids.length > maxByIds)
        throw invalidInput(
          `More than ${maxByIds} items are fetched regularly by a query: give them a tag or put them on a list, and refresh \`tag:…\` or \`list:…\`.`,
        );
      const found = query === undefined ? { ids: [...new Set(ids)], total: 0 } : await find(writer, query);
      const store = await stores.open(writer);
      const asked = await store.refreshPages(found.ids, { replaceGiven, isBackground: found.ids.length > 1 });
      const items = asked.map(({ id, outcome }): Refreshing['items'][number] => {
        const message = refusals[outcome];
        if (message === undefined || outcome === 'queued') return { id, outcome: 'queued' };
        return { id, outcome: outcome === 'not_found' ? outcome : 'refused', message };
      });
      const known = items.filter(({ outcome }) => outcome === 'queued').map(({ id }) => id);
      const queued = known.length;
      const isKept = everyMinutes !== undefined && (query !== undefined || queued > 0);
      const source = isKept ? await addRhythm(store, query ?? known, everyMinutes) : undefined;
      if (queued > 0) onQueued();
      return { items, queued, left: Math.max(0, found.total - found.ids.length), ...(source && { source }) };
    },
    /** The texts that an item has and had, the newest first. */
    async listVersions(account: string, id: string): Promise<ItemVersion[]> {
      const versions = await (await stores.open(account)).listVersions(id);
      if (versions === null) throw noSuchItem();
      return versions;
    },
    /** One of them, and how it differs from another one, or from the one that is shown. */
    async readVersion(account: string, id: string, version: number, against?: number): Promise<ReadVersion> {
      const store = await stores.open(account);
      if ((await store.getContentVersion(id)) === null) throw noSuchItem();
      const found = await store.readVersion(id, version, against);
      if (found === null) throw noSuchVersion();
      return found;
    },
    /** Shows one of them again. */
    async restoreVersion(writer: Writer, id: string, version: number): Promise<ContentSummary> {
      const store = await stores.open(writer);
      if ((await store.getContentVersion(id)) === null) throw noSuchItem();
      if (!(await store.restoreVersion(id, version))) throw noSuchVersion();
      onQueued();
      const item = await store.getContentSummary(id);
      if (item === null) throw noSuchItem();
      return item;
    },
  };
}
