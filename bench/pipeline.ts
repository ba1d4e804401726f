/*
 * How soon what is saved can be found: sixty web pages and 480 short texts, saved at once in the built program from a site on
 * this machine.
 *
 *   npm run build && npx node bench/pipeline.ts <corpora> [--program <dist/main.js>]... [--rounds 3] [--only pages|texts|documents] [--items 20] [--rest 120] [--ask] [--json]
 *
 * `--only documents` saves 10,000 texts of some 800 words, or as many as `--items` says, and `--only pages` more than sixty pages; a
 * flag for the programs, such as `-- --embedder none`, leaves the model out.
 *
 * Several programs are measured in turns, so that a busy machine slows all of them. `--ask` adds a client that searches every
 * 250 ms meanwhile. Further words after `--` are flags of `commonplace serve`. Needs Linux: figures come from /proc, and every page
 * has a loopback address of its own, so that no page waits for the pause that is kept between requests to one host.
 *
 * "Words": the item's passages are stored, so that a search by words finds them. "Vectors": all its passages that the model can
 * read have vectors. "Floor": the processor seconds that were used, divided by the cores; it hides waste, which the processor time
 * of a passage shows. Memory is anonymous memory
 * (`RssAnon`) of all processes together.
 */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { descendants, readProc } from './processor-time.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    program: { type: 'string', multiple: true, default: [fileURLToPath(new URL('../dist/main.js', import.meta.url))] },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string' },
    items: { type: 'string' },
    rest: { type: 'string', default: '5' },
    ask: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const [corpora, ...serveFlags] = positionals;
if (corpora === undefined) throw new Error('say where the corpora are: npx node bench/pipeline.ts <corpora>');

const sampleMs = 200;
const pollMs = 50;
const askMs = 250;
const giveUpMs = 600_000;
/** Memory is read once more so long after the last vector. */
const restMs = Number(options.rest) * 1_000;

interface Served {
  body: Buffer;
  type: string;
}

function readLines(path: string): Record<string, string>[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, string>);
}

/** A larger page can take seconds to read, and the last of sixty would then be measured by it alone. */
const maxPageBytes = 500_000;

/** Articles, evenly spread over the collection. */
function pages(folder: string, count: number): Served[] {
  const articles = readLines(join(folder, 'articles', 'manifest.jsonl'))
    .filter(({ pageType }) => pageType === 'article')
    .map(({ html = '' }) => gunzipSync(readFileSync(join(folder, 'articles', html))))
    .filter(({ length }) => length <= maxPageBytes);
  return Array.from({ length: count }, (_, index) => {
    const body = articles[Math.floor((index * articles.length) / count)];
    if (body === undefined) throw new Error('there are no articles');
    return { body, type: 'text/html; charset=utf-8' };
  });
}

/** 480 abstracts of some 200 words. */
function texts(folder: string): Served[] {
  return readLines(join(folder, 'retrieval', 'scifact-train', 'docs.jsonl'))
    .slice(0, 480)
    .map(({ title = '', text = '' }) => ({
      body: Buffer.from(`${title}\n\n${text}`),
      type: 'text/plain; charset=utf-8',
    }));
}

/** Texts of some 800 words: four abstracts each, in another order every time, so that no two are alike. */
function documents(folder: string, count: number): Served[] {
  const abstracts = readLines(join(folder, 'retrieval', 'scifact-train', 'docs.jsonl'));
  return Array.from({ length: count }, (_, index) => {
    const parts = [0, 1, 2, 3].map(
      (part) => abstracts[(index * 7 + part * (1 + Math.floor(index / 997))) % abstracts.length]?.text,
    );
    return { body: Buffer.from(`Document ${index}\n\n${parts.join('\n\n')}`), type: 'text/plain; charset=utf-8' };
  });
}

