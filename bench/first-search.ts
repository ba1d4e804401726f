/*
 * How long the first searches of a session take, and commands; processor time beside the clock. Over stdio: right after
 * `initialize` was answered, a second later, and then the second to the eleventh beside the fiftieth of sixty, without pauses.
 * From the command line: a search and a list alone, and a search beside a server that then is asked.
 *
 *   npm run build && npx node bench/first-search.ts [--program <dist/main.js>]... [--rounds 7]
 *
 * Several programs are measured in turns, each as it is and by words alone. Each has a library of the Markdown files in this
 * repository's docs/, whose headings are the questions. Where `qmd` is on the PATH, its search by words alone is one of them.
 * Needs Linux.
 */
import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { docs, headings } from './docs-library.ts';
import { descendants, processorMs } from './processor-time.ts';

const { values: options } = parseArgs({
  options: {
    program: { type: 'string', multiple: true, default: [fileURLToPath(new URL('../dist/main.js', import.meta.url))] },
    rounds: { type: 'string', default: '7' },
  },
});
const query = 'how are pages saved?';
const questions = headings.filter((_, at) => at % Math.floor(headings.length / 60) === 0).slice(0, 60);
/** What an assistant takes at least between its start and a person's first question. */
const beforeFirstSearchMs = 1_000;

interface Cost {
  /** By the clock. */
  ms: number;
  /** Of the program and the processes that it started. */
  processor: number;
}

interface Program {
  name: string;
  command: readonly string[];
  environment: Record<string, string>;
  stdio: readonly string[];
  search: readonly string[];
  list: readonly string[];
  /** Of the tool that searches. */
  call(question: string): { name: string; arguments: object };
}

/** A command's processor time is that of this process's children which have ended. */
async function run({ command: [file = '', ...first], environment }: Program, args: readonly string[]): Promise<Cost> {
  const began = performance.now();
  const before = endedProcessorMs();
  const child = spawn(file, [...first, ...args], { stdio: 'ignore', env: { ...process.env, ...environment } });
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  if (code !== 0) throw new Error(`${[file, ...first, ...args].join(' ')} ended with ${code}`);
  return { ms: performance.now() - began, processor: endedProcessorMs() - before };
}

function endedProcessorMs(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

interface Session {
  start: Cost;
  first: Cost;
  early: Cost;
  late: Cost;
  beside: Cost;
}

/** Sixty searches over stdio, and then one from the command line beside that server. */
async function searchOverStdio(program: Program, waitMs: number): Promise<Session> {
  const [file = '', ...first] = program.command;
  const began = performance.now();
  const child = spawn(file, [...first, ...program.stdio], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, ...program.environment },
  });
  const used = () => processorMs(descendants(child.pid ?? 0));
  const lines = createInterface({ input: child.stdout });
  let id = 0;
  const ask = async (method: string, params: object): Promise<Cost> => {
    const [asked, before] = [performance.now(), used()];
    const answered = new Promise<void>((resolve, reject) => {
      lines.once('line', (line) => {
        if ('result' in (JSON.parse(line) as object)) resolve();
        else reject(new Error(`${method} was refused: ${line}`));
      });
    });
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: (id += 1), method, params })}\n`);
    await answered;
    const ms = performance.now() - asked;
    return { ms, processor: used() - before };
  };
  const clientInfo = { name: 'bench', version: '1.0.0' };
  await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  const start = { ms: performance.now() - began, processor: used() };
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  await sleep(waitMs);
  const costs: Cost[] = [];
  for (const question of questions) costs.push(await ask('tools/call', program.call(question)));
  const beside = await run(program, program.search);
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill();
  await exited;
  return { start, first: costs[0]!, early: middle(costs.slice(1, 11)), late: middle(costs.slice(45, 55)), beside };
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
const middle = (costs: readonly Cost[]): Cost => ({
  ms: median(costs.map(({ ms }) => ms)),
  processor: median(costs.map(({ processor }) => processor)),
});

const folders: string[] = [];
const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'commonplace-first-'));
  folders.push(folder);
  return folder;
};
const programs: Program[] = [];
for (const [at, path] of options.program.entries()) {
  const own = ['--data', await newFolder()];
  const ours = (name: string, ...flags: string[]): Program => ({
    name: `${at + 1}: ${name}`,
    command: [process.execPath, path],
    environment: {},
    stdio: ['stdio', ...own, ...flags],
    search: ['search', query, ...own, ...flags],
    list: ['list', ...own, ...flags],
    call: (question) => ({ name: 'search', arguments: { query: question } }),
  });
  const whole = ours('with meaning');
  await run(whole, ['import', docs, ...own]);
  await run(whole, ['work', ...own]);
  programs.push(whole, ours('words alone', '--embedder', 'none'));
}
if (process.env['PATH']?.split(delimiter).some((folder) => globSync(join(folder, 'qmd')).length > 0) === true) {
  const folder = await newFolder();
  const qmd: Program = {
    name: 'qmd, words alone',
    command: ['qmd'],
    environment: { XDG_CACHE_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['mcp'],
    search: ['search', query],
    list: ['ls', 'docs'],
    call: (question) => ({
      name: 'query',
      arguments: { searches: [{ type: 'lex', query: question }], rerank: false, limit: 10 },
    }),
  };
  await run(qmd, ['collection', 'add', docs, '--name', 'docs']);
  programs.push(qmd);
}

const measured = programs.map((program) => ({ program, costs: new Map<string, Cost[]>() }));
for (let round = 0; round < Number(options.rounds); round += 1) {
  for (const { program, costs } of measured) {
    const note = (name: string, cost: Cost) => costs.set(name, [...(costs.get(name) ?? []), cost]);
    note('command line: search', await run(program, program.search));
    note('command line: list', await run(program, program.list));
    const atOnce = await searchOverStdio(program, 0);
    note('initialize', atOnce.start);
    note('first, at once', atOnce.first);
    const later = await searchOverStdio(program, beforeFirstSearchMs);
    note('first, a second later', later.first);
    for (const one of [atOnce, later]) {
      note('2nd to 11th', one.early);
      note('46th to 55th', one.late);
      note('2nd to 11th to those', {
        ms: one.early.ms / one.late.ms,
        processor: one.early.processor / one.late.processor,
      });
    }
    note('command line: search beside a server', later.beside);
  }
}
const shown = (value: number) => (value < 10 ? value.toFixed(2) : value.toFixed(0));
console.log(
  `milliseconds by the clock / of processors, medians of ${options.rounds} rounds, load ${loadavg()[0]?.toFixed(1)}`,
);
const rows: Record<string, Record<string, string>> = {};
for (const { program, costs } of measured) {
  for (const [name, all] of costs) {
    const { ms, processor } = middle(all);
    (rows[name] ??= {})[program.name] = `${shown(ms)} / ${shown(processor)}`;
  }
}
console.table(rows);
await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
