import type { Command } from 'commander';
import { callOperation, inputSchema } from '../../operations/call.ts';
import { operations, terminalOperations } from '../../operations/index.ts';
import type { Operation } from '../../operations/operation.ts';
import type { CommandContext, RunCommand } from '../context.ts';
import { addInputFlags } from '../flags.ts';
import { renderers } from '../output.ts';

/** Finds the command with these words (`goal add`), and creates it and its groups if they are missing. */
export function commandAt(program: Command, words: readonly string[]): Command {
  let at = program;
  for (const word of words) at = at.commands.find((one) => one.name() === word) ?? at.command(word);
  return at;
}

/** Runs an operation for the local user and prints the answer. */
export async function showOperation(context: CommandContext, operation: Operation, input: unknown): Promise<void> {
  // A single search is faster than starting a search thread.
  const app = await context.open({ settings: { searchThreads: false } });
  const output = await callOperation(operation, 'cli', input, context.caller, {
    ...app.services,
    signal: context.signal,
  });
  context.print(output, () => (renderers[operation.name] ?? JSON.stringify)(output as never));
}

/**
 * Adds one command per operation; its arguments and flags are the operation's input. `save` is in a file of its own,
 * because it takes files and several addresses.
 */
export function addOperationCommands(program: Command, run: RunCommand): void {
  for (const operation of [...operations, ...terminalOperations]) {
    if (operation.name === 'save_content' || operation.cli === undefined) continue;
    const parts = operation.cli.command.split(' ');
    const argumentNames = parts.filter((part) => part.startsWith('<')).map((part) => part.slice(1, -1));
    const words = parts.filter((part) => !part.startsWith('<'));
    const command = commandAt(program, words).description(operation.title);
    // A question of several words needs no quotes.
    for (const argument of argumentNames)
      command.argument(['query', 'prefix'].includes(argument) ? `<${argument}...>` : `<${argument}>`);
    const readInput = addInputFlags(command, inputSchema(operation, 'cli'), argumentNames);
    command.action((...parsed: unknown[]) =>
      run(async (context) => {
        const input = readInput(parsed[argumentNames.length] as Record<string, unknown>);
        for (const [index, argument] of argumentNames.entries()) {
          const value = parsed[index];
          input[argument] = Array.isArray(value) ? value.join(' ') : value;
        }
        await showOperation(context, operation, input);
      }),
    );
  }
}
