import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { type SingleFormat, singleFormats } from '../../domain/records/transfers/library-job.ts';
import { startOfDate } from '../../domain/search/dates.ts';
import { invalidInput } from '../../errors.ts';
import { counted } from '../../operations/answers/printed.ts';
import type { VaultCounts } from '../../services/library/vault/vault.ts';
import { createProgressBar, keepHeapSmall } from '../call-locally.ts';
import type { CommandContext, RunCommand } from '../context.ts';

interface ExportOptions {
  format?: SingleFormat;
  since?: string;
  account?: string;
  watch?: boolean;
  once?: boolean;
  template?: string;
  trashMany?: boolean;
}

const formatsByEnding: Readonly<Record<string, SingleFormat>> = {
  '.html': 'netscape',
  '.htm': 'netscape',
  '.csv': 'csv',
  '.jsonl': 'jsonl',
  '.opml': 'opml',
  '.ics': 'ics',
};

export function addExportCommand(program: Command, run: RunCommand): void {
  program
    .command('export')
    .description('Write everything as files that people and other programs read, and that import takes back')
    .argument('<folder|file>', 'the new folder, or an earlier export; with --format a new file')
    .addOption(new Option('--format <format>', 'one file for other programs').choices([...singleFormats]))
    .option('--since <date>', 'only what was changed on this date or later: 2026, 2026-11 or 2026-11-22, in UTC')
    .option('--account <id>', 'of this account')
    .option(
      '--watch',
      'keep a Markdown file for each item in this vault, and take over what is edited there, until Ctrl-C',
    )
    .option('--once', 'with --watch: bring both up to date once, and end')
    .option('--template <file>', 'with --watch: names, folders and front matter of the files')
    .option('--trash-many', 'with --watch: move files of deleted items to .trash, however many they are')
    .action((place: string, options: ExportOptions) =>
      run((context) => (options.watch === true ? keepVault : write)(context, place, options)),
    );
}

async function keepVault(context: CommandContext, place: string, options: ExportOptions): Promise<void> {
  if (options.format !== undefined || options.since !== undefined)
    throw invalidInput('--watch writes all items as Markdown: leave out --format and --since.');
  const target = resolve(place);
  const own = join(target, '.commonplace', 'template.md');
  const from = options.template ?? (existsSync(own) ? own : undefined);
  const template = from === undefined ? undefined : await readTemplate(from);
  keepHeapSmall();
  const app = await context.open();
  await mkdir(context.config.data, { recursive: true, mode: 0o700 });
  const bar = createProgressBar(context.streams.stderr, context.json);
  const vault = await app.vaults.open(options.account ?? context.caller.accountId, {
    place: target,
    known: join(context.config.data, 'vaults.json'),
    template,
    mayTrashMany: options.trashMany === true,
    isOnce: options.once === true,
    services: app.services,
    signal: context.signal,
    tell: context.tell,
    onProgress: (done, total) => bar.update(done, total, 'items'),
  });
  try {
    const counts = await vault.pass();
    bar.stop();
    context.print({ vault: target, ...counts }, () => `${target}: ${counted(counts.items, 'item')}${shown(counts)}.`);
    if (options.once === true) return;
    context.tell('Watching both. Ctrl-C ends it.');
    await vault.follow((more) => {
      bar.stop();
      if (shown(more) !== '') context.tell(`${target}${shown(more)}.`);
    });
  } finally {
    bar.stop();
    await vault.close();
  }
}

function shown({ written, takenBack, conflicts, trashed }: VaultCounts): string {
  const parts = [
    [written, `${counted(written, 'file')} written`],
    [takenBack, `edits of ${counted(takenBack, 'file')} taken over`],
    [conflicts, `${counted(conflicts, 'conflict')} kept as ${conflicts === 1 ? 'a copy' : 'copies'}`],
    [trashed, `${counted(trashed, 'file')} moved to .trash`],
  ] as const;
  return parts.flatMap(([count, words]) => (count === 0 ? [] : [`, ${words}`])).join('');
}

async function readTemplate(path: string): Promise<string> {
  return readFile(resolve(path), 'utf8').catch((cause: unknown) => {
    throw invalidInput('The template cannot be read. Name a text file with --template.', { cause });
  });
}

async function write(context: CommandContext, place: string, options: ExportOptions): Promise<void> {
  if (options.once === true || options.template !== undefined || options.trashMany === true)
    throw invalidInput('--once, --template and --trash-many go with --watch, which is missing.');
  const since = options.since === undefined ? undefined : startOfDate(options.since);
  if (since === null) throw invalidInput('--since needs a year, a month or a day: 2026, 2026-11 or 2026-11-22.');
  const fileFormat = formatsByEnding[extname(place).toLowerCase()];
  if (options.format === undefined && fileFormat !== undefined && !existsSync(resolve(place)))
    throw invalidInput(
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
      const counts = await app.exporting.exportFile(account, options.format, request);
      const { items, actions } = counts;
      const what =
        actions === undefined
          ? counted(items, 'item')
          : `${counted(actions, 'action item')} (of ${counted(items, 'item')})`;
      context.print({ file: target, ...counts }, () => `${target}: ${what}.`);
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
