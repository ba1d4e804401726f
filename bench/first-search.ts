/*
 * How long the first search takes, when the sentence model is not loaded yet: over stdio, a second after `initialize` was answered,
 * and from the command line in all, alone and beside that server, which then is asked.
 *
 *   npm run build && npx node bench/first-search.ts [--program <dist/main.js>]... [--rounds 7]
 *
 * Several programs are measured in turns. Each has a library of one document, this repository's docs/saving.md.
 */
import { spawn, spawnSync } from 'node:child_process';
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
const document = fileURLToPath(new URL('../docs/saving.md', import.meta.url));
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

/** A search over stdio, and then one from the command line beside that server. */
async function searchOverStdio(program: string, folder: string): Promise<{ stdio: number; beside: number }> {
  const child = spawn(process.execPath, [program, 'stdio', '--data', folder], { stdio: ['pipe', 'pipe', 'ignore'] });
  const lines = createInterface({ input: child.stdout });
  const ask = async (id: number, method: string, params: object): Promise<void> => {
    const answered = new Promise<void>((resolve, reject) => {
      lines.once('line', (line) => {
        if ('result' in (JSON.parse(line) as object)) resolve();
        else reject(new Error(`${method} was refused: ${line}`));
      });
    });
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    await answered;
  };
  const clientInfo = { name: 'bench', version: '1.0.0' };
  await ask(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  await sleep(beforeFirstSearchMs);
  const began = performance.now();
  await ask(2, 'tools/call', { name: 'search', arguments: { query } });
  const stdio = performance.now() - began;
  const beside = searchOnCommandLine(program, folder).ms;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill();
  await exited;
  return { stdio, beside };
}

const programs = await Promise.all(
  options.program.map(async (program) => {
    const folder = await mkdtemp(join(tmpdir(), 'commonplace-first-'));
    return {
      program,
      folder,
      stdio: [] as number[],
      commandLine: [] as number[],
      beside: [] as number[],
      modes: new Set<string>(),
    };
  }),
);
for (const { program, folder } of programs) run(program, 'save', document, '--wait', '--data', folder);
for (let round = 0; round < Number(options.rounds); round += 1) {
  for (const one of programs) {
    const { ms, mode } = searchOnCommandLine(one.program, one.folder);
    one.commandLine.push(ms);
    one.modes.add(mode);
    const { stdio, beside } = await searchOverStdio(one.program, one.folder);
    one.stdio.push(stdio);
    one.beside.push(beside);
  }
}
const shown = (times: readonly number[]): string => {
  const sorted = times.toSorted((a, b) => a - b);
  return `${(sorted[sorted.length >> 1] ?? 0).toFixed(0)} (${(sorted[0] ?? 0).toFixed(0)} at best)`;
};
console.log(`milliseconds, medians of ${options.rounds} rounds, load ${loadavg()[0]?.toFixed(1)}`);
console.table(
  programs.map(({ program, stdio, commandLine, beside, modes }) => ({
    program,
    'over stdio': shown(stdio),
    'command line': shown(commandLine),
    'beside a server': shown(beside),
    'found by': [...modes].join(', '),
  })),
);
await Promise.all(programs.map(({ folder }) => rm(folder, { recursive: true, force: true })));
