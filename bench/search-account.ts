import { performance } from 'node:perf_hooks';
import { linkPassages } from '../src/pipeline/splitting/split.ts';
import type { Embedder } from '../src/models/embedding/embedder.ts';
import type { Claim } from '../src/store/records.ts';
import type { Store, Stores } from '../src/store/store.ts';
import { analysisOf, documentOf, leaseMs, resource, saving } from '../tests/store/contracts/items/store-items.ts';
import { createVectorSource, dimensions } from './synthetic-vectors.ts';
import { listPassages } from '../tests/support/store/store-reads.ts';
import { claimJob } from '../tests/support/store/claims.ts';

/*
 * Accounts as large as one likes, built through the store's own methods: words from a Zipf distribution, passages of about 150
 * words, ten of them an item, vectors in clusters. The same account every time.
 */

export const embedderId = 'synthetic';
/** Gives each question the next vector. */
export function embedderOf(vectors: { next(): Float32Array }): Embedder {
  return {
    id: embedderId,
    dimensions,
    languages: null,
    embedPassages: () => Promise.reject(new Error('everything is embedded')),
    embedQuery: () => Promise.resolve(vectors.next()),
    close: () => Promise.resolve(),
  };
}

const passagesPerItem = 10;
/** As many as are processed at once unless the settings say otherwise. */
const itemsAtOnce = 6;
const vocabulary = 80_000;

/** Mulberry32. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const syllables = [...'bdfglmnprstvz'].flatMap((consonant) => [...'aeiou'].map((vowel) => consonant + vowel));

/** The commoner the shorter, as in natural languages. */
const words = Array.from({ length: vocabulary }, (_, rank) => {
  let word = '';
  for (let left = rank; ; left = Math.floor(left / syllables.length) - 1) {
    word += syllables[left % syllables.length];
    if (left < syllables.length) return word;
  }
});

/** Rank r with a probability near 1/r. */
export function wordByFrequency(random: () => number): string {
  return words[Math.floor(vocabulary ** random()) - 1] ?? '';
}

/** A question of 2 to 8 words: half of them as common as in the texts, half of them rare. */
export function question(random: () => number): string {
  const length = 2 + Math.floor(random() * 7);
  return Array.from({ length }, (_, place) =>
    place % 2 === 0 ? words[1_000 + Math.floor(random() * (vocabulary - 1_000))] : wordByFrequency(random),
  ).join(' ');
}

function textOf(count: number, random: () => number): string {
  let text = '';
  for (let index = 0; index < count; index += 1) {
    text += wordByFrequency(random);
    text += index % 12 === 11 ? '. ' : ' ';
  }
  return text;
}

interface MadeItem {
  url: string;
  title: string;
  texts: string[];
  isText: boolean;
  tag: string;
}

export interface BuildingTimes {
  texts: number;
  vectors: number;
}

/** Fills the store with so many passages. @returns seconds that the store took for each */
export async function fillAccount(store: Store, count: number, seed = 1): Promise<BuildingTimes> {
  const random = createRandom(seed);
  const vectors = createVectorSource('clustered', count);
  const spent = { texts: 0, vectors: 0 };
  const timed = async <T>(kind: keyof typeof spent, work: () => Promise<T>): Promise<T> => {
    const began = performance.now();
    const result = await work();
    spent[kind] += (performance.now() - began) / 1_000;
    return result;
  };
  const makeItem = (item: number): MadeItem => ({
    texts: Array.from({ length: passagesPerItem }, () => textOf(120 + Math.floor(random() * 60), random)),
    title: textOf(6, random).trim(),
    url: `https://example.org/${seed}/${item}`,
    isText: item % 10 === 0,
    tag: `tag${item % 50}`,
  });
  const items = Math.ceil(count / passagesPerItem);
  for (let first = 0; first < items; first += itemsAtOnce) {
    const made = Array.from({ length: Math.min(itemsAtOnce, items - first) }, (_, index) => makeItem(first + index));
    const passageIds = await timed('texts', () => keepItems(store, made));
    const kept = passageIds.map((passageId) => ({ passageId, vector: vectors.next() }));
    await timed('vectors', () => store.keepVectors(embedderId, kept));
  }
  return spent;
}

/** Takes items through all stages as the pipeline does, several at once. @returns the ids of their passages */
async function keepItems(store: Store, items: readonly MadeItem[]): Promise<number[]> {
  const saved = await Promise.all(
    items.map(({ url, tag, texts }) =>
      store.saveContent(saving(url, { tags: [tag], original: resource(url, texts.join('\n\n')) })),
    ),
  );
  const byId = new Map(saved.map(({ id }, index) => [id, items[index]]));
  const ids = await Promise.all(
    items.map(async () => {
      const claim = await claimJob(store, leaseMs);
      const item = byId.get(claim?.contentId ?? '');
      if (claim === null || item === undefined) throw new Error('there is no job');
      return keepItem(store, claim, item);
    }),
  );
  return ids.flat();
}

async function keepItem(store: Store, extracting: Claim, { title, texts, isText }: MadeItem): Promise<number[]> {
  const text = texts.join('\n\n');
  let start = 0;
  const placed = texts.map((passage, ordinal) => {
    const end = start + passage.length;
    const locator = { kind: 'text' as const, start, end };
    start = end + 2;
    return { ordinal, start: locator.start, end, headingPath: [], locator };
  });
  const blocks = placed.map((passage) => ({ start: passage.start, end: passage.end, kind: 'paragraph' as const }));
  const contentType = isText ? 'text' : 'article';
  const metadata = documentOf({ contentType, title });
  const passages = linkPassages(placed, { transcript: { text, blocks }, contentType });
  const splitting = await store.keepDocument(extracting, metadata, { text, blocks });
  const document = await store.readDocument(extracting.contentId);
  if (document === null) throw new Error('the document is gone');
  const embedding = await store.keepPassages(splitting, document.documentId, passages);
  const stored = await listPassages(store, extracting.contentId);
  const analysing = await store.finishEmbedding(embedding);
  await store.keepAnalysis(analysing, document.documentId, analysisOf(text));
  return stored.map(({ passageId }) => passageId);
}

/** Two accounts in one data folder, built if they are not there yet. */
export async function openAccount(
  stores: Stores,
  name: string,
  passages: number,
): Promise<{ id: string; built: BuildingTimes | null }> {
  const known = (await stores.control.listAccounts()).find((account) => account.name === name);
  const id = known?.id ?? (await stores.control.createAccount({ name, plan: 'pro' })).id;
  const store = await stores.open(id);
  const there = (await store.countVectors(embedderId)).embedded;
  if (there >= passages) return { id, built: null };
  if (there > 0) throw new Error('the account was not built to its end: remove the folder');
  return { id, built: await fillAccount(store, passages, passages) };
}
