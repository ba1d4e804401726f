import { existsSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { keepHeapSmall } from '../../app/heap-growth.ts';
import { startOfDate } from '../../domain/search/dates.ts';
import { AppError } from '../../errors.ts';
import type { CommandContext, RunCommand } from '../context.ts';
import { counted } from '../../operations/answers/printed.ts';
import { createProgressBar } from '../progress.ts';

interface ExportOptions {
  format?: (typeof formats)[number];
  since?: string;
  account?: string;
}

const formats = ['netscape', 'csv', 'jsonl', 'opml'] as const;
const formatsByEnding: Readonly<Record<string, (typeof formats)[number]>> = {
  '.html': 'netscape',
  '.htm': 'netscape',
  '.csv': 'csv',
  '.jsonl': 'jsonl',
  '.opml': 'opml',
};

/** `export`: takes the library along. */
export function addExportCommand(program: Command, run: RunCommand): void {
  program
    .command('export')
    .description('Write everything as files that people and other programs read, and that import takes back')
    .argument('<folder|file>', 'the new folder, or an earlier export; with --format a new file')
    .addOption(new Option('--format <format>', 'one file for other programs').choices([...formats]))
    .option('--since <date>', 'only what was changed on this date or later: 2026, 2026-11 or 2026-11-22, in UTC')
    .option('--account <id>', 'of this account')
    .action((place: string, options: ExportOptions) => run((context) => write(context, place, options)));
}

async function write(context: CommandContext, place: string, options: ExportOptions): Promise<void> {
  const since = options.since === undefined ? undefined : startOfDate(options.since);
  if (since === null)
    throw new AppError('invalid_input', '--since needs a year, a month or a day: 2026, 2026-11 or 2026-11-22.');
  const fileFormat = formatsByEnding[extname(place).toLowerCase()];
  if (options.format === undefined && fileFormat !== undefined && !existsSync(resolve(place)))
    throw new AppError(
      'invalid_input',
      `This is named like a file, and without --format a folder is written. For the file say --format ${fileFormat}.`,
    );
  keepHeapSmall();
  const app = await context.open();
  const account = options.account ?? context.caller.accountId;
  const target = resolve(place);
  const bar = createProgressBar(context.streams.stderr, context.json);
  const request = {
    place: target,
    since,
    signal: context.signal,
    onProgress: (done: number, total: number) => bar.update(done, total, 'items'),
  };
  try {
    if (options.format !== undefined) {
      const { items } = await app.exporting.exportFile(account, options.format, request);
      context.print({ file: target, items }, () => `${target}: ${counted(items, 'item')}.`);
      return;
    }
    const counts = await app.exporting.exportFolder(account, request);
    context.print({ folder: target, ...counts }, () => {
      const { items, goals, actions, highlights, changes } = counts;
      return `${target}: ${counted(items, 'item')}, ${counted(actions, 'action item')}, ${counted(goals, 'goal')}, ${counted(highlights, 'highlight')}, ${counted(changes, 'change')} of the history. Open index.html, or the folder in Obsidian; commonplace import takes it back.`;
    });
  } finally {
    bar.stop();
  }
}
