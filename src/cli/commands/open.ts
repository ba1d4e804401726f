import type { Command } from 'commander';
import { readEnvironment } from '../../config.ts';
import { AppError } from '../../errors.ts';
import { line, link } from '../../operations/printed.ts';
import type { CommandContext, RunCommand } from '../context.ts';
import { openAddress, openerFor } from '../open-in-browser.ts';

/** `open`: shows the source of an item in the browser. */
export function addOpenCommand(program: Command, run: RunCommand): void {
  program
    .command('open')
    .description('Open the source of a saved item in the browser; without a display its address is printed')
    .argument('<id>')
    .action((id: string) => run((context) => open(context, id)));
}

async function open(context: CommandContext, id: string): Promise<void> {
  const app = await context.open({ settings: { searchThreads: false } });
  const item = await app.services.library.get(context.caller.accountId, id);
  const url = URL.parse(item.url ?? '');
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new AppError(
      'invalid_input',
      `This item has no web address: it was saved from a file or written as a note. Read it here: commonplace show ${id}`,
    );
  }
  const opener = openerFor(process.platform, readEnvironment());
  const opened = opener !== null && (await openAddress(opener, url, context.signal));
  context.print({ id, url: url.href, opened }, () => [line(link(url.href))]);
  if (!opened) context.tell('No browser could be opened here: open the address yourself.');
}
