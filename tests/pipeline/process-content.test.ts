import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Document } from '../../src/domain/document.ts';
import type { Resource } from '../../src/domain/resource.ts';
import { ProcessingError } from '../../src/errors.ts';
import type { Analysis, Analyst } from '../../src/models/analyst.ts';
import type { Embedder } from '../../src/models/embedder.ts';
import { createStageRunner, type ProcessingParts } from '../../src/pipeline/process-content.ts';
import type { Source } from '../../src/sources/source.ts';
import type { Claim, Store } from '../../src/store/store.ts';
import { documentWith, paragraphs, passagePerBlock, textResource } from '../support/content.ts';
import { saveUrls, rememberingLog } from '../support/stores.ts';
import { leaseMs, openWorkshop, type Workshop } from '../support/workers.ts';

const url = 'https://example.com/essay';
const signal = new AbortController().signal;
let house: Workshop;
let fetched: string[];

beforeEach(async () => {
  house = await openWorkshop();
  fetched = [];
});

afterEach(() => house.close());

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

function partsWith(parts: Partial<ProcessingParts> = {}): ProcessingParts {
  return {
    fetch: async (address): Promise<Resource> => {
      fetched.push(address);
      return textResource(address, `first line of ${address}\nsecond line`);
    },
    decode: async (original) => ({ ...original, text: new TextDecoder().decode(original.bytes) }),
    findSource: async () => lineSource(),
    describeUnsupported: async (_url, mediaType) =>
      new ProcessingError('unsupported_type', `There is nothing that reads ${mediaType} yet.`),
    split: async (transcript) => passagePerBlock(transcript),
    embedder: null,
    analyst: { by: 'extractive', model: null, analyse: () => Promise.resolve(nothingFound) },
    clock: house.clock,
    log: rememberingLog(),
    ...parts,
  };
}

/** Runs stages by hand up to and with `last`, and answers the claim that follows. */
async function runThrough(
  parts: ProcessingParts,
  last: Claim['stage'],
  store: Store = house.store,
): Promise<Claim | null> {
  const runStage = createStageRunner(parts);
  let claim = await store.claimJob(leaseMs);
  while (claim !== null) {
    const { stage } = claim;
    claim = await runStage(store, claim, signal);
    if (stage === last) break;
  }
  return claim;
}

describe('processing an item', () => {
  it('keeps the result of every stage in turn', async () => {
    const [id = ''] = await saveUrls(house.store, [url]);
    const quote = { start: 0, end: 10 };
    const seen: unknown[] = [];
    const analyst: Analyst = {
      by: 'extractive',
      model: null,
      analyse: async (input, goals) => {
        seen.push(input.title, input.text, goals.length);
        return { ...nothingFound, summary: 'Lines.', insights: [{ text: 'first', quote }] };
      },
    };
    await house.store.addGoal({ title: 'Read', category: 'Health' });
    const parts = partsWith({ analyst });
    const runStage = createStageRunner(parts);

    let claim = await house.store.claimJob(leaseMs);
    claim = await runStage(house.store, claim!, signal);
    expect(claim?.stage).toBe('extract');
    expect((await house.store.readOriginal(id))?.mediaType).toBe('text/plain');

    claim = await runStage(house.store, claim!, signal);
    expect(claim?.stage).toBe('split');
    const document = await house.store.readDocument(id);
    expect(document).toMatchObject({ title: 'Lines', transcript: { text: `first line of ${url}\n\nsecond line` } });

    claim = await runStage(house.store, claim!, signal);
    expect(claim?.stage).toBe('embed');
    const passages = await house.store.listPassages(document!.documentId);
    expect(passages.map(({ text }) => text)).toEqual([`first line of ${url}`, 'second line']);

    claim = await runStage(house.store, claim!, signal);
    expect(claim?.stage).toBe('analyse');
    expect(await runStage(house.store, claim!, signal)).toBeNull();
    expect(await house.store.getContent(id)).toMatchObject({
      status: 'completed',
      summary: 'Lines.',
      keyInsights: [{ text: 'first', quote: 'first line' }],
      analysis: { by: 'extractive', model: null, at: '2026-01-01T00:00:00.000Z', droppedQuotes: 0 },
    });
    expect(seen).toEqual(['Lines', document!.transcript.text, 1]);
  });

  it('counts quotes that are not in the text and keeps none of them', async () => {
    const [id = ''] = await saveUrls(house.store, [url]);
    const outside = { start: 5, end: 5_000 };
    const analysis: Analysis = {
      ...nothingFound,
      insights: [{ text: 'made up', quote: outside }],
      actions: [{ title: 'made up', reason: null, goalId: null, quote: outside }],
      droppedQuotes: 1,
    };
    await runThrough(partsWith({ analyst: { by: 'claude', model: 'm', analyse: async () => analysis } }), 'analyse');
    expect(await house.store.getContent(id)).toMatchObject({
      keyInsights: [{ text: 'made up', quote: null, locator: null }],
      actions: [],
      analysis: { by: 'claude', model: 'm', droppedQuotes: 3 },
    });
  });

  it('begins with the bytes that the caller had', async () => {
    await house.store.saveContent({
      url: 'file:///notes.txt',
      canonicalUrl: 'file:///notes.txt',
      tags: [],
      notes: undefined,
      original: textResource('file:///notes.txt', 'from the disk'),
    });
    expect(await runThrough(partsWith(), 'analyse')).toBeNull();
    expect(fetched).toEqual([]);
  });

  it('runs no stage for a worker that is stopping', async () => {
    await saveUrls(house.store, [url]);
    const claim = await house.store.claimJob(leaseMs);
    expect(() => createStageRunner(partsWith())(house.store, claim!, AbortSignal.abort())).toThrow(
      expect.objectContaining({ name: 'AbortError' }),
    );
    expect(fetched).toEqual([]);
  });
});

