import type { Command } from 'commander';
import type { CommandContext, RunCommand } from './context.ts';
import { renderSummary } from './output.ts';
import { passwordFlag, readPassword } from './password.ts';
import { saveReadHere, targetOfItem } from './read-here.ts';

/** `retry`: what a person does with the library that is no operation of an assistant's. */
export function addLibraryCommands(program: Command, run: RunCommand): void {
  program
    .command('retry')
    .description('Queue a failed item again')
    .argument('<id>')
    .option(...passwordFlag)
    .action((id: string, options: { password?: string }) => run((context) => retry(context, id, options.password)));
}

async function retry(context: CommandContext, id: string, given: string | undefined): Promise<void> {
  const app = await context.open();
  const { library } = app.services;
  const account = context.caller.accountId;
  const password = await readPassword(context, given);
  if (password !== undefined) await saveReadHere(context, app, targetOfItem(await library.get(account, id)), password);
  const item = password === undefined ? await library.retry(account, id) : await library.get(account, id);
  context.print(item, () => renderSummary(item));
}
