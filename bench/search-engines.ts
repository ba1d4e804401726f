import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { openDataFolder } from '../src/app/installations/data-folder.ts';
import { createLog } from '../src/workers/log.ts';
import type { RankBy } from '../src/domain/search/query-language.ts';
import { createMiniLm } from '../src/models/embedding/minilm/minilm.ts';
import { createSearchService } from '../src/services/search/search.ts';
import { connect } from '../src/store/postgres/database.ts';
import type { Store, Stores } from '../src/store/store.ts';
import { findItems, saveAndProcess } from '../tests/store/contracts/items/store-items.ts';
import { withStatistics } from '../tests/support/postgres/server.ts';
import { clock, startNodes } from './postgres-nodes.ts';
import { createRandom, embedderOf, fillAccount, question } from './search-account.ts';
import { createVectorSource } from './synthetic-vectors.ts';

/*
 * Searches on both engines, in turns in one process: `npm run build && node bench/search-engines.ts [passages]
 * [collections…]`. A collection is a folder with `docs.jsonl`, `queries.jsonl` and `qrels.tsv`, searched as the product does, with the built-in model. PostgreSQL is on a socket of this machine: a network adds
 * its delay to each round trip, of which a search whose copy is up to date has three.
 */

const passages = Number(process.argv[2] ?? 10_000);
const collections = process.argv.slice(3);
const searches = 300;
const never = new AbortController().signal;
const { folder, server, database, openNode, stop } = await startNodes(withStatistics);

const sqlite = await openDataFolder({ folder: join(folder, 'sqlite'), clock, libraryThreads: {} });
const first = await openNode('first');
const engines = { sqlite, postgres: first };
const model = createMiniLm({ idleMs: 60_000, log: createLog('error') });

const at = (times: number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(share * (times.length - 1))] ?? NaN;
const shown = (times: number[]): string => `p50 ${at(times, 0.5).toFixed(1)} ms, p95 ${at(times, 0.95).toFixed(1)} ms`;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function searcher(stores: Stores): (account: string) => Promise<unknown> {
  const random = createRandom(42);
  const vectors = createVectorSource('clustered', passages);
  const service = createSearchService(stores, embedderOf(vectors), clock, createLog('error'));
  return (account) => service.search(account, { query: question(random), limit: 10, maxTokens: 4_000 }, never);
}

async function wholeSearches(): Promise<void> {
  for (const stores of Object.values(engines)) await fillAccount(await stores.open('local'), passages);
  print(`${passages} passages on both engines`);
  const ask = { sqlite: searcher(sqlite), postgres: searcher(first) };
  const taken = { sqlite: [] as number[], postgres: [] as number[] };
  for (let n = 0; n < searches + 50; n += 1)
    for (const name of ['sqlite', 'postgres'] as const) {
      const ms = await timed(() => ask[name]('local'));
      if (n >= 50) taken[name].push(ms);
    }
  print(`whole search, sqlite:   ${shown(taken.sqlite)}`);
  print(`whole search, postgres: ${shown(taken.postgres)}`);
  print(`postgres / sqlite, p50: ${(at(taken.postgres, 0.5) / at(taken.sqlite, 0.5)).toFixed(2)}`);

  for (let round = 1; round <= 3; round += 1) {
    const node = await openNode(`cold-${round}`);
    const small = await node.control.createAccount({ name: 's', plan: 'pro' });
    await saveAndProcess(await node.open(small.id), `https://s.example/${round}`, { text: 'A few words of a text.' });
    const store = await node.open(small.id);
    await findItems(store, 'words');
    const held = monitorEventLoopDelay({ resolution: 1 });
    held.enable();
    const building = { isOver: false };
    const beside: number[] = [];
    const warm = (async () => {
      while (!building.isOver) {
        beside.push(await timed(() => findItems(store, 'words')));
        await delay(10);
      }
    })();
    const cold = await timed(() => searcher(node)('local'));
    building.isOver = true;
    await warm;
    held.disable();
    print(
      `cold node, first search ${cold.toFixed(0)} ms; another account beside it ${shown(beside)}; ` +
        `main thread held at most ${(held.max / 1e6).toFixed(0)} ms`,
    );
    await node.close();
    if (round < 3) continue;
    const admin = connect({ url: server.adminUrl(database), maxConnections: 1 });
    const [size] = await admin<{ bytes: number }[]>`SELECT pg_database_size(current_database()) AS bytes`;
    await admin.end();
    const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
    const copy = statSync(join(folder, `cold-${round}`, 'local.db')).size;
    print(`the copy ${megabytes(copy)}, the database ${megabytes(size?.bytes ?? 0)}`);
    const again = await openNode(`cold-${round}`);
    print(`node started again, first search ${(await timed(() => searcher(again)('local'))).toFixed(0)} ms`);
    await again.close();
  }
}