describe('reading out the text', () => {
  it('asks the network for a companion once, and the store from then on', async () => {
    const [id = ''] = await saveUrls(house.store, [url]);
    const captions = 'https://example.com/captions.vtt';
    let fails = true;
    const source = lineSource(async (_resource, { fetch }) => {
      const { text } = await fetch(captions);
      if (fails) throw new ProcessingError('extraction_failed', 'Not today.', { retryable: true });
      return documentOf([text ?? '']);
    });
    const parts = partsWith({ findSource: async () => source });
    await expect(runThrough(parts, 'extract')).rejects.toThrow('Not today.');
    expect(fetched).toEqual([url, captions]);

    fails = false;
    house.clock.advance(leaseMs);
    expect((await runThrough(parts, 'extract'))?.stage).toBe('split');
    expect(fetched).toEqual([url, captions]);
    expect((await house.store.readDocument(id))?.transcript.text).toContain(captions);
  });

  it.each(['', '   \n \n', '\u200b\u00ad', '\u0000\u0007'])(
    'fails with a reason when there is no text: %j',
    async (text) => {
      await saveUrls(house.store, [url]);
      const source = lineSource(async () => documentOf([text]));
      await expect(runThrough(partsWith({ findSource: async () => source }), 'extract')).rejects.toMatchObject({
        code: 'empty',
        retryable: false,
      });
    },
  );

  it('fails with a reason when nothing reads that type', async () => {
    const [id = ''] = await saveUrls(house.store, [url]);
    await house.workerWith(createStageRunner(partsWith({ findSource: async () => null }))).runUntilEmpty();
    expect(await house.store.getContentSummary(id)).toMatchObject({
      status: 'failed',
      failure: { code: 'unsupported_type', message: 'There is nothing that reads text/plain yet.' },
    });
  });

  it('stores nothing that was read after the worker was told to stop', async () => {
    const [id = ''] = await saveUrls(house.store, [url]);
    const stopping = new AbortController();
    const source = lineSource(async () => {
      stopping.abort();
      return documentOf(['too late']);
    });
    const claim = await runThrough(partsWith(), 'fetch');
    const runStage = createStageRunner(partsWith({ findSource: async () => source }));
    await expect(runStage(house.store, claim!, stopping.signal)).rejects.toMatchObject({ name: 'AbortError' });
    expect(await house.store.readDocument(id)).toBeNull();
  });
});

describe('embedding', () => {
  const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`);
  const manyLines = () => partsWith({ findSource: async () => lineSource(async () => documentOf(lines)) });

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

  it('goes in batches and, after it was cut off, on from the last one', async () => {
    await saveUrls(house.store, [url]);
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
    await expect(createStageRunner(parts)(house.store, claim!, stopping.signal)).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(await house.store.countVectors('letters-1')).toEqual({ passages: 100, embedded: 64 });

    await house.store.releaseJob(claim!);
    expect((await runThrough(parts, 'embed'))?.stage).toBe('analyse');
    expect(batches).toEqual([32, 32, 32, 32, 4]);
    expect(await house.store.countVectors('letters-1')).toEqual({ passages: 100, embedded: 100 });
  });

  it('ends with a reason, and not never, when the model answers too little', async () => {
    await saveUrls(house.store, [url]);
    const parts = { ...manyLines(), embedder: embedderThat(async () => []) };
    await expect(runThrough(parts, 'embed')).rejects.toMatchObject({ code: 'embedding_failed', retryable: true });
  });

  it('is passed over where search goes by words alone', async () => {
    const [id = ''] = await saveUrls(house.store, [url]);
    await runThrough(manyLines(), 'analyse');
    expect((await house.store.getContentSummary(id))?.status).toBe('completed');
    expect((await house.store.countVectors('letters-1')).embedded).toBe(0);
  });
});
