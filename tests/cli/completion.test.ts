import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addCommands, commandFiles } from '../../src/cli/commands/commands.ts';
import { bashScript } from '../../src/cli/completion/bash.ts';
import { fishScript } from '../../src/cli/completion/fish.ts';
import { type CompletionNode, completionNodes } from '../../src/cli/completion/completion-nodes.ts';
import { zshScript } from '../../src/cli/completion/zsh.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { runBuilt } from '../support/command.ts';

let folder: string;
let nodes: CompletionNode[];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'commonplace-completion-'));
  const program = buildProgram('');
  await addCommands(program, () => Promise.resolve());
  nodes = completionNodes(program);
  writeFileSync(join(folder, 'completion.bash'), bashScript(nodes));
});
/** The first words of all commands. */
async function namesOfCommands(): Promise<string[]> {
  const names = await Promise.all(
    commandFiles.map(async ({ names: given }) => (typeof given === 'function' ? given() : given)),
  );
  return names.flat();
}
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What bash offers for the last of these words. */
function offered(...words: string[]): string[] {
  const line = `
    source ${join(folder, 'completion.bash')}
    COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
    _commonplace; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const said = execFileSync('bash', ['--norc', '-c', line], { encoding: 'utf8' });
  return said.split('\n').filter((word) => word !== '');
}

test('bash completes commands, their commands, their flags and the values of flags', async () => {
  expect(offered('commonplace', 'go')).toEqual(['goals', 'goal']);
  expect(offered('commonplace', '')).toEqual(expect.arrayContaining(await namesOfCommands()) as string[]);
  expect(offered('commonplace', 'goal', 'a')).toEqual(['add', 'archive']);
  expect(offered('commonplace', '--data', '/somewhere', 'goal', 'u')).toEqual(['unarchive']);
  expect(offered('commonplace', 'setup', '--')).toEqual(expect.arrayContaining(['--dry-run', '--host', '--json']));
  expect(offered('commonplace', 'setup', '--')).not.toContain('--facets');
  expect(offered('commonplace', 'connect', '--host', 'c')).toEqual([
    'claude-desktop',
    'claude-code',
    'cursor',
    'codex',
    'cline',
  ]);
  expect(offered('commonplace', 'list', '--status', 'f')).toEqual(['failed']);
  expect(offered('commonplace', 'save', '--tag', '')).toEqual([]);
});

test('settings, which are flags of every command, are not listed among them', () => {
  expect(offered('commonplace', 'search', '--')).not.toContain('--log-level');
});

test('the scripts for zsh and fish hold every command and flag, and no text that ends a quotation', () => {
  const [zsh, fish] = [zshScript(nodes), fishScript(nodes)];
  for (const { path, commands, flags } of nodes) {
    for (const { name, about } of commands) {
      expect(zsh).toContain(`'${name}:${about}'`);
      expect(fish).toContain(`-n '__commonplace_at "${path.join(' ')}"' -a ${name} -d '${about}'`);
      expect(about).toMatch(/^[^'"\\:[\]`$]+$/);
    }
    for (const { name, about } of flags) {
      expect(zsh).toContain(`'*${name}[${about}]`);
      expect(fish).toContain(` -l ${name.slice(2)}`);
      expect(about).toMatch(/^[^'"\\:[\]`$]*$/);
    }
  }
});

test('the program prints the script for a shell that it knows', async () => {
  const printed = await runBuilt('completion', 'bash');
  expect(printed).toMatchObject({ code: 0, stderr: '' });
  expect(printed.stdout.trim()).toBe(bashScript(nodes).trim());
  expect((await runBuilt('completion', 'tcsh')).code).toBe(2);
});
