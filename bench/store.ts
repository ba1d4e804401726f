import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { Clock } from '../src/domain/clock.ts';
import { parseQuery } from '../src/domain/search/query-language.ts';
import { openDataFolder } from '../src/app/installations/data-folder.ts';
import type { Store } from '../src/store/store.ts';
import {
  analysisOf,
  documentOf,
  leaseMs,
  resource,
  saving,
  transcriptOf,
} from '../tests/store/contracts/items/store-items.ts';
import { listPassages } from '../tests/support/store/store-reads.ts';
import { claimJob, keepOriginal } from '../tests/support/store/claims.ts';

/*
 * How the store behaves when an account is large: `node bench/store.ts [items] [passages per item]`.
 * Words are drawn from a Zipf distribution, as those of natural text are.
 */

const items = Number(process.argv[2] ?? 10_000);
const passagesPerItem = Number(process.argv[3] ?? 10);
const wordsPerPassage = 150;
const dimensions = 384;
const vocabulary = 60_000;

let seed = 1;
function random(): number {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
}

/** Rank r is drawn with a probability near 1/r. */
const randomWord = () => `w${Math.floor(vocabulary ** random())}x`;
const randomText = (words: number) => Array.from({ length: words }, randomWord).join(' ');

function randomVector(): Float32Array {
  const vector = Float32Array.from({ length: dimensions }, () => random() - 0.5);
  const length = Math.hypot(...vector);
  return vector.map((component) => component / length);
}

const clock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  uptime: () => performance.now(),
  sleep: () => Promise.resolve(),
};
const figures: Record<string, { p50: string; p95: string; unit: string }> = {};

async function measure(name: string, times: number, work: () => Promise<unknown>): Promise<void> {
  const taken: number[] = [];
  for (let i = 0; i < times; i += 1) {
    const start = performance.now();
    await work();
    taken.push(performance.now() - start);
  }
  taken.sort((a, b) => a - b);
  const at = (share: number) => (taken[Math.floor(share * (taken.length - 1))] ?? 0).toFixed(3);
  figures[name] = { p50: at(0.5), p95: at(0.95), unit: 'ms' };
}

async function fill(store: Store): Promise<void> {
  for (let i = 0; i < items; i += 1) {
    const url = `https://example.org/${i}`;
    const { id } = await store.saveContent(saving(url, { tags: [`tag${i % 50}`, 'all'] }));
    if (i % 5 > 0) await store.updateContent(id, { shelf: i % 5 > 1 ? 'archive' : 'later', read: i % 2 === 0 });
  }
  for (let claim = await claimJob(store, leaseMs); claim !== null; claim = await claimJob(store, leaseMs)) {
    const text = randomText(wordsPerPassage * passagesPerItem);
    const size = Math.floor(text.length / passagesPerItem);
    const { url } = claim;
    let next = await keepOriginal(store, claim, resource(url, text));
    const metadata = documentOf({ contentType: random() < 0.9 ? 'article' : 'text', title: randomText(6) });
    next = await store.keepDocument(next, metadata, transcriptOf(text));
    const document = await store.readDocument(claim.contentId);
    if (document === null) throw new Error('the document is gone');
    next = await store.keepPassages(
      next,
      document.documentId,
      Array.from({ length: passagesPerItem }, (_, ordinal) => {
        const [start, end] = [ordinal * size, (ordinal + 1) * size];
        return { ordinal, start, end, headingPath: [], locator: { kind: 'text' as const, start, end } };
      }),
    );
    const passages = await listPassages(store, claim.contentId);
    await store.keepVectors(
      'bench',
      passages.map(({ passageId }) => ({ passageId, vector: randomVector() })),
    );
    next = await store.finishEmbedding(next);
    await store.keepAnalysis(next, document.documentId, analysisOf(text));
  }
}

/** What a list may be made of. */
const queries = [
  'tag:tag7',
  '-tag:tag7',
  'tag:tag1*',
  'tag:tag7 OR tag:tag8 -type:text',
  'is:unread -is:later',
  'has:note OR has:highlight',
  'has:picture',
  'site:example.org/7',
  'site:example -site:example.com',
  'author:lee',
  'lang:en words:>1000',
  'saved:this-month published:2020..',
  'w1000x',
  'w1x',
  'w1x w2x -w3x',
  '(w1000x OR tag:tag7) is:unread',
];

const folder = await mkdtemp(join(tmpdir(), 'commonplace-bench-'));
const stores = await openDataFolder({ folder, clock });
try {
  const store = await stores.open('local');
  const start = performance.now();
  await fill(store);
  const seconds = (performance.now() - start) / 1000;
  const rare = () => `w${1_000 + Math.floor(random() * 50_000)}x w${1_000 + Math.floor(random() * 50_000)}x`;
  const mixed = () => `w1x w2x w3x w5x ${rare()}`;
  const search = (query: string, filter = {}) => store.searchWords(query, filter, 200);
  await measure('list, first page', 50, () => store.listContent({ limit: 20, offset: 0 }));
  await measure('list, page at the end', 50, () => store.listContent({ limit: 20, offset: items - 20 }));
  await measure('list, type and tag', 50, () =>
    store.listContent({ limit: 20, offset: 0, filter: { all: [{ type: 'text' }, { tag: 'tag7' }] } }),
  );
  await measure('list, inbox', 50, () => store.listContent({ limit: 20, offset: 0, filter: { shelf: 'inbox' } }));
  await measure('counts of shelves', 50, () => store.countItems());
  const [newest] = (await store.listContent({ limit: 1, offset: 0 })).items;
  await measure('where reading stopped', 50, () =>
    store.keepReading(newest?.id ?? '', { start: 100, share: random() }),
  );
  for (const query of queries)
    await measure(`list, ${query}`, 50, () =>
      store.listContent({ limit: 20, offset: 0, filter: parseQuery(query, clock.now()).condition }),
    );
  await measure('list, pending (none)', 50, () => store.listContent({ limit: 20, offset: 0, status: 'pending' }));
  await measure('claim (none due)', 50, () => claimJob(store, 1_000));
  await measure('coverage', 50, () => store.coverage());
  await measure('words: two rare', 50, () => search(rare()));
  await measure('words: two rare, four common', 50, () => search(mixed()));
  await measure('words: eight common', 10, () => search('w1x w2x w3x w4x w5x w6x w7x w8x'));
  await measure('words: mixed, in 90 % of items', 20, () => search(mixed(), { items: { type: 'article' } }));
  await measure('words: mixed, in 2 % of items', 20, () => search(mixed(), { items: { tag: 'tag7' } }));
  await measure('words: eight common, in 2 % of items', 10, () =>
    search('w1x w2x w3x w4x w5x w6x w7x w8x', { items: { tag: 'tag7' } }),
  );
  await measure('vectors: all', 10, () => store.searchVectors('bench', randomVector(), {}, 200));
  await measure('vectors: 90 % of items', 10, () =>
    store.searchVectors('bench', randomVector(), { items: { type: 'article' } }, 200),
  );
  await measure('vectors: 2 % of items', 10, () =>
    store.searchVectors('bench', randomVector(), { items: { tag: 'tag7' } }, 200),
  );
  await measure('nothing left to embed', 5, () => store.listPassagesToEmbed('bench', 32));
  const { size } = await stat(join(folder, 'accounts', 'local.db'));
  console.log(
    `${items} items, ${items * passagesPerItem} passages: written in ${seconds.toFixed(1)} s, ${(size / 1e6).toFixed(0)} MB`,
  );
  console.table(figures);
} finally {
  await stores.close();
  await rm(folder, { recursive: true });
}
