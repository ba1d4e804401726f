import { Argument, type Command } from 'commander';
import { z } from 'zod';
import { inputSchema } from '../../operations/call.ts';
import { restoreContent } from '../../operations/content/change-content.ts';
import { saveContent } from '../../operations/content/save-content.ts';
import { search } from '../../operations/search.ts';
import { operations } from '../../operations/index.ts';
import { updateSource } from '../../operations/sources.ts';
import { descriptionOf } from '../../operations/fields.ts';
import type { Operation } from '../../operations/operation.ts';
import { callLocally, tellUndo } from '../call-locally.ts';
import { exitCodes, type CommandContext, type RunCommand } from '../context.ts';
import {
  addInputFlags,
  kebab,
  namesOnCommandLine,
  parseNumber,
  type Typed,
  withTypedNames,
} from '../arguments/flags.ts';
import { pipedText } from '../piped-input.ts';

/** Descriptions of the command groups. */
const groups: Readonly<Record<string, string>> = {
  action: 'Add and change action items',
  goal: 'Add and change goals',
  highlight: 'Mark words of saved items, and change and delete what is marked',
  lists: 'List, make and change lists of items',
  sources: 'Show and change what is followed: feeds, folders, mailboxes, pages',
  tag: 'Rename and merge tags',
};

/** Finds the command with these words (`goal add`), and creates it and its groups if they are missing. */
function commandAt(program: Command, words: readonly string[]): Command {
  let at = program;
  for (const word of words)
    at =
      at.commands.find((one) => one.name() === word) ??
      // `sources --limit` is not the flag of `sources entries --limit`.
      at
        .command(word)
        .description(groups[word] ?? '')
        .enablePositionalOptions();
  return at;
}

const isArgument = (part: string) => part.startsWith('<') || part.startsWith('[');

/** The words of an operation's command, and its arguments. */
export function parseCommand(command: string): {
  words: string[];
  args: { name: string; isVariadic: boolean; isOptional: boolean }[];
} {
  const parts = command.split(' ');
  return {
    words: parts.filter((part) => !isArgument(part)),
    args: parts.filter(isArgument).map((part) => ({
      name: part.slice(1, -1).replace('...', ''),
      isVariadic: part.includes('...'),
      isOptional: part.startsWith('['),
    })),
  };
}

/** `save` takes files and several addresses (`save.ts`), and `restore` takes backups, too (`backup-commands.ts`). */
const writtenByHand: readonly string[] = [saveContent.name, restoreContent.name];
/** Commands for a change that is often made: what `sources edit <id> --state` does. */
const shortcuts = [
  { word: 'pause', title: 'Pause a source: it is not checked', input: { state: 'paused' } },
  { word: 'resume', title: 'Resume a source, and check it now', input: { state: 'active' } },
] as const;
const withCommand = operations.filter(({ name }) => !writtenByHand.includes(name));

/** The first words of the commands of operations. */
export function operationCommandNames(): string[] {
  const names = withCommand.flatMap(({ cli }) =>
    cli === undefined ? [] : parseCommand(cli.command).words.slice(0, 1),
  );
  return [...new Set(names)];
}

/** Runs an operation for the local user and prints the answer. @returns the exit code */
export async function showOperation(
  context: CommandContext,
  operation: Operation,
  input: unknown,
  typed: Typed,
): Promise<number> {
  const app = await context.open({ loadsModel: operation.name === search.name });
  const output = await callLocally(context, app, operation, input).catch((error: unknown) => {
    throw withTypedNames(error, typed);
  });
  context.print(output, () =>
    operation.cli === undefined ? JSON.stringify(output) : operation.cli.print(output as never),
  );
  tellUndo(context, output);
  return operation.cli?.isFailure?.(output as never) === true ? exitCodes.failed : exitCodes.ok;
}

/** @param wanted when given, only commands that begin with one of these words are added */
export function addOperationCommands(program: Command, run: RunCommand, wanted?: readonly string[]): void {
  if (wanted?.includes('sources') !== false)
    for (const { word, title, input } of shortcuts) {
      const words = ['sources', word];
      commandAt(program, words)
        .description(title)
        .argument('<id>', 'The id of the source, as `commonplace sources` shows it')
        .action((id: string) =>
          run((context) => showOperation(context, updateSource, { id, ...input }, { words, names: new Map() })),
        );
    }
  for (const operation of withCommand) {
    if (operation.cli === undefined) continue;
    const { command: declared, piped } = operation.cli;
    const { words, args } = parseCommand(declared);
    if (wanted?.includes(words[0] ?? '') === false) continue;
    const argumentNames = args.map(({ name }) => name);
    const schema = inputSchema(operation, 'cli');
    const command = commandAt(program, words).description(operation.title);
    for (const { name, isVariadic, isOptional } of args) {
      const shown = `${kebab(name)}${isVariadic ? '...' : ''}`;
      const field = schema.shape[name] as z.ZodType | undefined;
      const argument = new Argument(isOptional ? `[${shown}]` : `<${shown}>`, field && descriptionOf(field));
      command.addArgument(field instanceof z.ZodNumber ? argument.argParser(parseNumber) : argument);
    }
    // `<id...>` fills the input `ids`, too.
    const taken = [...argumentNames, ...argumentNames.map((name) => `${name}s`)];
    const readInput = addInputFlags(command, schema, taken);
    command.action((...parsed: unknown[]) =>
      run(async (context) => {
        const input = readInput(parsed[argumentNames.length] as Record<string, unknown>);
        for (const [index, argument] of argumentNames.entries()) {
          const value = parsed[index];
          const asMany = `${argument}s`;
          if (Array.isArray(value) && asMany in schema.shape) {
            if (value.length > 1) input[asMany] = value;
            else [input[argument]] = value as unknown[];
          } else if (value !== undefined) input[argument] = Array.isArray(value) ? value.join(' ') : value;
        }
        if (piped !== undefined && [undefined, '', '-'].includes(input[piped] as string | undefined))
          input[piped] = await pipedText(context, words, piped);
        return showOperation(context, operation, input, { words, names: namesOnCommandLine(schema, argumentNames) });
      }),
    );
  }
}
