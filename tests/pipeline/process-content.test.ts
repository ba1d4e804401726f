import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countWords, type Document } from '../../src/domain/records/texts/document.ts';
import type { Resource } from '../../src/domain/records/resource.ts';
import { ProcessingError } from '../../src/errors.ts';
import type { Analysis } from '../../src/domain/records/analyses/analysis.ts';
import type { Embedder } from '../../src/models/embedding/embedder.ts';
import type { OnNetwork } from '../../src/pipeline/queue/job-places.ts';
import { createStageRunner, type ProcessingParts } from '../../src/pipeline/process-content.ts';
import { extractDocument } from '../../src/sources/run-reading.ts';
import type { Source } from '../../src/sources/source.ts';
import { decoded, sourceContext } from '../support/texts/reading.ts';
import { stages } from '../../src/domain/records/stages.ts';
import type { Claim } from '../../src/store/records.ts';
import type { Store } from '../../src/store/store.ts';
import { documentWith, paragraphs, passagePerBlock, textResource } from '../support/content.ts';
import { saveUrls, rememberingLog } from '../support/store/stores.ts';
import { leaseMs, openWorkshop, type Workshop } from '../support/vitest/workers.ts';
import { textWork } from '../support/texts/text-work.ts';
import { listPassages } from '../support/store/store-reads.ts';
import { claimJob } from '../support/store/claims.ts';

const url = 'https://example.com/essay';
const signal = new AbortController().signal;
const directly: OnNetwork = (work) => work();
let testServer: Workshop;
let fetched: string[];

beforeEach(async () => {
  testServer = await openWorkshop();
  fetched = [];
});

afterEach(() => testServer.close());

/** A source whose document has one paragraph for each line. */
function lineSource(read?: Source['read']): Source {
  return {
    name: 'lines',
    matches: () => true,
    read:
      read ??
      ((resource) => Promise.resolve(documentOf((resource.text ?? '').split('\n').filter((line) => line !== '')))),
  };
}

function documentOf(lines: readonly string[]): Document {
  return { ...documentWith({ title: 'Lines' }), blocks: paragraphs(...lines) };
}

const nothingFound: Analysis = { summary: null, insights: [], actions: [], droppedQuotes: 0 };

/** A reader that stands in for the processes: everything is text, and this source reads it. */
function readWith(source: Source): ProcessingParts['read'] {
  return (original, { supply }) => {
    const text = (resource: Resource) => decoded(new TextDecoder().decode(resource.bytes), 'text/plain', resource.url);
    const context = sourceContext({
      fetch: async (url, request) => text(await supply({ kind: 'fetch', url, ...(request && { request }) })),
      askYtDlp: async (address) => text(await supply({ kind: 'yt-dlp', address })),
    });
    return extractDocument(source, text(original), context);
  };
}

function partsWith(parts: Partial<ProcessingParts> = {}): ProcessingParts {
  const get = async (address: string): Promise<Resource> => {
    fetched.push(address);
    return textResource(address, `first line of ${address}\nsecond line`);
  };
  return {
    fetch: get,
    supply: (need) => get(need.kind === 'fetch' ? need.url : `yt-dlp of ${need.address}`),
    archive: null,
    maxAttempts: 3,
    open: async () => null,
    read: readWith(lineSource()),
    split: async ({ transcript }) => ({
      passages: passagePerBlock(transcript),
      wordCount: countWords(transcript.text),
      fingerprint: null,
    }),
    place: textWork.place,
    embedder: null,
    analyst: { by: 'extractive', model: null, analyse: () => Promise.resolve(nothingFound) },
    proposeTags: async () => ({ found: [], areComputed: true, areApplied: false }),
    clock: testServer.clock,
    openStore: (writer) => testServer.stores.open(writer),
    log: rememberingLog(),
    ...parts,
  };
}

/**
 * Runs stages by hand up to and with `last`, and answers the claim that follows, which is a new one after a stage that
 * released the job.
 */
