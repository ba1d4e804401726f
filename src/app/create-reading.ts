import { type Config, proxiesOf } from '../settings/config.ts';
import { localAccountId } from '../domain/records/account.ts';
import { isoTime, type Clock } from '../domain/clock.ts';
import { hostOf, parseSavableUrl } from '../domain/links/url.ts';
import type { KnownPage, Resource } from '../domain/records/resource.ts';
import type { AppOverrides } from './app-overrides.ts';
import type { FetchProcess } from '../fetching/fetch-process.ts';
import { HostBusyError, type HostTurns } from '../fetching/host-turns.ts';
import { lazily } from '../domain/lazily.ts';
import type { AskArchive } from '../pipeline/archived-copy.ts';
import type { FeedParts } from '../pipeline/sources/feed.ts';
import type { PictureSources } from '../services/library/pictures.ts';
import type { Extraction, Need, Readers, ReadingContext } from '../sources/host/index.ts';

/** Redirects that are followed; an address that needs more is mostly a loop. */
const maxRedirects = 5;
/** Some servers send a page where a feed is not asked for. */
const acceptFeed =
  'application/rss+xml,application/atom+xml,application/feed+json,application/xml;q=0.9,text/xml;q=0.9,text/html;q=0.7,*/*;q=0.5';
/** For one download, redirects included: slow servers send 50 MB in this time, and no person waits longer for a page. */
const usualFetchMs = 30_000;
/** For pictures, which are less urgent than a page. */
const pictureLimits = {
  icon: { maxBytes: 200_000, timeoutMs: 10_000 },
  picture: { maxBytes: 3_000_000, timeoutMs: 10_000 },
};
/** A picture is tried this many times while its host has as many requests as it may, with this pause between. */
const maxPictureTries = 20;
const busyPauseMs = 1_000;
/** The Wayback Machine: where it says which copy there is, and where its copies are. */
const waybackMachine = {
  lookupUrl: 'https://archive.org/wayback/available',
  copiesUrl: 'https://web.archive.org/web/',
};

/** Fetches and reads pages and files. Their content is not parsed in this process: `readers` does that. */
export interface SourceReading {
  readonly readers: Pick<Readers, 'open' | 'read'>;
  fetch(url: string, signal: AbortSignal, accountId?: string, known?: KnownPage): Promise<Resource>;
  /** Shared options of feed checks and of the search for feeds. */
  readonly feeds: Pick<FeedParts, 'fetch' | 'read'>;
  /** Gets a resource that a reader asks for. */
  supply(need: Need, signal: AbortSignal, accountId?: string): Promise<Resource>;
  readonly pictures: PictureSources;
  /** The archive in which pages that are gone are looked up; null when the settings do not allow it. */
  readonly archive: AskArchive | null;
  /** Reads a file of this machine. For the command line only: an assistant must not make the program read the disk. */
  readFile(path: string, address?: string): Promise<Resource>;
  /** The text of a file of this machine; null when it holds none. */
  readText(path: string, signal: AbortSignal): Promise<string | null>;
  /** Makes the document that saving would store, but stores nothing. `address` says where a file came from. */
  extract(
    target: string,
    address: string | undefined,
    signal: AbortSignal,
    password?: string,
  ): Promise<Extraction & { resource: Resource }>;
  /** Reads a locked file with its password. The result is saved for `url` in place of the file. */
  unlock(target: string, url: string, password: string, signal: AbortSignal): Promise<Resource>;
  close(): Promise<void>;
}

