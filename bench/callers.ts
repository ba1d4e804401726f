/*
 * Searches a second of a server that fifty callers ask at once, by words alone, without a pause:
 *
 *   npm run build && npx node bench/callers.ts [--program <dist/main.js>]... [--rounds 5] [--callers 50] [--searches 500]
 *
 * Several programs are measured in turns, with the library and the questions of `first-search.ts`. Where `qmd` is on the PATH, its
 * server is one of them. Needs Linux.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { docs, headings as questions } from './docs-library.ts';
import { descendants, processorMs } from './processor-time.ts';

const { values: options } = parseArgs({
  options: {
    program: { type: 'string', multiple: true, default: [fileURLToPath(new URL('../dist/main.js', import.meta.url))] },
    rounds: { type: 'string', default: '5' },
    callers: { type: 'string', default: '50' },
    searches: { type: 'string', default: '500' },
  },
});
const [rounds, callers, searches] = [options.rounds, options.callers, options.searches].map(Number) as [
  number,
  number,
  number,
];

interface Served {
  name: string;
  child: ChildProcess;
  url: string;
  headers: Record<string, string>;
  body(question: string): object;
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
const agent = new Agent({ keepAlive: true, maxSockets: callers });

function ask({ url, headers, body }: Served, question: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const type = { 'content-type': 'application/json' };
    const asking = request(url, { agent, method: 'POST', headers: { ...type, ...headers } }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url} answered ${answer.statusCode}`));
      answer.resume().on('end', resolve);
    });
    asking.on('error', reject).end(JSON.stringify(body(question)));
  });
}

/** @returns searches a second, and milliseconds of processor time of each */
async function measure(served: Served): Promise<{ rate: number; processor: number }> {
  const used = () => processorMs(descendants(served.child.pid ?? 0));
  const [began, before] = [performance.now(), used()];
  let next = 0;
  const caller = async () => {
    while (next < searches) await ask(served, questions[(next += 1) % questions.length] ?? '');
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return { rate: (next * 1_000) / (performance.now() - began), processor: (used() - before) / next };
}

const folder = await mkdtemp(join(tmpdir(), 'commonplace-callers-'));
const running: Served[] = [];
for (const [at, program] of options.program.entries()) {
  const data = ['--data', join(folder, String(at))];
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [program, ...args, ...data], { encoding: 'utf8' }).stdout;
  run('import', docs);
  run('work', '--embedder', 'none');
  const token = /cpl_\w+/.exec(run('token', 'create', 'bench', '--json'))?.[0] ?? '';
  const flags = ['--port', '0', '--json', '--embedder', 'none', '--rate-limit-per-minute', '1000000', ...data];
  const child = spawn(process.execPath, [program, 'serve', ...flags], { stdio: ['ignore', 'pipe', 'ignore'] });
  const url = await new Promise<string>((resolve) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += String(chunk);
      const found = /"url":\s*"([^"]+)"/.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  const headers = { authorization: `Bearer ${token}` };
  running.push({ name: `${at + 1}`, child, url: `${url}/search`, headers, body: (query) => ({ query, limit: 10 }) });
}
const env = { ...process.env, XDG_CACHE_HOME: folder, XDG_CONFIG_HOME: folder };
if (spawnSync('qmd', ['collection', 'add', docs, '--name', 'docs'], { env }).status === 0) {
  const port = 20_000 + (process.pid % 10_000);
  const child = spawn('qmd', ['mcp', '--http', '--port', String(port)], { env, stdio: 'ignore' });
  const body = (query: string) => ({ searches: [{ type: 'lex', query }], rerank: false, limit: 10 });
  const qmd = { name: 'qmd', child, url: `http://localhost:${port}/query`, headers: {}, body };
  while (
    !(await ask(qmd, 'pages').then(
      () => true,
      () => false,
    ))
  )
    await sleep(200);
  running.push(qmd);
}
const figures = running.map((served) => ({ served, of: [] as { rate: number; processor: number }[] }));
for (let round = 0; round <= rounds; round += 1) {
  for (const { served, of } of figures) {
    const measured = await measure(served);
    // The first one warms up.
    if (round > 0) of.push(measured);
  }
}
console.log(`${callers} callers at once, medians of ${rounds} rounds, load ${loadavg()[0]?.toFixed(1)}`);
console.table(
  figures.map(({ served: { name }, of }) => ({
    program: name,
    'searches a second': median(of.map(({ rate }) => rate)).toFixed(0),
    'processor ms each': median(of.map(({ processor }) => processor)).toFixed(2),
  })),
);
for (const { child } of running) {
  const exited = new Promise((resolve) => child.once('exit', resolve));
  // qmd starts a process that serves, and does not end it.
  for (const pid of descendants(child.pid ?? 0)) process.kill(pid);
  await exited;
}
agent.destroy();
await rm(folder, { recursive: true, force: true });