async function runThrough(
  parts: ProcessingParts,
  last: Claim['stage'],
  store: Store = testServer.store,
): Promise<Claim | null> {
  let claim = await claimJob(store, leaseMs);
  while (claim !== null) {
    const { stage } = claim;
    claim = (await runOne(parts, claim, store)) ?? (await claimJob(store, leaseMs));
    if (stage === last || (claim !== null && stages.indexOf(claim.stage) > stages.indexOf(last))) break;
  }
  return claim;
}

/** Runs one stage to its end; what is released is taken again at once. */
async function runOne(parts: ProcessingParts, claim: Claim, store: Store = testServer.store): Promise<Claim | null> {
  const next = await createStageRunner(parts)(store, claim, signal, directly);
  if (next !== 'yield') return next;
  await store.releaseJob(claim);
  const again = await claimJob(store, leaseMs);
  if (again === null) throw new Error('a released job cannot be taken again');
  return runOne(parts, again, store);
}

function embedderThat(embedPassages: Embedder['embedPassages']): Embedder {
  return {
    id: 'letters-1',
    dimensions: 2,
    languages: null,
    embedPassages,
    embedQuery: async () => Float32Array.of(1, 0),
    close: async () => undefined,
  };
}

describe('processing an item', () => {
  it('counts quotes that are not in the text and keeps none of them', async () => {
    const [id = ''] = await saveUrls(testServer.store, [url]);
    const outside = { start: 5, end: 5_000 };
    const analysis: Analysis = {
      ...nothingFound,
      insights: [{ text: 'made up', quote: outside }],
      actions: [{ title: 'made up', reason: null, goalId: null, quote: outside }],
      droppedQuotes: 1,
    };
    await runThrough(partsWith({ analyst: { by: 'claude', model: 'm', analyse: async () => analysis } }), 'analyse');
    expect(await testServer.store.getContent(id)).toMatchObject({
      keyInsights: [{ text: 'made up', quote: null, locator: null, unquoted: true }],
      actions: [],
      analysis: { by: 'claude', model: 'm', droppedQuotes: 3 },
    });
  });

  it('runs no stage for a worker that is stopping', async () => {
    await saveUrls(testServer.store, [url]);
    const claim = await claimJob(testServer.store, leaseMs);
    expect(() => createStageRunner(partsWith())(testServer.store, claim!, AbortSignal.abort(), directly)).toThrow(
      expect.objectContaining({ name: 'AbortError' }),
    );
    expect(fetched).toEqual([]);
  });
});

describe('a missing page', () => {
  const gone = new ProcessingError('not_found', 'There is no page.');
  const unreachable = new ProcessingError('connection_failed', 'No answer.', { retryable: true });
  const raw = `https://archive.example/web/20190304050607id_/${url}`;
  let asked: [string, number][];
  beforeEach(() => void (asked = []));

  function withArchive(failure: Error): Partial<ProcessingParts> {
    return {
      fetch: () => Promise.reject(failure),
      archive: {
        name: 'archive.example',
        find: async (page, closestTo) => {
          asked.push([page, closestTo]);
          return { ...textResource(raw, 'as it was'), finalUrl: page };
        },
      },
    };
  }

  it('is read from an archive, and the document gives the date of the copy', async () => {
    const [id = ''] = await saveUrls(testServer.store, [url]);
    await runThrough(partsWith(withArchive(gone)), 'extract');
    expect(asked).toEqual([[url, testServer.clock.now()]]);
    expect(await testServer.store.readOriginal(id)).toMatchObject({ url: raw, finalUrl: url, given: false });
    const message = `The page is gone from its address. This is a copy that the web archive archive.example made on 2019-03-04: https://archive.example/web/20190304050607/${url}`;
    expect(await testServer.store.readDocument(id)).toMatchObject({
      transcript: { text: 'as it was' },
      warnings: [
        {
          code: 'archived_copy',
          message,
          copy: { url: `https://archive.example/web/20190304050607/${url}`, date: '2019-03-04' },
        },
      ],
    });
  });

  it.each([
    ['will be tried again', unreachable],
    ['wants a login', new ProcessingError('forbidden', 'Not for you.')],
    ['is one of a private network', new ProcessingError('address_refused', 'Private.')],
    ['is too large', new ProcessingError('too_large', 'Large.')],
  ])('is not looked up in the archive when the page %s', async (_, failure) => {
    await saveUrls(testServer.store, [url]);
    await expect(runThrough(partsWith(withArchive(failure)), 'fetch')).rejects.toBe(failure);
    expect(asked).toEqual([]);
  });

  it('is looked up in the archive when the last attempt has failed', async () => {
    await saveUrls(testServer.store, [url]);
    await runThrough(partsWith({ ...withArchive(unreachable), maxAttempts: 1 }), 'fetch');
    expect(asked).toHaveLength(1);
  });
});

