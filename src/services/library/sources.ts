import { parseSavableUrl } from '../../domain/links/url.ts';
import { accountOf, type Writer } from '../../domain/records/change.ts';
import type { FoundFeed } from '../../domain/records/sources/feed.ts';
import type {
  Source,
  SourceChanges,
  SourceEntry,
  SourceEntryQuery,
  SourceOptions,
} from '../../domain/records/sources/source.ts';
import { AppError, invalidInput, notFound, ProcessingError } from '../../errors.ts';
import type { Page } from '../../store/records.ts';
import type { Stores } from '../../store/store.ts';
import type { SavedItem } from './saving.ts';

/** The feeds at an address, the main one first; empty without any. @throws {ProcessingError} when the address cannot be read */
export type FindFeeds = (address: string, signal: AbortSignal, accountId: string) => Promise<FoundFeed[]>;

export interface FollowRequest {
  address: string;
  name?: string | undefined;
  options: SourceOptions;
  everyMinutes?: number | null | undefined;
}

interface SourcesParts {
  stores: Stores;
  findFeeds: FindFeeds;
  save: (writer: Writer, request: { url: string; tags?: readonly string[] | undefined }) => Promise<SavedItem>;
  /** The setting that adds this source at each start; null when none does. */
  settingOf: (source: Source) => Promise<string | null>;
  /** Lets a worker in this process look for work at once. */
  wake: () => void;
}

export type SourcesService = ReturnType<typeof createSourcesService>;

const noSource = () => notFound('There is no source with this id. The list of sources shows those there are.');

/** Feeds, folders, mailboxes and pages that bring items by themselves. */
export function createSourcesService({ stores, findFeeds, save, settingOf, wake }: SourcesParts) {
  const found = <T>(source: T | null): T => {
    if (source === null) throw noSource();
    return source;
  };
  return {
    list: async (account: string): Promise<Source[]> => (await stores.open(account)).listSources(),
    /** @throws {AppError} `not_found`, like the others, when there is no such source */
    get: async (account: string, id: string): Promise<Source> =>
      found(await (await stores.open(account)).getSource(id)),
    /**
     * Follows the feed at the address, or one that the page there names.
     * @returns also whether it was followed before, and the page's other feeds
     * @throws {AppError} `invalid_input` when there is none
     */
    async follow(writer: Writer, { address, name, options, everyMinutes }: FollowRequest, signal: AbortSignal) {
      const url = parseSavableUrl(address);
      const [feed, ...others] = await findFeeds(url.href, signal, accountOf(writer)).catch((error: unknown) => {
        signal.throwIfAborted();
        const why = error instanceof ProcessingError ? ` ${error.message}` : '';
        throw invalidInput(`This address cannot be read, so it cannot be followed.${why}`, {
          cause: error,
        });
      });
      if (feed === undefined)
        throw invalidInput(
          'There is no feed at this address, and its page names none. Give the address of a feed (RSS, Atom or JSON Feed), or save the page itself.',
        );
      const store = await stores.open(writer);
      const isKnown = (await store.listSources('feed')).some((one) => one.address === feed.address);
      const source = await store.addSource({
        kind: 'feed',
        address: feed.address,
        name: name ?? (feed.title?.slice(0, 200) || url.hostname),
        options,
        everyMinutes,
      });
      wake();
      return { source, isKnown, others };
    },
    /** @throws {AppError} `insufficient_scope` when a token would resume a folder or a mailbox */
    async update(writer: Writer, id: string, changes: SourceChanges): Promise<Source> {
      const store = await stores.open(writer);
      const { kind } = found(await store.getSource(id));
      const isByToken = typeof writer !== 'string' && ['rest', 'mcp'].includes(writer.change.face);
      // An import may have brought the folder: no token makes this machine read its own disk.
      if (changes.state === 'active' && isByToken && (kind === 'folder' || kind === 'mailbox'))
        throw new AppError(
          'insufficient_scope',
          `A ${kind} is resumed on the page or the command line of the machine that it is on: commonplace sources resume ${id}`,
        );
      const source = found(await store.updateSource(id, changes));
      wake();
      return source;
    },
    /** @throws {AppError} `invalid_input` when it would come back, because a setting names it */
    async delete(writer: Writer, id: string): Promise<Source> {
      const store = await stores.open(writer);
      const setting = await settingOf(found(await store.getSource(id)));
      if (setting !== null)
        throw invalidInput(
          `The setting \`${setting}\` adds it again at each start. Take it out of there first, or pause it: commonplace sources pause ${id}`,
        );
      return found(await store.deleteSource(id));
    },
    /** Makes it due now. @throws {AppError} `invalid_input` when it is paused or gone */
    async check(writer: Writer, id: string): Promise<Source> {
      const store = await stores.open(writer);
      const isAsked = await store.askSource(id);
      const source = found(await store.getSource(id));
      if (!isAsked)
        throw invalidInput(
          source.state === 'gone'
            ? 'There is nothing at the address of this source any more. If it is there again, set its state to `active` (`commonplace sources resume <id>`).'
            : 'This source is paused. Set its state to `active` to go on (`commonplace sources resume <id>`).',
        );
      wake();
      return source;
    },
    async entries(account: string, id: string, query: SourceEntryQuery): Promise<Page<SourceEntry>> {
      const store = await stores.open(account);
      found(await store.getSource(id));
      return {
        items: await store.listSourceEntries(id, query),
        total: await store.countSourceEntries(id, query.state),
      };
    },
    /** Saves what an entry leads to. @throws {AppError} `not_found` when there is no such entry with an address */
    async openEntry(writer: Writer, id: string, key: string): Promise<SavedItem> {
      const store = await stores.open(accountOf(writer));
      const source = found(await store.getSource(id));
      const [entry] = await store.findSourceEntries(id, [key]);
      if (entry === undefined || entry.address === null)
        throw notFound('The source has no entry with this key that leads to a page.');
      const item = await save(writer, { url: entry.address, tags: source.options.tags });
      await store.noteOpenedEntry(id, key, item.id);
      return item;
    },
  };
}
