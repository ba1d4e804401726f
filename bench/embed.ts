/*
 * Measures the sentence model on the built kernel, and beside it the same model on onnxruntime-web, in turns in the same run:
 *
 *   npm run build && npx node bench/embed.ts [--json]
 *
 * Memory needs Linux.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Embedder } from '../src/models/embedding/embedder.ts';
import { createMiniLm } from '../src/models/embedding/minilm/minilm.ts';
import { readMiniLmFiles } from '../src/models/embedding/minilm/files.ts';
import { openMiniLm } from '../src/models/embedding/minilm/forward.ts';
import { chooseKernel, openKernel, useWideInstructions } from '../src/models/embedding/minilm/kernel.ts';
import { loadWordPiece } from '../src/models/embedding/tokenizers/wordpiece.ts';
import { openWasm } from './onnx-session.ts';

const never = new AbortController().signal;
const quiet = (): void => undefined;
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const rows: { name: string; value: number | null; unit: string }[] = [];

function record(name: string, value: number | null, unit: string): void {
  rows.push({ name, value: value === null ? null : Math.round(value * 10) / 10, unit });
}

/** The model's process, while there is one. */
function children(): string[] {
  try {
    return readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean);
  } catch {
    return [];
  }
}

/** Anonymous memory of this process and the model's, MB: `mmap`ed files are not counted. Null where there is no /proc. */
function anonymousMemory(): number | null {
  let total = 0;
  for (const pid of ['self', ...children()]) {
    try {
      total += Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;
    } catch {
      if (pid === 'self') return null;
    }
  }
  return total;
}

