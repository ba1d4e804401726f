import type { Config } from './config.ts';
import { isoTime, type Clock } from './domain/clock.ts';
import type { Resource, ResourceRequest } from './domain/resource.ts';
import { parseSavableUrl } from './domain/url.ts';
import { lazily } from './lazily.ts';
import { extractDocument, type Extraction, type Readers } from './sources/extract.ts';
import type { OpeningContext, SourceContext } from './sources/source.ts';
import type { StoredOriginal } from './store/records.ts';

/** What reads pages and files. */
export interface Reading {
  readonly readers: Readers;
  fetch(url: string, signal: AbortSignal, request?: ResourceRequest): Promise<Resource>;
  /** Decodes the bytes of an original that was stored before. */
  decode(original: StoredOriginal): Promise<Resource>;
  /** Reads a file of this machine. For the command line alone: no assistant may make the program read the disk. */
  readFile(path: string, address?: string): Promise<Resource>;
  /** Makes the document that saving would store, and stores nothing. `address` says where a file came from. */
  extract(
    target: string,
    address: string | undefined,
    signal: AbortSignal,
    password?: string,
  ): Promise<Extraction & { resource: Resource }>;
  /** What is saved for `url` in place of a locked file: the document that was read with the password. */
  unlock(target: string, url: string, password: string, signal: AbortSignal): Promise<Resource>;
  close(): Promise<void>;
}

/** Builds what reads; a part of `app.ts`. Nothing is loaded before its first use. */
export function createReading(config: Config, clock: Clock, version: string): Reading {
  const fetcher = lazily(async () => {
    const { createFetcher } = await import('./fetching/fetch.ts');
    return createFetcher({
      allowPrivateAddresses: config.allowPrivateAddresses,
      maxBytes: config.fetchMaxMegabytes * 1024 * 1024,
      timeoutMs: config.fetchTimeoutSeconds * 1_000,
      maxRedirects: config.fetchMaxRedirects,
      userAgent: `Commonplace/${version} (personal reading list; saves pages its user asks for)`,
      clock,
    });
  });
  const sources = lazily(async () =>
    (await import('./sources/index.ts')).createSources(
      { ytDlpPath: config.ytDlpPath || null },
      { ocr: config.ocr === 'on' },
    ),
  );
  const sniffing = lazily(() => import('./sources/decoding/sniff.ts'));
  const readers: Readers = {
    findSource: async (url, mediaType) => (await sources.get()).find(url, mediaType),
    openOriginal: async (url, context) => (await sources.get()).open(url, context),
    describeUnsupported: async (url, mediaType) => (await sources.get()).describeUnsupported(url, mediaType),
  };
  const fetch = async (url: string, signal: AbortSignal, request?: ResourceRequest) =>
    (await fetcher.get()).fetch(url, signal, request);
  const readFile = async (path: string, address?: string): Promise<Resource> =>
    (await import('./fetching/local-file.ts')).readLocalFile(path, {
      clock,
      maxBytes: config.fetchMaxMegabytes * 1024 * 1024,
      address,
    });

  const reading: Reading = {
    readers,
    fetch,
    decode: async (original) => (await sniffing.get()).decodeOriginal(original),
    readFile,
    async extract(target, address, signal, password) {
      const context: SourceContext & OpeningContext = {
        signal,
        password,
        now: () => isoTime(clock.now()),
        fetch: (companion, request) => fetch(companion, signal, request),
        keep: (_name, make) => make(),
      };
      const original = async (url: URL) =>
        (await readers.openOriginal(url, context)) ?? (await fetch(url.href, signal));
      const resource = /^https?:/i.test(target)
        ? await original(parseSavableUrl(target))
        : await readFile(target, address);
      return { resource, ...(await extractDocument(readers, resource, context)) };
    },
    async unlock(target, url, password, signal) {
      const { resource, document, transcript } = await reading.extract(target, undefined, signal, password);
      return (await import('./sources/kept-document.ts')).keepDocument(resource, document, transcript, url);
    },
    async close() {
      await Promise.all([sources.made()?.then((known) => known.close()), fetcher.made()?.then((one) => one.close())]);
    },
  };
  return reading;
}
