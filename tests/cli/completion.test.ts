import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addCommands, commandFiles } from '../../src/cli/commands/commands.ts';
import { candidates } from '../../src/cli/commands/completion.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { runBuilt } from '../support/command.ts';
import { builtProgram } from '../support/mcp.ts';

const program = buildProgram('');
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'commonplace-completion-'));
  await addCommands(program, () => Promise.resolve());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const offered = (...words: string[]) => candidates(program, words).map(({ name }) => name);

test('commands, subcommands, flags and flag values are completed', async () => {
  const files = await Promise.all(
    commandFiles.map(async ({ names }) => (typeof names === 'function' ? names() : names)),
  );
  expect(offered('')).toEqual(expect.arrayContaining(files.flat()) as string[]);
  expect(offered('go').toSorted()).toEqual(['goal', 'goals']);
  expect(offered('goal', 'a')).toEqual(['add']);
  expect(offered('--data', '/somewhere', 'goal', 'e')).toEqual(['edit']);
  expect(offered('setup', '--')).toEqual(expect.arrayContaining(['--dry-run', '--host', '--json']));
  expect(offered('setup', '--')).not.toContain('--facets');
  expect(offered('list', '--status', 'f')).toEqual(['failed']);
  expect(offered('save', '--tag', '')).toEqual([]);
});

test('settings, although flags of every command, are not completed', () => {
  expect(offered('search', '--')).not.toContain('--log-level');
});

test('a description has no character that a shell interprets', () => {
  for (const words of [[''], ['goal', ''], ['search', '--'], ['setup', '--']])
    for (const { about } of candidates(program, words)) expect(about).toMatch(/^[^'"\\:[\]`$\n]*$/);
});

test('bash completes with the printed script', async () => {
  const printed = await runBuilt('completion', 'bash');
  expect(printed).toMatchObject({ code: 0, stderr: '' });
  const script = join(folder, 'completion.bash');
  writeFileSync(script, printed.stdout);
  const commonplace = join(folder, 'commonplace');
  writeFileSync(commonplace, `#!/bin/sh\nexec '${process.execPath}' '${builtProgram}' "$@"\n`);
  chmodSync(commonplace, 0o755);
  const complete = (...words: string[]) =>
    execFileSync(
      'bash',
      [
        '--norc',
        '-c',
        `source ${script}; COMP_WORDS=('${commonplace}' ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}
        _commonplace; printf '%s\\n' "\${COMPREPLY[@]}"`,
      ],
      { encoding: 'utf8' },
    ).trim();
  expect(complete('goal', 'a')).toBe('add');
  expect(complete('list', '--stat')).toBe('--status');
});

test('zsh and fish get descriptions', async () => {
  expect((await runBuilt('completion', 'zsh', '--', 'sav')).stdout).toBe('save:Save URLs or files of this machine\n');
  expect((await runBuilt('completion', 'fish', '--', 'sav')).stdout).toMatch(/^save\tSave URLs or files/);
});

test('an unknown shell is refused', async () => {
  expect(await runBuilt('completion', 'tcsh')).toMatchObject({ code: 2 });
});