/** Processor time of the model's process, seconds (clock ticks are hundredths on Linux). */
function modelProcessorTime(): number | null {
  try {
    const [child] = children();
    const fields = readFileSync(`/proc/${child}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return null;
  }
}

function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))]!;
}

const vocabulary = readFileSync(new URL('../scripts/export-model/sentences.txt', import.meta.url), 'utf8').match(
  /\p{L}+/gu,
)!;

/** A text of exactly that many tokens (special ones not counted), another one for each `seed`. */
function textOf(tokens: number, seed: number, count: (text: string) => number): string {
  const words: string[] = [];
  let left = tokens;
  for (let at = seed * 31; left > 0; at += 7) {
    const word = vocabulary[at % vocabulary.length]!;
    const size = count(word);
    if (size > left) continue;
    words.push(word);
    left -= size;
  }
  return words.join(' ');
}

async function timeQueries(embedder: Embedder, texts: string[]): Promise<number[]> {
  const times: number[] = [];
  for (const text of texts) {
    const start = performance.now();
    await embedder.embedQuery(text, never);
    times.push(performance.now() - start);
  }
  return times;
}

record('anonymous memory before loading', anonymousMemory(), 'MB');
const embedder = createMiniLm({ idleMs: 1_000, log });
const started = performance.now();
await embedder.embedQuery('what did she say about compound interest?', never);
record('load and first query', performance.now() - started, 'ms');

const { countTokens } = await loadWordPiece();
const texts = (tokens: number, count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, index) => textOf(tokens, from + index, countTokens));

let peak = 0;
const watch = setInterval(() => (peak = Math.max(peak, anonymousMemory() ?? 0)), 50);
record(
  'query of 12 tokens just after loading, p50',
  quantile(await timeQueries(embedder, texts(12, 20, 500)), 0.5),
  'ms',
);
// The engine compiles the WASM in two tiers; warm means that the second one has arrived.
await embedder.embedPassages(texts(128, 40, 1_000), never);
await timeQueries(embedder, texts(12, 100, 2_000));
for (const tokens of [8, 12, 24]) {
  const cpu = modelProcessorTime();
  const times = await timeQueries(embedder, texts(tokens, 100));
  const after = modelProcessorTime();
  const alone = cpu === null || after === null ? null : (after - cpu) * 10;
  record(`query of ${tokens} tokens, processor time alone, mean`, alone, 'ms');
  record(`query of ${tokens} tokens, p50`, quantile(times, 0.5), 'ms');
  record(`query of ${tokens} tokens, p95`, quantile(times, 0.95), 'ms');
}
async function timePassages(name: string, batch: string[]): Promise<void> {
  const [start, cpu] = [performance.now(), modelProcessorTime()];
  await embedder.embedPassages(batch, never);
  record(name, (batch.length * 1_000) / (performance.now() - start), '/s');
  const spent = modelProcessorTime();
  const alone = spent === null || cpu === null ? null : batch.length / (spent - cpu);
  record(`${name}, processor time alone`, alone, '/s');
}
for (const tokens of [128, 250]) await timePassages(`passages of ${tokens} tokens`, texts(tokens, 40));
const prose = readFileSync(new URL('../scripts/export-model/sentences.txt', import.meta.url), 'utf8').split(/\s+/);
const passages = Array.from({ length: 20 }, (_, index) => prose.slice(index * 50, index * 50 + 200).join(' '));
const sizes200 = passages.map(countTokens);
record('tokens in 200 words, median', quantile(sizes200, 0.5), '');
await timePassages('passages of 200 words, cut at 256 tokens', passages);
record('anonymous memory while embedding, peak', peak || null, 'MB');
clearInterval(watch);
// The model is released after a second without work.
for (let waited = 0; children().length > 0 && waited < 50; waited += 1) await sleep(100);
record('anonymous memory after release', anonymousMemory(), 'MB');
await embedder.close();

const folders = ['dist', 'assets'].map((name) => fileURLToPath(new URL(`../${name}/`, import.meta.url)));
const sizes = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => statSync(`${folder}${name}`)),
);
record('package: dist and assets', sizes.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0) / 1e6, 'MB');

// Token for token the same work, in turns, so that a busy machine slows both; this thread's processor time, both run on it.
const spent = ({ user, system }: { user: number; system: number }): number => (user + system) / 1_000;
const files = readMiniLmFiles();
const theirs = await openWasm(fileURLToPath(new URL('./data/minilm/model_int8.onnx', import.meta.url)));
// As the model's own process does. The setting holds for onnxruntime-web, too.
useWideInstructions();
const ours = openMiniLm(openKernel(chooseKernel()), files.model);
const wordPiece = await loadWordPiece();
const golden: { text: string; vector: string }[] = JSON.parse(
  readFileSync(new URL('../tests/fixtures/minilm/golden.json', import.meta.url), 'utf8'),
);
const cosines = golden.map(({ text, vector }) => {
  const bytes = Buffer.from(vector, 'base64');
  return ours(wordPiece.encode(text, files.maxTokens)).reduce(
    (sum, x, at) => sum + (x * bytes.readInt16LE(at * 2)) / 32_767,
    0,
  );
});
const meanCosine = cosines.reduce((sum, value) => sum + value, 0) / cosines.length;
record('cosine to the original, 200 texts, mean', meanCosine * 1_000, '‰');
record('cosine to the original, 200 texts, least', Math.min(...cosines) * 1_000, '‰');

/** Some systems count processor time in steps of 10 ms: a text is run until it has taken as much as some steps. */
const leastMs = 60;
async function timeRuns(run: () => unknown): Promise<number> {
  const start = process.threadCpuUsage();
  for (let runs = 1; ; runs += 1) {
    await run();
    const taken = spent(process.threadCpuUsage(start));
    if (taken >= leastMs) return taken / runs;
  }
}
for (const tokens of [12, 24, 128, 250]) {
  const times: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] };
  for (const text of texts(tokens, 20, 3_000)) {
    const ids = wordPiece.encode(text, files.maxTokens);
    times.ours.push(await timeRuns(() => ours(ids)));
    times.theirs.push(await timeRuns(() => theirs(ids)));
  }
  record(`${tokens} tokens, forward pass alone, p50`, quantile(times.ours, 0.5), 'ms');
  record(`${tokens} tokens, forward pass alone, best`, quantile(times.ours, 0), 'ms');
  record(`${tokens} tokens on onnxruntime-web, p50`, quantile(times.theirs, 0.5), 'ms');
  record(
    `${tokens} tokens: times faster, of the medians`,
    quantile(times.theirs, 0.5) / quantile(times.ours, 0.5),
    '×',
  );
}

const machine = {
  node: process.version,
  cores: availableParallelism(),
  load: loadavg()[0]!.toFixed(1),
  model: embedder.id,
};
if (process.argv.includes('--json')) console.log(JSON.stringify({ ...machine, rows }, null, 2));
else {
  console.log(
    `${machine.model}, Node ${machine.node}, ${machine.cores} cores, all of them used for passages, load ${machine.load}`,
  );
  console.table(Object.fromEntries(rows.map(({ name, value, unit }) => [name, { value, unit }])));
}
