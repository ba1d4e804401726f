import type { Command } from 'commander';
import { invalidInput } from '../errors.ts';

interface CommandGroup {
  title: string;
  /** Usual commands, shown on the first page of the help. */
  usual: readonly string[];
  /** The rest, which only `commonplace help all` shows. */
  others: readonly string[];
}

/** Every command by purpose. */
export const commandGroups: readonly CommandGroup[] = [
  { title: 'Begin', usual: ['setup', 'open', 'import', 'doctor'], others: ['completion', 'help'] },
  {
    title: 'Save and find',
    usual: ['save', 'note', 'follow', 'watch', 'sources', 'search', 'list', 'show'],
    others: ['related', 'extract', 'forget-queries'],
  },
  {
    title: 'Change',
    usual: ['edit', 'delete', 'undo'],
    others: ['restore', 'edit-many', 'tags', 'tag', 'lists', 'history', 'versions', 'version'],
  },
  {
    title: 'Use',
    usual: ['actions', 'complete', 'goals'],
    others: ['action', 'goal', 'highlights', 'highlight'],
  },
  {
    title: 'Keep and run',
    usual: ['export', 'backup', 'serve', 'token', 'config'],
    others: ['recover', 'migrate', 'move', 'account', 'stdio', 'browser-host', 'model'],
  },
  { title: 'Process', usual: [], others: ['work', 'retry', 'reprocess', 'refresh'] },
];

const width = 17;
const exitCodes = 'Exit codes: 0 fine, 1 failed, 2 usage or setting, 3 no such id, 4 not processed, 130 interrupted.\n';

/** The first clause of a command's description. */
const brief = (command: Command): string => command.description().split(/[:;]|\. |, /, 1)[0] ?? '';
const row = (left: string, right: string, columns = width): string => `  ${left.padEnd(columns)} ${right}\n`;

/** The help text of the program itself, which fits on one screen: what people type. */
export function rootHelp(program: Command): string {
  const help = program.createHelp();
  const options = help.visibleOptions(program).map((option) => row(help.optionTerm(option), option.description));
  const groups = commandGroups
    .filter(({ usual }) => usual.length > 0)
    .map(({ title, usual }) => {
      const commands = usual.flatMap((name) => program.commands.find((command) => command.name() === name) ?? []);
      return `${title}\n${commands.map((command) => row(command.name(), brief(command))).join('')}`;
    });
  return `${program.description()}
Usage: commonplace <command>

${groups.join('')}
${options.join('')}
More: \`commonplace help all\` lists every command, \`commonplace <command> --help\` says what it takes,
\`commonplace config\` lists the settings. Each setting is a flag as well: --http-port 8080.
${exitCodes}`;
}

/** Whether the command itself can run: `backup <file>` exists beside `backup verify <file>`, and `lists` beside `lists add`. */
export function isRunnable(command: Command): boolean {
  return (
    command.commands.length === 0 ||
    command.registeredArguments.length > 0 ||
    ['lists', 'sources'].includes(command.name())
  );
}

/** Prints the help of the command with these words. @throws {AppError} `invalid_input` when there is none */
export function helpOn(program: Command, words: readonly string[]): void {
  let found: Command | undefined = program;
  for (const word of words) found = found?.commands.find((command) => command.name() === word);
  if (found === undefined)
    throw invalidInput(`There is no command \`${words.join(' ')}\`. \`commonplace help all\` lists every command.`);
  found.outputHelp();
}

export function wholeHelp(program: Command): string {
  const rows = (command: Command, words: string): string => {
    const name = `${words}${command.name()}`;
    const args = command.registeredArguments.map((argument) =>
      argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
    );
    const own = isRunnable(command) ? row([name, ...args].join(' '), brief(command), 36) : '';
    return own + command.commands.map((child) => rows(child, `${name} `)).join('');
  };
  const groups = commandGroups.map(({ title, usual, others }) => {
    const commands = [...usual, ...others].flatMap((name) => program.commands.find((one) => one.name() === name) ?? []);
    return `${title}\n${commands.map((command) => rows(command, '')).join('')}`;
  });
  return `${groups.join('\n')}\n${exitCodes}`;
}
