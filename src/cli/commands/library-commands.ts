import type { Command } from 'commander';
import { AppError } from '../../errors.ts';
import { listedByCode, sumOf } from '../../services/operating/failed-items.ts';
import { printSummary } from '../../operations/answers/print-item.ts';
import type { CommandContext, RunCommand } from '../context.ts';
import { passwordFlag, readPassword } from '../password.ts';
import { saveReadHere, targetOfItem } from '../read-here.ts';

/** `retry`: queues failed items again. It is a command only, and not an operation for assistants. */
export function addLibraryCommands(program: Command, run: RunCommand): void {
  program
    .command('retry')
    .description('Queue a failed item again')
    .argument('[id]')
    .option('--all-failed', 'every failed item')
    .option('--code <code...>', 'with --all-failed: those that failed with one of these codes')
    .option(...passwordFlag)
    .action((id: string | undefined, options: RetryOptions) => run((context) => retry(context, id, options)));
}

interface RetryOptions {
  allFailed?: boolean;
  code?: string[];
  password?: string;
}

async function retry(context: CommandContext, id: string | undefined, options: RetryOptions): Promise<void> {
  const { allFailed = false, code, password } = options;
  if ((id === undefined) !== allFailed || (allFailed && password !== undefined) || (!allFailed && code !== undefined))
    throw new AppError(
      'invalid_input',
      'Say which: `commonplace retry <id>`, or `commonplace retry --all-failed`, which `--code` narrows down.',
    );
  await (id === undefined ? retryAllFailed(context, code) : retryOne(context, id, password));
}

async function retryAllFailed(context: CommandContext, codes: readonly string[] | undefined): Promise<void> {
  const { library } = (await context.open()).services;
  const { queued, failed } = await library.retryFailed(context.caller.accountId, codes);
  const total = sumOf(queued);
  context.print({ queued: total, byCode: queued }, () => {
    if (total > 0)
      return `${total} queued: ${listedByCode(queued)}. They are processed while a server runs; commonplace work does it now.`;
    return sumOf(failed) === 0
      ? 'Nothing has failed.'
      : `None failed with that code. There are: ${listedByCode(failed)}.`;
  });
}

async function retryOne(context: CommandContext, id: string, given: string | undefined): Promise<void> {
  const app = await context.open();
  const { library } = app.services;
  const account = context.caller.accountId;
  const password = await readPassword(context, given);
  if (password !== undefined) {
    const { url, fileName } = await library.get(account, id);
    if (fileName !== undefined)
      throw new AppError(
        'invalid_input',
        'This file was uploaded, and a locked one is not kept: save it with commonplace save <file> --password.',
      );
    if (url === null) throw new AppError('invalid_input', 'This item is a note: no password locks it.');
    await saveReadHere(context, app, targetOfItem({ url }), password);
  }
  const item = password === undefined ? await library.retry(account, id) : await library.get(account, id);
  context.print(item, () => printSummary(item));
}
