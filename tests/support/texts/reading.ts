import type { Document } from '../../../src/domain/records/texts/document.ts';
import type { Original } from '../../../src/domain/records/resource.ts';
import { createReaders, type Readers, type ReadingContext } from '../../../src/sources/host/readers.ts';
import type { Extraction } from '../../../src/sources/host/reading-protocol.ts';
import { finishDocument } from '../../../src/sources/run-reading.ts';
import type { DecodedResource } from '../../../src/sources/decoding/sniff.ts';
import type { ReadingReport, Source, SourceContext } from '../../../src/sources/source.ts';

/** Readers as the program has them; the first page of a process waits for its libraries, which a busy machine loads slowly. */
export const openReaders = (settings: Parameters<typeof createReaders>[0] = {}): Readers =>
  createReaders({ processes: 1, ...settings });

export const original = (bytes: Uint8Array | string, more: Partial<Original> = {}): Original => {
  const url = more.url ?? 'https://example.com/file';
  return {
    url,
    finalUrl: url,
    bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes,
    declaredType: null,
    fetchedAt: '2026-01-01T00:00:00.000Z',
    given: false,
    ...more,
  };
};

export const alone = (more: Partial<ReadingContext> = {}): ReadingContext => ({
  signal: new AbortController().signal,
  accountId: 'local',
  supply: ({ kind }) => Promise.reject(new Error(`nothing to get: ${kind}`)),
  ...more,
});

/** What was read as a document again, with the text of each block. */
export const documentOf = ({ document, transcript }: Extraction): Document => ({
  ...document,
  blocks: transcript.blocks.map(({ start, end, ...rest }) => ({ ...rest, text: transcript.text.slice(start, end) })),
});

const silent: ReadingReport = {
  loading: () => undefined,
  begun: () => undefined,
  linear: () => undefined,
  progress: () => undefined,
};

/** For a source that runs in the test's own process. */
export const sourceContext = (more: Partial<SourceContext> = {}): SourceContext => ({
  way: 'whole',
  fetch: () => Promise.reject(new Error('a source must not fetch here')),
  askYtDlp: () => null,
  report: silent,
  ...more,
});

/** A resource whose text is known. */
export const decoded = (text: string, mediaType: string, url: string): DecodedResource => ({
  url,
  finalUrl: url,
  bytes: new Uint8Array(),
  declaredType: null,
  fetchedAt: '',
  mediaType,
  charset: 'utf-8',
  text,
});

/** Reads in the test's own process, to the end that every document comes to. */
export const readBy = async (source: Source, resource: DecodedResource, context: SourceContext): Promise<Document> =>
  finishDocument(await source.read(resource, context));
