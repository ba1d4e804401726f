/*
 * How long the first searches take, when the sentence model is not loaded yet. Over stdio: right after `initialize` was answered
 * and a second later, and then the second to the eleventh beside the fiftieth of sixty, without pauses. From the command line in
 * all: alone and beside that server, which then is asked.
 *
 *   npm run build && npx node bench/first-search.ts [--program <dist/main.js>]... [--rounds 7]
 *
 * Several programs are measured in turns. Each has a library of the Markdown files in this repository's docs/, whose headings are
 * the questions. Where `qmd` is on the PATH, its search by words alone is measured from the command line, over the same files.
 */
import { spawn, spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: {
    program: { type: 'string', multiple: true, default: [fileURLToPath(new URL('../dist/main.js', import.meta.url))] },
    rounds: { type: 'string', default: '7' },
  },
});
const query = 'how are pages saved?';
const docs = fileURLToPath(new URL('../docs', import.meta.url));
const documents = globSync('**/*.md', { cwd: docs })
  .map((name) => join(docs, name))
  .sort();
const headings = documents.flatMap((path) =>
  Array.from(readFileSync(path, 'utf8').matchAll(/^##+ (.{8,60})$/gm), ([, heading = '']) =>
    heading.replaceAll(/[^\p{L}\p{N} ]/gu, ''),
  ),
);
const questions = headings.filter((_, at) => at % Math.floor(headings.length / 60) === 0).slice(0, 60);
/** What an assistant takes at least between its start and a person's first question. */
const beforeFirstSearchMs = 1_000;

function run(program: string, ...args: string[]): string {
  return spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' }).stdout;
}

function searchOnCommandLine(program: string, folder: string): { ms: number; mode: string } {
  const began = performance.now();
  const answer = run(program, 'search', query, '--json', '--data', folder);
  return { ms: performance.now() - began, mode: (JSON.parse(answer) as { mode: string }).mode };
}

interface StdioTimes {
  first: number;
  /** Medians. */
  early: number;
  late: number;
  beside: number;
}

/** Sixty searches over stdio, and then one from the command line beside that server. */
async function searchOverStdio(program: string, folder: string, waitMs: number): Promise<StdioTimes> {
  const child = spawn(process.execPath, [program, 'stdio', '--data', folder], { stdio: ['pipe', 'pipe', 'ignore'] });
  const lines = createInterface({ input: child.stdout });
  let id = 0;
  const ask = async (method: string, params: object): Promise<number> => {
    const began = performance.now();
    const answered = new Promise<void>((resolve, reject) => {
      lines.once('line', (line) => {
        if ('result' in (JSON.parse(line) as object)) resolve();
        else reject(new Error(`${method} was refused: ${line}`));
      });
    });
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: (id += 1), method, params })}\n`);
    await answered;
    return performance.now() - began;
  };
  const clientInfo = { name: 'bench', version: '1.0.0' };
  await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  await sleep(waitMs);
  const times: number[] = [];
  for (const question of questions)
    times.push(await ask('tools/call', { name: 'search', arguments: { query: question } }));
  const beside = searchOnCommandLine(program, folder).ms;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill();
  await exited;
  return { first: times[0] ?? NaN, early: median(times.slice(1, 11)), late: median(times.slice(45, 55)), beside };
}

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? NaN;

const programs = await Promise.all(
  options.program.map(async (program) => {
    const folder = await mkdtemp(join(tmpdir(), 'commonplace-first-'));
    return {
      program,
      folder,
      commandLine: [] as number[],
      atOnce: [] as StdioTimes[],
      later: [] as StdioTimes[],
      modes: new Set<string>(),
    };
  }),
);
for (const { program, folder } of programs) {
  run(program, 'import', docs, '--data', folder);
  run(program, 'work', '--data', folder);
}
/** With folders of its own for its index and its settings. */
const qmd = { folder: await mkdtemp(join(tmpdir(), 'qmd-')), times: [] as number[] };
const runQmd = (...args: string[]) => {
  const env = { ...process.env, XDG_CACHE_HOME: qmd.folder, XDG_CONFIG_HOME: qmd.folder };
  return spawnSync('qmd', args, { encoding: 'utf8', env }).status === 0;
};
const hasQmd = runQmd('collection', 'add', docs, '--name', 'docs');
for (let round = 0; round < Number(options.rounds); round += 1) {
  for (const one of programs) {
    const { ms, mode } = searchOnCommandLine(one.program, one.folder);
    one.commandLine.push(ms);
    one.modes.add(mode);
    one.atOnce.push(await searchOverStdio(one.program, one.folder, 0));
    one.later.push(await searchOverStdio(one.program, one.folder, beforeFirstSearchMs));
  }
  const began = performance.now();
  if (hasQmd && runQmd('search', query)) qmd.times.push(performance.now() - began);
}
const shown = (times: readonly number[]): string => {
  const sorted = times.toSorted((a, b) => a - b);
  return `${(sorted[sorted.length >> 1] ?? 0).toFixed(0)} (${(sorted[0] ?? 0).toFixed(0)} at best)`;
};
console.log(`milliseconds, medians of ${options.rounds} rounds, load ${loadavg()[0]?.toFixed(1)}`);
const rowOf = (times: readonly StdioTimes[], which: keyof StdioTimes) => shown(times.map((one) => one[which]));
console.table(
  programs.map(({ program, atOnce, later, commandLine, modes }) => ({
    program,
    'at once': rowOf(atOnce, 'first'),
    'a second later': rowOf(later, 'first'),
    '2nd to 11th': rowOf(later, 'early'),
    '46th to 55th': rowOf(later, 'late'),
    'to those': median(later.map(({ early, late }) => early / late)).toFixed(2),
    'command line': shown(commandLine),
    'beside a server': rowOf(later, 'beside'),
    'found by': [...modes].join(', '),
  })),
);
console.log(hasQmd ? `qmd by words alone, command line: ${shown(qmd.times)}` : 'qmd is not on the PATH');
await rm(qmd.folder, { recursive: true, force: true });
await Promise.all(programs.map(({ folder }) => rm(folder, { recursive: true, force: true })));
