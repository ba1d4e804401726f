/* `npm run size` counts the code as git tracks it and prints a table; docs/architecture.md keeps a copy. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { addCommands } from '../src/cli/commands/commands.ts';
import { buildProgram } from '../src/cli/program.ts';
import { isRunnable } from '../src/cli/root-help.ts';
import { settings } from '../src/settings/settings.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const codeEnding = /\.(?:css|js|mjs|sql|ts|tsx)$/;

function tracked(folder: string): string[] {
  return execFileSync('git', ['ls-files', folder], { cwd: root, encoding: 'utf8' }).trimEnd().split('\n');
}

function countLines(paths: readonly string[]): number {
  return paths.reduce((lines, path) => lines + readFileSync(`${root}${path}`, 'utf8').split('\n').length - 1, 0);
}

function isGenerated(path: string): boolean {
  const [first = ''] = readFileSync(`${root}${path}`, 'utf8').split('\n', 1);
  return first.includes('Generated ');
}

/** The folder with the most entries, subfolders included. */
function greatestFolder(paths: readonly string[]): string {
  const entries = new Map<string, Set<string>>();
  for (const path of paths) {
    const parts = path.split('/');
    for (let depth = 1; depth < parts.length; depth += 1) {
      const folder = parts.slice(0, depth).join('/');
      entries.set(folder, (entries.get(folder) ?? new Set()).add(parts[depth] ?? ''));
    }
  }
  const [folder, inside] = [...entries].reduce((most, next) => (next[1].size > most[1].size ? next : most));
  return `\`${folder}\` (${inside.size})`;
}

function countCommands(command: Command): number {
  const below = command.commands.reduce((sum, inner) => sum + countCommands(inner), 0);
  return below + (isRunnable(command) ? 1 : 0);
}

const rows = ['src', 'web', 'clients/browser', 'tests'].map((folder) => {
  const paths = tracked(folder);
  const code = paths.filter((path) => codeEnding.test(path));
  return [`\`${folder}\``, countLines(code), code.length, greatestFolder(paths)];
});
/** Lines of the clients of the API that people write: neither generated nor tests. */
const clients = tracked('clients').filter(
  (path) => /\.(?:py|ts)$/.test(path) && !/\/tests\/|^clients\/browser\//.test(path) && !isGenerated(path),
);
const program = buildProgram('');
await addCommands(program, () => Promise.resolve());
const commands = program.commands.reduce((sum, command) => sum + countCommands(command), 0);
const decisions = tracked('docs/decisions').length - 1;

process.stdout.write(`| Folder | Lines | Files | Greatest folder (entries) |
| --- | --- | --- | --- |
${rows.map((row) => `| ${row.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en') : cell)).join(' | ')} |`).join('\n')}

${countLines(clients)} lines of clients by hand, ${Object.keys(settings.shape).length} settings, ${commands} commands, ${decisions} decisions
`);
