import type { Command } from 'commander';

/** Every command, by what it is for. `commonplace <command> --help` says what each does. */
export const commandGroups: readonly (readonly [group: string, commands: readonly string[]])[] = [
  ['Begin', ['setup', 'open', 'import', 'doctor']],
  ['Save', ['save', 'note']],
  ['Find', ['search', 'list', 'show', 'related', 'suggest', 'forget-queries']],
  ['Change', ['edit', 'edit-many', 'delete', 'trash', 'restore', 'tags', 'tag', 'history', 'undo']],
  ['Use', ['actions', 'action', 'complete', 'goals', 'goal', 'highlights', 'highlight']],
  ['Process', ['work', 'retry', 'reprocess', 'extract']],
  ['Connect', ['stdio', 'serve', 'connect', 'account', 'token', 'key']],
  ['Keep', ['export', 'backup', 'recover', 'move', 'migrate']],
  ['Adjust', ['config', 'model', 'completion', 'help']],
];

/** The help text of the program itself, which fits on one screen: 24 lines of 100 columns. */
export function rootHelp(program: Command): string {
  const help = program.createHelp();
  const options = help.visibleOptions(program).map((option) => [help.optionTerm(option), option.description]);
  const row = ([left = '', right = '']: readonly string[]): string => `  ${left.padEnd(16)} ${right}\n`;
  return [
    `Usage: ${help.commandUsage(program)}\n\n${program.description()}\n\n`,
    ...commandGroups.map(([group, commands]) => row([group, commands.join(', ')])),
    '\n',
    ...options.map(row),
    '\nWhat a command does and takes: `commonplace <command> --help`.\n',
    'Settings: `commonplace config` lists them. Each is a flag as well: --http-port 8080.\n',
    'Exit codes: 0 fine, 1 failed, 2 wrong usage or setting, 3 no such id, 4 saved but not processed,\n',
    '130 interrupted.\n',
  ].join('');
}
