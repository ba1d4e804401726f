import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import Database from 'better-sqlite3';
import { load as loadVectorFunctions } from 'sqlite-vec';
import type { Clock } from '../src/domain/clock.ts';
import { openDataFolder } from '../src/app/installations/data-folder.ts';
import { quantize } from '../src/store/sqlite/index/quantize.ts';
import type { PassageFilter } from '../src/store/records/search-records.ts';
import { createVectorSource, dimensions } from './synthetic-vectors.ts';

/*
 * Searching by meaning through the store, in memory and in the file, and what the memory takes: `node bench/vector-memory.ts
 * [passages]`. Ten passages an item; searches run in the main thread, so that its processor time is theirs.
 */

const passages = Number(process.argv[2] ?? 100_000);
const limit = 200;
const clock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  uptime: () => performance.now(),
  sleep: () => Promise.resolve(),
};

function anonymousMegabytes(): number {
  const status = readFileSync('/proc/self/status', 'utf8');
  return Number(/RssAnon:\s+(\d+)/.exec(status)?.[1] ?? NaN) / 1024;
}

async function fill(folder: string): Promise<void> {
  const stores = await openDataFolder({ folder, clock });
  const store = await stores.open('local');
  await store.coverage();
  await stores.close();
  const db = new Database(join(folder, 'accounts', 'local.db'));
  loadVectorFunctions(db);
  db.pragma('synchronous = OFF');
  const item =
    db.prepare(`INSERT INTO items (seq, id, url, canonical_url, state, content_type, passage_count, created_at,
    updated_at) VALUES (?, ?, ?, ?, 'completed', ?, 10, 0, 0)`);
  const document = db.prepare(`INSERT INTO documents (id, item, version, content_type, word_count, warnings, text_hash,
    created_at, text, blocks) VALUES (?, ?, 1, 'article', 0, '[]', x'00', 0, '', '[]')`);
  const passage =
    db.prepare(`INSERT INTO passages (id, document, item, ordinal, start_at, end_at, heading_path, locator, text)
    VALUES (?, ?, ?, ?, 0, 0, '[]', '{}', ?)`);
  const vector = db.prepare('INSERT INTO vectors (passage, embedder, scale, components, item) VALUES (?, 1, ?, ?, ?)');
  db.prepare('INSERT INTO embedders (id, name, dimensions) VALUES (1, ?, ?)').run('bench', dimensions);
  const source = createVectorSource('clustered', passages);
  const text = 'Some words of a passage. '.repeat(40);
  for (let first = 1; first <= passages; first += 10_000) {
    db.transaction(() => {
      for (let id = first; id < first + 10_000 && id <= passages; id += 1) {
        const content = Math.floor((id - 1) / 10) + 1;
        if (id % 10 === 1) {
          item.run(content, `c_${content}`, `u${content}`, `u${content}`, content % 10 === 0 ? 'pdf' : 'article');
          document.run(content, content);
        }
        passage.run(id, content, content, id % 10, text);
        const { scale, components } = quantize(source.next());
        vector.run(id, scale, Buffer.from(components.buffer), content);
      }
    })();
  }
  db.close();
}

interface Figures {
  'first ms': string;
  'p50 ms': string;
  'p50 ms, a tenth': string;
  'RssAnon MB before': string;
  'RssAnon MB after': string;
}

async function measure(folder: string, maxBytes: number): Promise<Figures> {
  const stores = await openDataFolder({ folder, clock, vectors: { maxBytes } });
  const store = await stores.open('local');
  const source = createVectorSource('clustered', passages);
  await store.coverage();
  const before = anonymousMegabytes();
  const search = async (filter: PassageFilter): Promise<number> => {
    const query = source.next();
    const start = performance.now();
    await store.searchVectors('bench', query, filter, limit);
    return performance.now() - start;
  };
  const p50 = async (filter: PassageFilter): Promise<string> => {
    const taken: number[] = [];
    for (let turn = 0; turn < (maxBytes > 0 ? 50 : 5); turn += 1) taken.push(await search(filter));
    return (taken.sort((a, b) => a - b)[taken.length >> 1] ?? NaN).toFixed(1);
  };
  const first = await search({});
  const figures = {
    'first ms': first.toFixed(0),
    'p50 ms': await p50({}),
    'p50 ms, a tenth': await p50({ items: { type: 'pdf' } }),
    'RssAnon MB before': before.toFixed(0),
    'RssAnon MB after': anonymousMegabytes().toFixed(0),
  };
  await stores.close();
  return figures;
}

const folder = await mkdtemp(join(tmpdir(), 'commonplace-vectors-'));
try {
  await fill(folder);
  console.log(`${passages.toLocaleString('en')} passages, the best ${limit}`);
  console.table({ 'in memory': await measure(folder, 2 ** 30), 'in the file': await measure(folder, 0) });
} finally {
  await rm(folder, { recursive: true });
}
