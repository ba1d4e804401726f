import { spawn } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { openDataFolder } from '../src/app/installations/data-folder.ts';
import type { Clock } from '../src/domain/clock.ts';
import { documentOf, resource, saving } from '../tests/store/contracts/items/store-items.ts';
import { claimJob, keepOriginal } from '../tests/support/store/claims.ts';

/*
 * How long the built program takes to export a library and to take it back, and how much memory it needs:
 * `node bench/export.ts [items]`. The items have pages of some 5,000 characters, with an original of twice that, passages,
 * insights, actions and highlights. The memory is the anonymous memory of the whole process, with its threads. A plain copy of
 * the data folder is the measure.
 */

const count = Number(process.argv[2] ?? 10_000);
const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const words =
  'bread salt patience water oven flour winter morning letter garden river stone music paper window bridge'.split(' ');

/** Some sentences, different for each number. */
function textOf(item: number): string {
  let seed = item * 2_654_435_761;
  const next = () => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0);
  const sentence = () => `The ${Array.from({ length: 12 }, () => words[next() % words.length]).join(' ')} of ${item}.`;
  return Array.from({ length: 12 }, () => Array.from({ length: 5 }, sentence).join(' ')).join('\n\n');
}

async function fill(folder: string): Promise<void> {
  const clock: Clock = {
    now: () => Date.now(),
    elapsed: () => performance.now(),
    uptime: () => 1,
    sleep: async () => {},
  };
  const stores = await openDataFolder({ folder, clock });
  const store = await stores.open('local');
  for (let item = 0; item < count; item += 1) {
    const url = `https://site-${item % 500}.example/articles/${item}`;
    const text = textOf(item);
    const { id } = await store.saveContent(saving(url, { tags: [`tag${item % 50}`], notes: `Note ${item}` }));
    const claim = await claimJob(store, 60_000, { newestFirst: true });
    if (claim === null) throw new Error('there is no job');
    const extracting = await keepOriginal(store, claim, resource(url, `<html>${text}${text}</html>`));
    const blocks = [{ start: 0, end: text.length, kind: 'paragraph' as const }];
    const splitting = await store.keepDocument(extracting, documentOf({ title: `Article ${item % 9_000}` }), {
      text,
      blocks,
    });
    const { documentId } = (await store.readDocument(id))!;
    const step = 900;
    const passages = Array.from({ length: Math.ceil(text.length / step) }, (_, ordinal) => {
      const [start, end] = [ordinal * step, Math.min(text.length, (ordinal + 1) * step)];
      return { ordinal, start, end, headingPath: [], locator: { kind: 'text' as const, start, end } };
    });
    const analysing = await store.finishEmbedding(await store.keepPassages(splitting, documentId, passages, null));
    const place = (start: number) => {
      const end = start + 40;
      return { quote: text.slice(start, end), start, end, locator: { kind: 'text' as const, start, end }, url };
    };
    await store.keepAnalysis(analysing, documentId, {
      summary: text.slice(0, 300),
      insights: [0, 100, 200].map((at) => ({ text: text.slice(at, at + 40), ...place(at) })),
      actions: [
        {
          title: `Do what article ${item} says about ${words[item % words.length]}`,
          reason: null,
          goalId: null,
          ...place(300),
        },
      ],
      info: { by: 'extractive', model: null, at: new Date().toISOString(), droppedQuotes: 0 },
    });
    if (item % 5 === 0) await store.addHighlight({ contentId: id, quote: text.slice(10, 60), note: `Thought ${item}` });
  }
  await stores.close();
}

interface Run {
  seconds: number;
  peakMegabytes: number;
}

async function run(args: readonly string[]): Promise<Run> {
  const started = performance.now();
  const child = spawn(process.execPath, [main, ...args, '--json'], { stdio: ['ignore', 'ignore', 'inherit'] });
  let peak = 0;
  const watch = setInterval(() => {
    void readFile(`/proc/${child.pid}/status`, 'utf8').then(
      (status) => (peak = Math.max(peak, Number(/RssAnon:\s+(\d+)/.exec(status)?.[1] ?? 0))),
      () => undefined,
    );
  }, 20);
  await new Promise((resolve) => void child.once('close', resolve));
  clearInterval(watch);
  return { seconds: (performance.now() - started) / 1_000, peakMegabytes: Math.round(peak / 1_024) };
}

async function bytesIn(folder: string): Promise<number> {
  const sizes = (await readdir(folder, { recursive: true, withFileTypes: true })).map(async (entry) =>
    entry.isFile() ? (await stat(join(entry.parentPath, entry.name))).size : 0,
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

const folder = await mkdtemp(join(tmpdir(), 'commonplace-bench-export-'));
const [data, copy, exported, restored] = ['data', 'copy', 'export', 'restored'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
  string,
];
await fill(data);
const started = performance.now();
await cp(data, copy, { recursive: true });
const copying = (performance.now() - started) / 1_000;
const shown = (seconds: number, more: object = {}) => ({
  seconds: Number(seconds.toFixed(1)),
  'of a plain copy': Number((seconds / copying).toFixed(1)),
  ...more,
});
const rows: Record<string, object> = { 'plain copy': shown(copying, { MB: Math.round((await bytesIn(copy)) / 1e6) }) };
const first = await run(['export', exported, '--data', data]);
const size = Math.round((await bytesIn(exported)) / 1e6);
rows['export'] = shown(first.seconds, { 'peak MB': first.peakMegabytes, MB: size });
const again = await run(['export', exported, '--data', data]);
rows['export over it'] = shown(again.seconds, { 'peak MB': again.peakMegabytes, MB: size });
const back = await run(['import', exported, '--data', restored]);
rows['import of it'] = shown(back.seconds, { 'peak MB': back.peakMegabytes });
const secondTime = await run(['import', exported, '--data', restored]);
rows['import again'] = shown(secondTime.seconds, { 'peak MB': secondTime.peakMegabytes });
console.table(rows);
await rm(folder, { recursive: true });
