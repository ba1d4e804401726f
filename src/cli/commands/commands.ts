import type { Command } from 'commander';
import type { RunCommand } from '../context.ts';
import { firstWord } from '../arguments/first-word.ts';

/** @param words whose commands are wanted; all when undefined */
type AddCommands = (program: Command, run: RunCommand, words?: readonly string[]) => void;

interface CommandFile {
  /** The first words of its commands. A function where they are in the operations, which take longer to load. */
  names: readonly string[] | (() => Promise<readonly string[]>);
  load: () => Promise<AddCommands>;
}

/** The commands, in the order of the help text. A file is loaded only when one of its names is on the command line. */
export const commandFiles: readonly CommandFile[] = [
  { names: ['save'], load: async () => (await import('./save.ts')).addSaveCommand },
  {
    names: async () => (await import('./operation-commands.ts')).operationCommandNames(),
    load: async () => (await import('./operation-commands.ts')).addOperationCommands,
  },
  { names: ['import'], load: async () => (await import('./import-command.ts')).addImportCommand },
  { names: ['export'], load: async () => (await import('./export-command.ts')).addExportCommand },
  { names: ['watch'], load: async () => (await import('./watch.ts')).addWatchCommand },
  { names: ['open'], load: async () => (await import('./open.ts')).addOpenCommand },
  { names: ['retry'], load: async () => (await import('./queue-commands.ts')).addLibraryCommands },
  { names: ['work', 'reprocess', 'refresh'], load: async () => (await import('./queue-commands.ts')).addQueueCommands },
  { names: ['extract'], load: async () => (await import('./save.ts')).addExtractCommand },
  { names: ['stdio'], load: async () => (await import('./stdio.ts')).addStdioCommand },
  { names: ['browser-host'], load: async () => (await import('./browser-host.ts')).addBrowserHostCommand },
  { names: ['serve'], load: async () => (await import('./serve.ts')).addServeCommand },
  { names: ['setup'], load: async () => (await import('./setup.ts')).addSetupCommand },
  {
    names: ['completion'],
    load: async () => {
      const { addCompletionCommand } = await import('./completion.ts');
      return (program, run) =>
        addCompletionCommand(program, run, (whole) => addCommands(whole, () => Promise.resolve()));
    },
  },
  { names: ['account', 'token'], load: async () => (await import('./token-commands.ts')).addAccessCommands },
  { names: ['backup', 'restore'], load: async () => (await import('./backup-commands.ts')).addBackupCommands },
  { names: ['migrate', 'move'], load: async () => (await import('./database-commands.ts')).addDatabaseCommands },
  { names: ['recover'], load: async () => (await import('./backup-commands.ts')).addRecoverCommand },
  { names: ['model'], load: async () => (await import('./model-commands.ts')).addModelCommands },
  { names: ['doctor'], load: async () => (await import('./doctor.ts')).addDoctorCommand },
  { names: ['config'], load: async () => (await import('./config-commands.ts')).addConfigCommands },
];

/** Printed after a usage error. */
export function helpHint(command: string): string {
  return `Run \`${command} --help\` for its usage.`;
}

/**
 * Adds the commands that a command line may mean. There can be more than one, because a word may also be the value of a
 * flag. Adds all commands when the first word is not a command, so that the error can suggest one, and when help is
 * requested.
 */
export async function addCommands(program: Command, run: RunCommand, argv: readonly string[] = []): Promise<void> {
  const word = firstWord(argv) ?? '';
  // Answered by the program itself: loading all commands takes longer.
  if (word === '--version') return;
  const isListed = commandFiles.some(({ names }) => typeof names === 'object' && names.includes(word));
  const known = await Promise.all(
    commandFiles.map(({ names }) => (typeof names === 'object' ? names : isListed ? [] : names())),
  );
  const named = commandFiles.filter((_, index) => known[index]?.some((name) => argv.includes(name)));
  const wantsAll = !known.some((names) => names.includes(word)) || argv.includes('help');
  const added = await Promise.all((wantsAll ? commandFiles : named).map(({ load }) => load()));
  for (const add of added) add(program, run, wantsAll ? undefined : argv);
  // Make subcommands throw their errors, too, instead of ending the process.
  const inherit = (command: Command, words: string) => {
    for (const child of command.commands) {
      const name = `${words} ${child.name()}`;
      child.copyInheritedSettings(command).showHelpAfterError(helpHint(name));
      inherit(child, name);
    }
  };
  inherit(program, program.name());
}