/** @param overrides `readers`: replaces the reading processes; they are left running */
export function createReading(
  config: Config,
  clock: Clock,
  version: string,
  hosts: HostTurns,
  fetching: FetchProcess,
  overrides: Pick<AppOverrides, 'readers' | 'fetchMs' | 'webArchive'>,
): SourceReading {
  const { readers: shared, fetchMs = usualFetchMs, webArchive = waybackMachine } = overrides;
  const maxBytes = config.fetchMaxMegabytes * 1024 * 1024;
  const ytDlpPath = config.ytDlpPath || null;
  const limits = {
    allowPrivateAddresses: config.allowPrivateAddresses,
    maxBytes,
    timeoutMs: fetchMs,
    maxRedirects,
    proxies: proxiesOf(config),
    userAgent: `Commonplace/${version} (personal reading list; saves pages its user asks for)`,
    clock,
  };
  const fetcher = fetching.createFetcher({ ...limits, hosts });
  const pictureFetchers = {
    icon: fetching.createFetcher({ ...limits, hosts, ...pictureLimits.icon }),
    picture: fetching.createFetcher({ ...limits, hosts, ...pictureLimits.picture }),
  };
  const archive = lazily(async () => {
    const { createWebArchive } = await import('../fetching/web-archive.ts');
    return createWebArchive({ ...limits, ...webArchive }, fetching);
  });
  const processes = lazily(async () => {
    if (shared !== undefined) return shared;
    const { createReaders } = await import('../sources/host/index.ts');
    return createReaders({ ocr: config.ocr === 'on', hasYtDlp: ytDlpPath !== null });
  });
  const readers: SourceReading['readers'] = {
    open: async (url, now, context) => (await processes.get()).open(url, now, context),
    read: async (original, context) => (await processes.get()).read(original, context),
  };
  const fetch: SourceReading['fetch'] = (url, signal, accountId, known) =>
    fetcher.fetch(url, signal, undefined, accountId, known);
  const askYtDlp = async (address: string, signal: AbortSignal, accountId = localAccountId): Promise<Resource> => {
    if (ytDlpPath === null) throw new Error('there is no yt-dlp to ask');
    const { runYtDlp } = await import('../sources/host/index.ts');
    const turn = await hosts.take(hostOf(address) ?? address, accountId, signal);
    const printed = await runYtDlp(ytDlpPath, address, signal).finally(() => turn.end());
    const bytes = printed ?? new Uint8Array();
    const declaredType = 'application/json; charset=utf-8';
    return { url: address, finalUrl: address, bytes, declaredType, fetchedAt: isoTime(clock.now()) };
  };
  const supply: SourceReading['supply'] = (need, signal, accountId) =>
    need.kind === 'fetch'
      ? fetcher.fetch(need.url, signal, need.request, accountId)
      : askYtDlp(need.address, signal, accountId);
  const readFile = async (path: string, address?: string): Promise<Resource> =>
    (await import('../fetching/local-file.ts')).readLocalFile(path, { clock, maxBytes, address });

  const reading: SourceReading = {
    readers,
    fetch,
    supply,
    feeds: {
      fetch: (url, signal, accountId, known) =>
        fetcher.fetch(url, signal, { headers: { accept: acceptFeed } }, accountId, known),
      read: async (...asked) => (await processes.get()).readFeed(...asked),
    },
    pictures: {
      find: async (...asked) => (await processes.get()).findPictures(...asked),
      async fetch(url, kind, signal, accountId) {
        // Many cards may show pictures of one host.
        for (let tries = 1; ; tries += 1) {
          try {
            return await pictureFetchers[kind].fetch(url, signal, { headers: { accept: 'image/*' } }, accountId);
          } catch (error) {
            if (!(error instanceof HostBusyError) || tries === maxPictureTries) throw error;
            await clock.sleep(busyPauseMs, signal);
          }
        }
      },
    },
    archive:
      config.webArchive === 'off'
        ? null
        : {
            name: new URL(webArchive.copiesUrl).host,
            find: async (...asked) => (await archive.get()).find(...asked),
          },
    readFile,
    readText: async (path, signal) => (await processes.get()).decode(await readFile(path), signal),
    async extract(target, address, signal, password) {
      const accountId = localAccountId;
      const context: ReadingContext = { signal, accountId, password, supply: (need) => supply(need, signal) };
      const isWeb = /^[a-z][a-z0-9+.-]*:\/\//i.test(target);
      const original = async (url: URL) =>
        (await readers.open(url, isoTime(clock.now()), context)) ?? (await fetch(url.href, signal));
      const resource = isWeb ? await original(parseSavableUrl(target)) : await readFile(target, address);
      return { resource, ...(await readers.read({ ...resource, given: !isWeb }, context)) };
    },
    async unlock(target, url, password, signal) {
      const { resource, ...extraction } = await reading.extract(target, undefined, signal, password);
      return (await import('../sources/host/index.ts')).unlockedResource(resource, extraction, url);
    },
    async close() {
      if (shared === undefined) await processes.made()?.then((one) => one.close());
    },
  };
  return reading;
}