describe('extracting the text', () => {
  it('fetches a companion once, and reads it from the store from then on', async () => {
    const [id = ''] = await saveUrls(testServer.store, [url]);
    const captions = 'https://example.com/captions.vtt';
    let fails = true;
    const source = lineSource(async (_resource, { fetch }) => {
      const { text } = await fetch(captions);
      if (fails) throw new ProcessingError('extraction_failed', 'Not today.', { retryable: true });
      return documentOf([text ?? '']);
    });
    const parts = partsWith({ read: readWith(source) });
    await expect(runThrough(parts, 'extract')).rejects.toThrow('Not today.');
    expect(fetched).toEqual([url, captions]);

    fails = false;
    testServer.clock.advance(leaseMs);
    expect((await runThrough(parts, 'extract'))?.stage).toBe('analyse');
    expect(fetched).toEqual([url, captions]);
    expect((await testServer.store.readDocument(id))?.transcript.text).toContain(captions);
  });

  it('keeps the answers to different requests at one address apart', async () => {
    const [id = ''] = await saveUrls(testServer.store, [url]);
    const player = 'https://example.com/player';
    const ask = (body: string) => ({ method: 'POST' as const, body });
    const source = lineSource(async (_resource, { fetch, askYtDlp }) => {
      const made = await askYtDlp('made');
      for (const body of ['one', 'two', 'one']) await fetch(player, ask(body));
      return documentOf([made?.text ?? '']);
    });
    const parts = partsWith({ read: readWith(source) });
    await runThrough(parts, 'extract');
    expect(fetched).toEqual([url, 'yt-dlp of made', player, player]);
    expect((await testServer.store.readDocument(id))?.transcript.text).toContain('yt-dlp of made');
  });

  it('begins with a resource that a source fetches in its own way', async () => {
    const [id = ''] = await saveUrls(testServer.store, [url]);
    const parts = partsWith({
      open: async (address, _now, { supply }) => supply({ kind: 'fetch', url: `${address.href}?raw=1` }),
    });
    await runThrough(parts, 'fetch');
    expect(fetched).toEqual([`${url}?raw=1`]);
    expect((await testServer.store.readOriginal(id))?.url).toBe(`${url}?raw=1`);
  });

  it.each(['', '   \n \n', '\u200b\u00ad', '\u0000\u0007'])(
    'fails with a reason when there is no text: %j',
    async (text) => {
      await saveUrls(testServer.store, [url]);
      const source = lineSource(async () => documentOf([text]));
      await expect(runThrough(partsWith({ read: readWith(source) }), 'extract')).rejects.toMatchObject({
        code: 'empty',
        retryable: false,
      });
    },
  );

  it('fails with a reason for an unsupported type', async () => {
    const [id = ''] = await saveUrls(testServer.store, [url]);
    await testServer
      .workerWith(
        createStageRunner(
          partsWith({
            read: () =>
              Promise.reject(new ProcessingError('unsupported_type', 'There is nothing that reads text/plain yet.')),
          }),
        ),
      )
      .runUntilEmpty();
    expect(await testServer.store.getContentSummary(id)).toMatchObject({
      status: 'failed',
      failure: { code: 'unsupported_type', message: 'There is nothing that reads text/plain yet.' },
    });
  });

  it('stores nothing that was read after the worker was told to stop', async () => {
    const [id = ''] = await saveUrls(testServer.store, [url]);
    const stopping = new AbortController();
    const source = lineSource(async () => {
      stopping.abort();
      return documentOf(['too late']);
    });
    const claim = await runThrough(partsWith(), 'fetch');
    const runStage = createStageRunner(partsWith({ read: readWith(source) }));
    await expect(runStage(testServer.store, claim!, stopping.signal, directly)).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(await testServer.store.readDocument(id)).toBeNull();
  });
});

