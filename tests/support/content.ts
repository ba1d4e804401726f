import type { PlacedAnalysis } from '../../src/domain/records/analyses/analysis.ts';
import type { ContentItem } from '../../src/domain/records/content.ts';
import {
  layOutTranscript,
  type Block,
  type Document,
  type Transcript,
} from '../../src/domain/records/texts/document.ts';
import type { Passage } from '../../src/domain/records/texts/passage.ts';
import type { Resource } from '../../src/domain/records/resource.ts';
import type { Claim } from '../../src/store/records.ts';
import type { Store } from '../../src/store/store.ts';
import { claimJob } from './store/claims.ts';

export function textResource(url: string, text: string): Resource {
  return {
    url,
    finalUrl: url,
    bytes: Buffer.from(text),
    declaredType: 'text/plain',
    fetchedAt: '2026-01-01T00:00:00.000Z',
  };
}

export function documentWith(about: Partial<Omit<Document, 'blocks'>> = {}): Omit<Document, 'blocks'> {
  return {
    contentType: 'article',
    title: null,
    author: null,
    siteName: null,
    publishedAt: null,
    language: null,
    canonicalUrl: null,
    durationSeconds: null,
    pageCount: null,
    warnings: [],
    ...about,
  };
}

export function paragraphs(...texts: string[]): Block[] {
  return texts.map((text) => ({ text, kind: 'paragraph' }));
}

/** One passage for each block. */
export function passagePerBlock({ blocks }: Transcript): Passage[] {
  return blocks.map(({ start, end, locator }, ordinal) => ({
    ordinal,
    start,
    end,
    headingPath: [],
    locator: locator ?? { kind: 'text', start, end },
  }));
}

export const emptyAnalysis: PlacedAnalysis = {
  summary: null,
  insights: [],
  actions: [],
  info: { by: 'extractive', model: null, at: '2026-01-01T00:00:00.000Z', droppedQuotes: 0 },
};

export interface MadeItem {
  url: string;
  blocks: readonly Block[];
  about?: Partial<Omit<Document, 'blocks'>>;
  /** What it was made from; its text when absent. */
  original?: Resource;
  tags?: readonly string[];
  notes?: string;
  analysis?: PlacedAnalysis;
  fingerprint?: Uint8Array | null;
}

/** Saves an item and takes it through every stage at once. */
export async function addFinishedItem(store: Store, item: MadeItem): Promise<string> {
  const { id } = await store.saveContent({
    url: item.url,
    canonicalUrl: item.url,
    tags: item.tags ?? [],
    notes: item.notes,
    original: item.original ?? textResource(item.url, item.blocks.map(({ text }) => text).join('\n\n')),
  });
  let claim = await claimOf(store, id);
  const transcript = layOutTranscript(item.blocks);
  claim = await store.keepDocument(claim, documentWith(item.about), transcript);
  const document = await store.readDocument(id);
  claim = await store.keepPassages(claim, document?.documentId ?? -1, passagePerBlock(transcript), item.fingerprint);
  claim = await store.finishEmbedding(claim);
  await store.keepAnalysis(claim, document?.documentId ?? -1, item.analysis ?? emptyAnalysis);
  return id;
}

/** Claims the job of an item that was just saved. */
export async function claimOf(store: Store, id: string): Promise<Claim> {
  const claim = await claimJob(store, 60_000);
  if (claim?.contentId !== id) throw new Error('the job that was claimed is not the one that was just queued');
  return claim;
}

/** An item as it is read when it is completed. */
export function itemWith(parts: Partial<ContentItem>): ContentItem {
  return {
    id: 'c_aaaaaaaaaaaaaaaa',
    url: 'https://example.com/essay',
    title: 'An essay',
    summary: 'What it says.',
    contentType: 'article',
    status: 'completed',
    tags: [],
    notes: null,
    shelf: 'inbox',
    readAt: null,
    reading: null,
    author: null,
    siteName: null,
    publishedAt: null,
    language: 'en',
    wordCount: 3,
    canonicalUrl: 'https://example.com/essay',
    createdAt: '2026-01-01T00:00:00.000Z',
    processedAt: '2026-01-01T00:00:01.000Z',
    analysis: { by: 'extractive', model: null, at: '2026-01-01T00:00:01.000Z', droppedQuotes: 0 },
    warnings: [],
    duplicateOf: null,
    keyInsights: [],
    actions: [],
    ...parts,
  };
}