/** Serves each document at its own address. */
async function startSite(documents: readonly Served[]): Promise<{ urls: string[]; close(): void }> {
  const server = createServer((request, response) => {
    const found = documents[Number(request.url?.slice(1))];
    if (found === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': found.type }).end(found.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  const { port } = server.address() as AddressInfo;
  const urls = documents.map((_, index) => `http://127.1.${index >> 7}.${(index & 127) + 1}:${port}/${index}`);
  return {
    urls,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Processor seconds of a process or thread: its own, and those of its children that have ended. */
function processorSeconds(stat: string): { own: number; ended: number } {
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
  return { own: (user + system) / 100, ended: (endedUser + endedSystem) / 100 };
}

/** Which part of the work a process does. */
function kindOf(pid: number): string {
  const command = readProc(`/proc/${pid}/cmdline`);
  return /[\\/]([a-z-]+)-worker\.[jt]s/.exec(command)?.[1] ?? 'main';
}

/** Follows a process and everything that it starts. */
class Watch {
  readonly #root: number;
  readonly #timer: NodeJS.Timeout;
  /** The last reading of each process and of each thread of the main process. */
  readonly #seconds = new Map<string, { kind: string; seconds: number }>();
  readonly #kinds = new Map<number, string>();
  #total = 0;
  peakMb = 0;
  peakMbByKind: Record<string, number> = {};
  nowMb = 0;
  nowMbByKind: Record<string, number> = {};

  constructor(root: number) {
    this.#root = root;
    this.sample();
    this.#timer = setInterval(() => this.sample(), sampleMs);
  }

  sample(): void {
    let total = 0;
    let memory = 0;
    const memoryOf: Record<string, number> = {};
    for (const pid of descendants(this.#root)) {
      const kind = this.#kinds.get(pid) ?? kindOf(pid);
      // A process that was just started still has the command line of its parent.
      if (kind !== 'main' || pid === this.#root) this.#kinds.set(pid, kind);
      const stat = readProc(`/proc/${pid}/stat`);
      if (stat === '') continue;
      const { own, ended } = processorSeconds(stat);
      total += own + ended;
      const anonymousMb = Number(/RssAnon:\s+(\d+)/.exec(readProc(`/proc/${pid}/status`))?.[1] ?? 0) / 1_024;
      memory += anonymousMb;
      memoryOf[kind] = Math.round((memoryOf[kind] ?? 0) + anonymousMb);
      if (pid !== this.#root) this.#seconds.set(String(pid), { kind, seconds: own });
      else {
        for (const task of readdirSync(`/proc/${pid}/task`)) {
          const thread = readProc(`/proc/${pid}/task/${task}/stat`);
          if (thread === '') continue;
          const name =
            Number(task) === pid ? 'main thread' : thread.slice(thread.indexOf('(') + 1, thread.lastIndexOf(')'));
          this.#seconds.set(`${pid} ${task}`, { kind: name, seconds: processorSeconds(thread).own });
        }
      }
    }
    this.#total = Math.max(this.#total, total);
    this.nowMb = memory;
    this.nowMbByKind = memoryOf;
    if (memory <= this.peakMb) return;
    this.peakMb = memory;
    this.peakMbByKind = memoryOf;
  }

  get totalSeconds(): number {
    return this.#total;
  }

  /** Processor seconds of each kind of process, and of each kind of thread of the main process. */
  get byKind(): Record<string, number> {
    const sums: Record<string, number> = {};
    for (const { kind, seconds } of this.#seconds.values()) sums[kind] = (sums[kind] ?? 0) + seconds;
    return sums;
  }

  end(): void {
    clearInterval(this.#timer);
  }
}

interface Figures {
  wordsP50: number;
  wordsP95: number;
  wordsLast: number;
  vectorsP50: number;
  vectorsP95: number;
  vectorsLast: number;
  completedLast: number;
  items: number;
  passages: number;
  processorSeconds: number;
  processorMsPerPassage: number;
  /** Until the last item was found by words. */
  wordsProcessorSeconds: number;
  cores: number;
  timesTheFloor: number;
  idleMb: number;
  peakMb: number;
  afterMb: number;
  /** Size of the account's file when the program has ended. */
  fileBytesPerPassage: number;
  questionP50Ms?: number;
  questionP95Ms?: number;
  byKind: Record<string, number>;
  peakMbByKind: Record<string, number>;
  afterMbByKind: Record<string, number>;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

async function measure(program: string, documents: readonly Served[]): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), 'commonplace-pipeline-'));
  const site = await startSite(documents);
  const run = (...args: string[]) =>
    spawn(process.execPath, [program, ...args, '--data', folder], { stdio: ['ignore', 'pipe', 'ignore'] });
  const outputOf = async (child: ReturnType<typeof run>, until: RegExp): Promise<string> => {
    let output = '';
    for await (const chunk of child.stdout ?? []) {
      output += String(chunk);
      const found = until.exec(output)?.[1];
      if (found !== undefined) return found;
    }
    throw new Error(`the program ended without an answer: ${output}`);
  };
  const token = await outputOf(run('token', 'create', 'bench', '--json'), /(cpl_\w+)/);
  const limits = ['--rate-limit-per-minute', '1000000', '--allow-private-addresses', 'true', '--log-level', 'silent'];
  const server = run('serve', '--port', '0', '--json', ...limits, ...serveFlags);
  const url = await outputOf(server, /"url":\s*"([^"]+)"/);
  server.stdout?.resume();
  const post = (path: string, body: unknown): Promise<Response> =>
    fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const watch = new Watch(server.pid ?? 0);
  await sleep(1_000);
  watch.sample();
  const [idleMb, secondsBefore] = [watch.nowMb, watch.totalSeconds];
  const kindsBefore = watch.byKind;
  const [account = ''] = readdirSync(join(folder, 'accounts')).filter((name) => name.endsWith('.db'));
  const database = new Database(join(folder, 'accounts', account), { readonly: true });
  const saved = database.prepare<[number], { seq: number }>('SELECT seq FROM items WHERE seq > ?');
  const progress = database.prepare<[string], { seq: number; words: 0 | 1; vectors: 0 | 1; done: 0 | 1 }>(
    `SELECT c.seq, c.passage_count > 0 AS words, j.state IN ('done', 'failed') AS done,
       c.passage_count > 0 AND c.passage_count <= (SELECT count(*) FROM vectors v WHERE v.item = c.seq) AS vectors
     FROM json_each(?) asked JOIN items c ON c.seq = asked.value JOIN jobs j ON j.item = c.seq`,
  );
  const began = performance.now();
  const questions: number[] = [];
  const asking = new AbortController();
  const asker = (async () => {
    while (options.ask && !asking.signal.aborted) {
      await sleep(askMs);
      const start = performance.now();
      // Another question each time: vectors of questions are kept.
      const answer = await post('/search', { query: `what is said about question ${questions.length}`, limit: 5 });
      await answer.text();
      questions.push(performance.now() - start);
    }
  })();
  let next = 0;
  const saver = async (): Promise<void> => {
    for (let at = next++; at < site.urls.length; at = next++) {
      const answer = await post('/content', { url: site.urls[at] });
      await answer.text();
      if (answer.status !== 201) throw new Error(`saving was answered ${answer.status}`);
    }
  };
  const saving = Promise.all(Array.from({ length: 8 }, saver));
  let failed: unknown;
  saving.catch((error: unknown) => (failed = error));
  const times = {
    words: new Map<number, number>(),
    vectors: new Map<number, number>(),
    done: new Map<number, number>(),
  };
  const open = new Set<number>();
  let [last, savedItems, wordsUsed] = [0, 0, 0];
  for (;;) {
    const now = performance.now() - began;
    for (const { seq } of saved.all(last)) {
      open.add(seq);
      last = seq;
      savedItems += 1;
    }
    let isDone = savedItems === documents.length;
    for (const row of progress.all(JSON.stringify([...open]))) {
      for (const kind of ['words', 'vectors', 'done'] as const) {
        if (row[kind] === 1 && !times[kind].has(row.seq)) times[kind].set(row.seq, now / 1_000);
      }
      if (row.done === 1 && (row.vectors === 1 || row.words === 0)) open.delete(row.seq);
      isDone &&= row.done === 1;
    }
    if (wordsUsed === 0 && times.words.size === documents.length) {
      watch.sample();
      wordsUsed = watch.totalSeconds - secondsBefore;
    }
    // Vectors may come after an item is completed. A text in a language that the model cannot read gets none.
    if (isDone && open.size === 0) break;
    if (isDone && now / 1_000 - Math.max(...times.done.values(), ...times.vectors.values()) > 2) break;
    if (failed !== undefined) throw failed;
    if (now > giveUpMs) throw new Error('not everything was processed in ten minutes');
    await sleep(pollMs);
  }
  watch.sample();
  const used = watch.totalSeconds - secondsBefore;
  const byKind = Object.fromEntries(
    Object.entries(watch.byKind).map(([kind, seconds]) => [
      kind,
      Math.round((seconds - (kindsBefore[kind] ?? 0)) * 10) / 10,
    ]),
  );
  const passages = database.prepare<[], { n: number }>('SELECT count(*) AS n FROM passages').get()?.n ?? 0;
  asking.abort();
  await asker;
  await sleep(restMs);
  watch.sample();
  const { nowMb: afterMb, nowMbByKind: afterMbByKind, peakMb, peakMbByKind } = watch;
  watch.end();
  database.close();
  const gone = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  await gone;
  site.close();
  const fileBytes = statSync(join(folder, 'accounts', account)).size;
  await rm(folder, { recursive: true, force: true });
  const [words, vectors, done] = [[...times.words.values()], [...times.vectors.values()], [...times.done.values()]];
  const lastSeconds = Math.max(...vectors, ...done);
  return {
    wordsP50: quantile(words, 0.5),
    wordsP95: quantile(words, 0.95),
    wordsLast: Math.max(...words),
    vectorsP50: quantile(vectors, 0.5),
    vectorsP95: quantile(vectors, 0.95),
    vectorsLast: Math.max(...vectors),
    completedLast: Math.max(...done),
    items: words.length,
    passages,
    processorSeconds: used,
    processorMsPerPassage: (used * 1_000) / passages,
    wordsProcessorSeconds: wordsUsed,
    cores: used / lastSeconds,
    timesTheFloor: lastSeconds / (used / availableParallelism()),
    idleMb,
    peakMb,
    afterMb,
    fileBytesPerPassage: fileBytes / passages,
    ...(options.ask && { questionP50Ms: quantile(questions, 0.5), questionP95Ms: quantile(questions, 0.95) }),
    byKind,
    peakMbByKind,
    afterMbByKind,
  };
}

const inputs: Record<string, Served[]> = {
  pages: pages(corpora, Math.max(60, Number(options.items ?? 60))),
  texts: texts(corpora),
  ...(options.only === 'documents' && { documents: documents(corpora, Number(options.items ?? 10_000)) }),
};
const results: { input: string; program: string; round: number; figures: Figures }[] = [];
for (const [input, served] of Object.entries(inputs)) {
  if (options.only !== undefined && options.only !== input) continue;
  const chosen = served.slice(0, Number(options.items ?? served.length));
  for (let round = 0; round < Number(options.rounds); round += 1) {
    for (const program of options.program) {
      const figures = await measure(program, chosen);
      results.push({ input, program, round, figures });
      if (!options.json) console.error(input, program, JSON.stringify(figures));
    }
  }
}

const machine = { node: process.version, cores: availableParallelism(), load: loadavg()[0]?.toFixed(1) };
if (options.json) console.log(JSON.stringify({ ...machine, results }, null, 2));
else {
  console.log(
    `Node ${machine.node}, ${machine.cores} cores, load ${machine.load}; medians of ${options.rounds} rounds`,
  );
  for (const input of Object.keys(inputs)) {
    const rows: Record<string, Record<string, string>> = {};
    for (const [at, program] of options.program.entries()) {
      const own = results.filter((one) => one.input === input && one.program === program).map(({ figures }) => figures);
      if (own.length === 0) continue;
      const { byKind: _, peakMbByKind: __, afterMbByKind: ___, ...numbers } = own[0]!;
      for (const name of Object.keys(numbers) as (keyof typeof numbers)[]) {
        (rows[name] ??= {})[`program ${at + 1}`] = quantile(
          own.map((one) => one[name] ?? Number.NaN),
          0.5,
        ).toFixed(2);
      }
      for (const kind of new Set(own.flatMap((one) => Object.keys(one.byKind)))) {
        (rows[`seconds: ${kind}`] ??= {})[`program ${at + 1}`] = quantile(
          own.map((one) => one.byKind[kind] ?? 0),
          0.5,
        ).toFixed(1);
      }
    }
    for (const [at, program] of options.program.entries()) {
      const own = results.filter((one) => one.input === input && one.program === program).map(({ figures }) => figures);
      for (const [when, memoryOf] of [
        ['at the peak', (one: Figures) => one.peakMbByKind],
        ['afterwards', (one: Figures) => one.afterMbByKind],
      ] as const) {
        for (const kind of new Set(own.flatMap((one) => Object.keys(memoryOf(one))))) {
          const megabytes = own.map((one) => memoryOf(one)[kind] ?? 0);
          (rows[`MB ${when}: ${kind}`] ??= {})[`program ${at + 1}`] = quantile(megabytes, 0.5).toFixed(0);
        }
      }
    }
    if (Object.keys(rows).length === 0) continue;
    console.log({ pages: 'Web pages', texts: 'Texts' }[input] ?? 'Documents');
    console.table(rows);
  }
}