describe('splitting', () => {
  it('is a later step than storing the text when the text is long', async () => {
    const [id = ''] = await saveUrls(testServer.store, [url]);
    const long = lineSource(async () => documentOf(['word '.repeat(50_000)]));
    expect(await runThrough(partsWith({ read: readWith(long) }), 'extract')).toMatchObject({ stage: 'split' });
    expect((await testServer.store.readDocument(id))?.transcript.text).toHaveLength(249_999);
    expect(await listPassages(testServer.store, id)).toEqual([]);
  });

  it('is retried from the stored text when it fails, and the item says why', async () => {
    const [id = ''] = await saveUrls(testServer.store, [url]);
    const split = async () => {
      throw new ProcessingError('too_large', 'Too much.');
    };
    const next = await runThrough(partsWith({ split }), 'extract');
    expect(next).toMatchObject({ stage: 'split' });
    expect(await testServer.store.readDocument(id)).not.toBeNull();
    await expect(runOne(partsWith({ split }), next!)).rejects.toThrow('Too much.');
    expect((await runOne(partsWith(), next!))?.stage).toBe('embed');
  });
});

describe('embedding', () => {
  const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`);
  const manyLines = () => partsWith({ read: readWith(lineSource(async () => documentOf(lines))) });

  it('runs in batches and continues after the last one when interrupted', async () => {
    await saveUrls(testServer.store, [url]);
    const stopping = new AbortController();
    const batches: number[] = [];
    const embedder = embedderThat(async (texts) => {
      batches.push(texts.length);
      if (batches.length === 3) {
        stopping.abort();
        throw stopping.signal.reason;
      }
      return texts.map(() => Float32Array.of(0, 1));
    });
    const parts = { ...manyLines(), embedder };
    const claim = await runThrough(parts, 'split');
    await expect(createStageRunner(parts)(testServer.store, claim!, stopping.signal, directly)).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(await testServer.store.countVectors('letters-1')).toEqual({ passages: 100, embedded: 32 });

    await testServer.store.releaseJob(claim!);
    expect((await runThrough(parts, 'embed'))?.stage).toBe('analyse');
    // The interrupted batch, then 64 before others have their turn, and the rest.
    expect(batches).toEqual([16, 16, 16, 16, 16, 16, 16, 4]);
    expect(await testServer.store.countVectors('letters-1')).toEqual({ passages: 100, embedded: 100 });
  });

  it('of a long item lets others have their turn', async () => {
    await saveUrls(testServer.store, [url]);
    const parts = { ...manyLines(), embedder: embedderThat(async (texts) => texts.map(() => Float32Array.of(0, 1))) };
    const claim = await runThrough(parts, 'split');
    expect(await createStageRunner(parts)(testServer.store, claim!, signal, directly)).toBe('yield');
    expect((await testServer.store.countVectors('letters-1')).embedded).toBe(64);
  });

  it('with a broken model is postponed after some attempts', async () => {
    const [id = ''] = await saveUrls(testServer.store, [url]);
    const broken = new ProcessingError('embedding_failed', 'The model stopped.', { retryable: true });
    const parts = { ...manyLines(), embedder: embedderThat(() => Promise.reject(broken)) };
    let claim = await runThrough(parts, 'split');
    await expect(createStageRunner(parts)(testServer.store, claim!, signal, directly)).rejects.toBe(broken);
    claim = await createStageRunner(parts)(testServer.store, { ...claim!, attempts: 3 }, signal, directly).then(
      (next) => (next === 'yield' ? null : next),
    );
    expect(claim?.stage).toBe('analyse');
    await runOne(parts, claim!);
    expect((await testServer.store.getContentSummary(id))?.status).toBe('completed');
  });

  it('ends with a reason when the model returns too few vectors', async () => {
    await saveUrls(testServer.store, [url]);
    const parts = { ...manyLines(), embedder: embedderThat(async () => []) };
    await expect(runThrough(parts, 'embed')).rejects.toMatchObject({ code: 'embedding_failed', retryable: true });
  });
});
