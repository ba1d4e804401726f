import { indexMethodsOf } from '../../../../src/search/index-methods.ts';
import type { PlacedAnalysis } from '../../../../src/domain/records/analyses/analysis.ts';
import {
  type Document,
  locatorAt,
  type PlacedBlock,
  type Transcript,
} from '../../../../src/domain/records/texts/document.ts';
import type { Resource } from '../../../../src/domain/records/resource.ts';
import type { Claim, SaveContent } from '../../../../src/store/records.ts';
import type { ItemSearch, ItemsFound } from '../../../../src/search/item-search.ts';
import type { Store } from '../../../../src/store/store.ts';
import { claimJob, keepOriginal } from '../../../support/store/claims.ts';

export const leaseMs = 60_000;

export function saving(url: string, more: Partial<SaveContent> = {}): SaveContent {
  return { url, canonicalUrl: url, tags: [], notes: undefined, ...more };
}

export function resource(url: string, text: string, more: Partial<Resource> = {}): Resource {
  return {
    url,
    finalUrl: url,
    bytes: Buffer.from(text),
    declaredType: 'text/html; charset=utf-8',
    fetchedAt: '2026-01-01T00:00:00.000Z',
    ...more,
  };
}

export function documentOf(more: Partial<Document> = {}): Omit<Document, 'blocks'> {
  return {
    contentType: 'article',
    title: null,
    author: null,
    siteName: null,
    publishedAt: null,
    language: 'en',
    canonicalUrl: null,
    durationSeconds: null,
    pageCount: null,
    warnings: [],
    ...more,
  };
}

export function transcriptOf(text: string): Transcript {
  return { text, blocks: [{ start: 0, end: text.length, kind: 'paragraph' }] };
}

export function analysisOf(
  text: string,
  quotes: readonly string[] = [],
  more: Partial<PlacedAnalysis> = {},
): PlacedAnalysis {
  return {
    summary: 'A summary.',
    insights: [],
    actions: quotes.map((quote) => {
      const start = text.indexOf(quote);
      const end = start + quote.length;
      const locator = { kind: 'text' as const, start, end };
      return { title: quote, reason: null, goalId: null, quote, start, end, locator, url: `#${start}` };
    }),
    info: { by: 'extractive', model: null, at: '2026-01-01T00:00:00.000Z', droppedQuotes: 0 },
    ...more,
  };
}

export interface ItemToProcess {
  text: string;
  document?: Partial<Document>;
  save?: Partial<SaveContent>;
  actions?: readonly string[];
  /** Lengths of passages; by default the whole text is one. */
  passageLength?: number;
  headingPath?: string[];
  /** What the links of the passages say; by default nobody has looked yet. */
  fragments?: (string | null)[];
  /** By default the whole text is one paragraph. */
  blocks?: PlacedBlock[];
  fingerprint?: Uint8Array | null;
}

/** The claim that must be there. */
export async function claim(store: Store): Promise<Claim> {
  const taken = await claimJob(store, leaseMs);
  if (taken === null) throw new Error('there is no job to claim');
  return taken;
}

/** Takes a claimed item from `fetch` to having its passages. */
export async function processToPassages(store: Store, taken: Claim, item: ItemToProcess): Promise<Claim> {
  let next = taken;
  if (next.stage === 'fetch') next = await keepOriginal(store, next, resource(taken.url, item.text));
  const transcript = { ...transcriptOf(item.text), ...(item.blocks !== undefined && { blocks: item.blocks }) };
  next = await store.keepDocument(next, documentOf(item.document), transcript);
  const stored = await store.readDocument(taken.contentId);
  if (stored === null) throw new Error('the document was not kept');
  const { length } = item.text;
  const step = item.passageLength ?? Math.max(1, length);
  const { headingPath = [] } = item;
  const passages = [];
  for (let start = 0, ordinal = 0; start < length; start += step, ordinal += 1) {
    const end = Math.min(length, start + step);
    const fragment = item.fragments?.[ordinal];
    const locator = locatorAt(transcript, start, end);
    passages.push({ ordinal, start, end, headingPath, locator, ...(fragment !== undefined && { fragment }) });
  }
  return store.keepPassages(next, stored.documentId, passages, item.fingerprint);
}

/** Saves an item and takes it through all stages; only one job may be waiting. */
export async function saveAndProcess(store: Store, url: string, item: ItemToProcess): Promise<string> {
  const { id } = await store.saveContent(saving(url, item.save));
  let next = await processToPassages(store, await claim(store), item);
  next = await store.finishEmbedding(next);
  const stored = await store.readDocument(id);
  if (stored === null) throw new Error('the document was not kept');
  await store.keepAnalysis(next, stored.documentId, analysisOf(item.text, item.actions));
  return id;
}

export function passageIds(hits: readonly { passageId: number }[]): number[] {
  return hits.map(({ passageId }) => passageId);
}

/** What finds the ten best items for a question by its words, unless it is told otherwise. */
export async function findItems(store: Store, text: string, more: Partial<ItemSearch> = {}): Promise<ItemsFound> {
  return indexMethodsOf(store).findItems({
    text,
    vector: null,
    filter: {},
    by: 'both',
    depth: 200,
    isTyped: false,
    items: 10,
    passagesOfEach: 3,
    distinct: false,
    placed: 0,
    facets: false,
    ...more,
  });
}
