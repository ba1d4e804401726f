import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openCommandApp } from '../../src/app/command-app.ts';
import type { ProgramParts, Streams } from '../../src/cli/context.ts';
import { firstWord } from '../../src/cli/arguments/first-word.ts';
import { runCommandLine } from '../../src/cli/program.ts';
import { runBuilt } from '../support/command.ts';
import { builtProgram } from '../support/mcp.ts';

it.each([
  [[], undefined],
  [['--json'], undefined],
  [['--data', 'search'], undefined],
  [['--data=search', '--log-level', 'debug'], undefined],
  [['search', 'bees'], 'search'],
  [['--json', '--data', 'folder', 'list'], 'list'],
  [['--help'], '--help'],
  [['--version'], '--version'],
  [['--', 'anything'], '--'],
])('%j: the first word is %s', (argv, expected) => {
  expect(firstWord(argv)).toBe(expected);
});

/** Runs the program as on a terminal, in this process. */
async function onTerminal(
  argv: readonly string[],
  parts: ProgramParts,
  window: { isTTY?: boolean; columns?: number } = {},
): Promise<{ code: number; shown: string }> {
  const [stdin, stdout, stderr] = [new PassThrough(), Object.assign(new PassThrough(), window), new PassThrough()];
  const streams = Object.assign(new EventEmitter(), { stdin: Object.assign(stdin, { isTTY: true }), stdout, stderr });
  const code = await runCommandLine(argv, streams as unknown as Streams & NodeJS.EventEmitter, parts, '1.2.3');
  stdout.end();
  return { code, shown: await text(stdout) };
}

beforeEach(() => {
  for (const name of ['FORCE_COLOR', 'NO_COLOR', 'TERM']) vi.stubEnv(name, undefined);
});
afterEach(() => vi.unstubAllEnvs());

const checkLibrary = () => Promise.reject(new Error('files were checked'));
const backups = () => Promise.reject(new Error('backups were used'));
const databases = () => Promise.reject(new Error('a database was used'));
const answerCommands = () => Promise.reject(new Error('a server was begun'));

it('on a terminal without a library the program says how to begin and creates nothing', async () => {
  const data = join(tmpdir(), 'commonplace-that-is-not-there');
  const openApp = () => Promise.reject(new Error('a library was opened'));
  const { code, shown } = await onTerminal(['--data', data], {
    openApp,
    checkLibrary,
    backups,
    databases,
    answerCommands,
  });
  expect(code).toBe(0);
  expect(shown).toContain('Commonplace 1.2.3: a personal knowledge base');
  expect(shown).toContain('Three ways to begin');
  for (const command of ['setup', 'save', 'search', 'doctor', '--help']) {
    expect(shown).toContain(`commonplace ${command}`);
  }
});

it('on a terminal, output is bold and fits the window, unless NO_COLOR is set', async () => {
  const flags = ['--data', join(tmpdir(), 'commonplace-that-is-not-there')];
  const parts = {
    openApp: () => Promise.reject(new Error('a library was opened')),
    checkLibrary,
    backups,
    databases,
    answerCommands,
  };
  const window = { isTTY: true, columns: 50 };
  const { shown } = await onTerminal(flags, parts, window);
  expect(shown).toContain('\u001B[1mCommonplace 1.2.3\u001B[22m: a personal knowledge base that\n');
  vi.stubEnv('NO_COLOR', '1');
  expect((await onTerminal(flags, parts, window)).shown).not.toContain('\u001B');
});

it('on a terminal the program prints what the library holds', async () => {
  const data = mkdtempSync(join(tmpdir(), 'commonplace-overview-'));
  try {
    const flags = ['--data', data, '--embedder', 'none'];
    const parts = { openApp: openCommandApp, checkLibrary, backups, databases, answerCommands };
    expect((await onTerminal(flags, parts)).shown).toContain('Three ways to begin');

    const file = join(data, 'bread.md');
    writeFileSync(file, `# Slow bread\n\n${'Put the dough into the fridge overnight. '.repeat(5)}`);
    const saved = await runBuilt('save', file, '--wait', '--json', ...flags);
    expect(saved.code, saved.stderr).toBe(0);
    const { id, actions } = JSON.parse(saved.stdout) as { id: string; actions: { id: string }[] };
    expect((await runBuilt('save', 'https://waits.example/', ...flags)).code).toBe(0);

    const { code, shown } = await onTerminal(flags, parts);
    expect(code).toBe(0);
    expect(shown).toContain(`2 saved items, ${actions.length} open action item`);
    expect(shown).toContain('1 not processed yet');
    expect(shown).toContain(`${id}  Slow bread`);
    for (const action of actions) expect(shown).toContain(action.id);
    const told = JSON.parse((await onTerminal([...flags, '--json'], parts)).shown) as unknown;
    expect(told).toMatchObject({ version: '1.2.3', library: { items: 2, waiting: 1, failed: 0 } });
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
});

it('with a pipe on stdin the program serves MCP with the given settings', async () => {
  const data = mkdtempSync(join(tmpdir(), 'commonplace-bare-'));
  const client = new Client({ name: 'test', version: '1.0.0' });
  try {
    const args = [builtProgram, '--data', data, '--manage-tools', 'true'];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain('search');
    expect(names).toContain('delete_content');
  } finally {
    await client.close();
    rmSync(data, { recursive: true, force: true });
  }
});