const lines = (path: string): string[] => readFileSync(path, 'utf8').trim().split('\n');

async function quality(path: string): Promise<void> {
  type Text = { id: string; title?: string; text: string };
  const read = (file: string) => lines(join(path, file)).map((line) => JSON.parse(line) as Text);
  const relevant = new Map<string, Map<string, number>>();
  for (const line of lines(join(path, 'qrels.tsv')).slice(1)) {
    const [query = '', document = '', score] = line.split('\t');
    relevant.set(query, (relevant.get(query) ?? new Map()).set(document, Number(score)));
  }
  const ranked: Record<RankBy, string[][][]> = { words: [], meaning: [], both: [] };
  const vectors = new Map<string, Float32Array | null>();
  for (const stores of [sqlite, first]) {
    const { id: account } = await stores.control.createAccount({ name: 'q', plan: 'pro' });
    const store: Store = await stores.open(account);
    const documents = new Map<string, string>();
    for (const { id: document, title, text } of read('docs.jsonl')) {
      const id = await saveAndProcess(store, `https://q.example/${document}`, {
        text: text || '-',
        document: { title: title ?? null },
      });
      documents.set(id, document);
      const passages = await store.listPassagesToEmbed(model.id, 10, { contentId: id });
      for (const { passageId, text: passage } of passages) {
        if (!vectors.has(passage)) vectors.set(passage, (await model.embedPassages([passage], never))[0] ?? null);
        const vector = vectors.get(passage);
        if (vector) await store.keepVectors(model.id, [{ passageId, vector }]);
      }
    }
    const service = createSearchService(stores, model, clock, createLog('error'));
    for (const by of ['words', 'meaning', 'both'] as const) {
      const answers = [];
      for (const { text } of read('queries.jsonl')) {
        const { results } = await service.search(account, { query: text, limit: 10, maxTokens: 20_000 }, never, by);
        answers.push(results.map(({ id }) => documents.get(id) ?? ''));
      }
      ranked[by].push(answers);
    }
  }
  const queries = read('queries.jsonl');
  const ndcg = (answers: string[][]): number => {
    const gains = queries.flatMap(({ id }, n) => {
      const grades = relevant.get(id);
      if (grades === undefined) return [];
      const sum = (scores: number[]) => scores.reduce((total, score, rank) => total + score / Math.log2(rank + 2), 0);
      const best = sum([...grades.values()].toSorted((a, b) => b - a).slice(0, 10));
      return best === 0 ? [] : [sum((answers[n] ?? []).map((document) => grades.get(document) ?? 0)) / best];
    });
    return gains.reduce((total, gain) => total + gain, 0) / gains.length;
  };
  for (const [by, [onSqlite = [], onPostgres = []]] of Object.entries(ranked)) {
    const same = queries.filter((_, n) => JSON.stringify(onSqlite[n]) === JSON.stringify(onPostgres[n])).length;
    print(
      `${path.split('/').at(-1)}: nDCG@10 by ${by}, sqlite ${ndcg(onSqlite).toFixed(4)}, postgres ${ndcg(onPostgres).toFixed(4)}; ` +
        `the same in the same order for ${same} of ${queries.length} questions`,
    );
  }
}

try {
  for (const path of collections) await quality(path);
  if (passages > 0) await wholeSearches();
} finally {
  await Promise.all([sqlite.close(), first.close(), model.close()]);
  await stop();
}
