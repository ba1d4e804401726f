import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Clock } from '../src/domain/clock.ts';
import { createLog } from '../src/workers/log.ts';
import { createSearchService } from '../src/services/search/search.ts';
import { openDataFolder } from '../src/app/installations/data-folder.ts';
import { createRandom, embedderOf, openAccount, question } from './search-account.ts';
import { openBaseline } from './search-baseline.ts';
import { anonymousMb, measureStart } from './search-start.ts';
import { createVectorSource } from './synthetic-vectors.ts';

/*
 * Whole searches, without the embedding of the question: `npm run build && npx node bench/search.ts [passages]
 * [--folder <data folder>] [--one-person] [--warm-up <searches>]`. The account is built if it is not in the folder yet; a folder that is named stays.
 * `--one-person`: as a server for one person, whose library is in its main thread.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    folder: { type: 'string' },
    'one-person': { type: 'boolean', default: false },
    'warm-up': { type: 'string' },
    'without-baseline': { type: 'boolean', default: false },
    memory: { type: 'boolean', default: false },
  },
});
const passages = Number(positionals[0] ?? 10_000);
const folder = values.folder ?? `/tmp/commonplace-search-${passages}`;
const smallPassages = 1_000;
/** Ours ranks 200 passages of each kind. Others ask for thirty, which costs them less. */
const depths = [30, 200];
const never = new AbortController().signal;
const clock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  uptime: () => performance.now(),
  sleep: () => Promise.resolve(),
};

const random = createRandom(42);
const vectors = createVectorSource('clustered', passages);
const stores = await openDataFolder({
  folder,
  clock,
  libraryThreads: values['one-person'] ? undefined : {},
});
const service = createSearchService(stores, embedderOf(vectors), clock, createLog('error'));

type Times = number[];
const at = (times: Times, share: number) =>
  times.toSorted((a, b) => a - b)[Math.floor(share * (times.length - 1))] ?? NaN;
const shown = (times: Times) => `${at(times, 0.5).toFixed(1)} / ${at(times, 0.95).toFixed(1)}`;
const figures: Record<string, string> = {};

async function timed(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const search = (account: string) =>
  service.search(account, { query: question(random), limit: 10, maxTokens: 4_000 }, never);

async function searchAlone(account: string, times: number): Promise<Times> {
  const taken: Times = [];
  for (let i = 0; i < times; i += 1) taken.push(await timed(() => search(account)));
  return taken;
}

/** Searchers who each ask their next question when the one before is answered, as long as `goesOn` says so. */
async function searchTogether(account: string, searchers: number, goesOn: (asked: number) => boolean): Promise<Times> {
  const taken: Times = [];
  const searcher = async () => {
    for (let i = 0; goesOn(i); i += 1) taken.push(await timed(() => search(account)));
  };
  await Promise.all(Array.from({ length: searchers }, searcher));
  return taken;
}

/** Twenty people who ask something every two seconds, each at their own moment. */
async function searchNowAndThen(account: string, searchers: number, each: number): Promise<Times> {
  const taken: Times = [];
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const searcher = async () => {
    await pause(random() * 2_000);
    for (let i = 0; i < each; i += 1) {
      const ms = await timed(() => search(account));
      taken.push(ms);
      await pause(Math.max(0, 2_000 - ms));
    }
  };
  await Promise.all(Array.from({ length: searchers }, searcher));
  return taken;
}

const big = await openAccount(stores, 'big', passages);
const small = await openAccount(stores, 'small', smallPassages);
if (big.built !== null) {
  figures['import, passages/s: texts, with vectors'] =
    `${(passages / big.built.texts).toFixed(0)}, ${(passages / (big.built.texts + big.built.vectors)).toFixed(0)}`;
}
const first = await timed(() => search(big.id));

if (values.memory) {
  await searchAlone(big.id, 50);
  console.log((await anonymousMb(process.pid)).toFixed(0));
} else {
  const rounds = passages > 300_000 ? 60 : 200;
  figures['first search, ms'] = first.toFixed(0);
  // What a server does that has been asked before: V8 has compiled what runs often, in each thread.
  await searchAlone(big.id, Number(values['warm-up'] ?? rounds));
  const alone = await searchAlone(big.id, rounds);
  figures['search, p50 / p95 ms'] = shown(alone);
  const together = await searchTogether(big.id, 20, (asked) => asked < rounds / 10);
  figures['20 searchers without a pause, p50 / p95 ms'] = shown(together);
  figures['their p95 to that of one'] = (at(together, 0.95) / at(alone, 0.95)).toFixed(1);
  const nowAndThen = await searchNowAndThen(big.id, 20, 5);
  figures['20 who ask every 2 s, p50 / p95 ms'] = shown(nowAndThen);
  figures['their p95 to that of one alone'] = (at(nowAndThen, 0.95) / at(alone, 0.95)).toFixed(1);
  const smallAlone = await searchAlone(small.id, 200);
  let isMeasured = false;
  const load = searchTogether(big.id, 8, () => !isMeasured);
  const beside = await searchAlone(small.id, 200);
  isMeasured = true;
  await load;
  figures[`an account of ${smallPassages} alone, p50 / p95 ms`] = shown(smallAlone);
  figures['the same beside 8 searchers of this one'] = shown(beside);
  if (!values['without-baseline']) {
    const vectorFile = join(folder, 'vec0.db');
    const baseline = openBaseline(join(folder, 'accounts', `${big.id}.db`), vectorFile);
    const theirs = new Map<number, Times>(depths.map((depth) => [depth, []]));
    const ours: Times = [];
    for (let i = 0; i < Math.min(rounds, 60); i += 1) {
      for (const [depth, times] of theirs)
        times.push(await timed(() => baseline.search(question(random), vectors.next(), depth)));
      ours.push(await timed(() => search(big.id)));
    }
    baseline.close();
    for (const [depth, times] of theirs) {
      figures[`FTS5 unpruned and vec0, ${depth} of each, p50 / p95 ms`] = shown(times);
      figures[`times faster than those ${depth}, p50, in turns`] = (at(times, 0.5) / at(ours, 0.5)).toFixed(1);
    }
  }
  const again = spawnSync(
    process.execPath,
    [fileURLToPath(import.meta.url), `${passages}`, '--folder', folder, '--memory'],
    {
      encoding: 'utf8',
    },
  );
  figures['anonymous memory after 50 searches, MB'] = again.stdout.trim();
  Object.assign(figures, await measureStart());
}
await stores.close();
if (!values.memory) {
  console.table(figures);
  console.log(`${passages} passages, ${cpus().length} cores, Node ${process.versions.node}`);
}
if (values.folder === undefined && !values.memory) rmSync(folder, { recursive: true });
