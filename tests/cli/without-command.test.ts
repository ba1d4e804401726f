import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, it } from 'vitest';
import type { ProgramParts, Streams } from '../../src/cli/context.ts';
import { runCommandLine } from '../../src/cli/program.ts';
import { namesCommand } from '../../src/cli/without-command.ts';
import { builtProgram } from '../support/mcp.ts';

it.each([
  [[], false],
  [['--json'], false],
  [['--data', 'search'], false],
  [['--data=search', '--log-level', 'debug'], false],
  [['search', 'bees'], true],
  [['--json', '--data', 'folder', 'list'], true],
  [['--help'], true],
  [['--version'], true],
  [['--', 'anything'], true],
])('%j: a command is named: %s', (argv, expected) => {
  expect(namesCommand(argv)).toBe(expected);
});

it('on a terminal the program says what it is and what to do, and opens nothing', async () => {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const streams = Object.assign(new EventEmitter(), { stdin: Object.assign(stdin, { isTTY: true }), stdout, stderr });
  const parts: ProgramParts = {
    openApp: () => Promise.reject(new Error('a library was opened')),
    checkLibrary: () => Promise.reject(new Error('a library was opened')),
  };
  const code = await runCommandLine([], streams as unknown as Streams & NodeJS.EventEmitter, parts, '1.2.3');
  stdout.end();
  const shown = await text(stdout);
  expect(code).toBe(0);
  expect(shown).toContain('Commonplace 1.2.3: a personal knowledge base');
  for (const command of ['connect', 'save', 'search', 'doctor', '--help']) {
    expect(shown).toContain(`commonplace ${command}`);
  }
});

it('with a pipe on stdin the program serves MCP, with the settings it is given', async () => {
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
