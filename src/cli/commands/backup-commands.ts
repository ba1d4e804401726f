import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { backupName, type KeepRule, parseKeepRules } from '../../domain/backups/retention.ts';
import { contentId } from '../../domain/records/content.ts';
import { invalidInput } from '../../errors.ts';
import { counted, shownTime } from '../../operations/answers/printed.ts';
import { type CommandContext, exitCodes, requireDataFolder, type RunCommand } from '../context.ts';
import { createProgressBar } from '../call-locally.ts';

export function addBackupCommands(program: Command, run: RunCommand): void {
  const backup = program
    .command('backup')
    .description('Write everything into one compressed file, while the program may go on, and check what was written')
    .argument('[file]', 'the new file')
    .option('--to <folder>', 'write a file named by the time into this folder instead')
    .option('--keep <rules>', 'with --to: the backups to keep, such as 7d,4w,12m; the others are removed', parseKeep)
    .option('--account <id>', 'one account alone')
    .action((file: string | undefined, options: BackupOptions) => run((context) => write(context, file, options)));
  backup
    .command('verify')
    .description('Read a backup to its end, and say whether all of it can be restored')
    .argument('<file>')
    .action((file: string) => run((context) => verify(context, file)));
  program
    .command('restore')
    .description('Restore a deleted item, or put a backup into the data folder')
    .argument('<id|file>')
    .option('--account <id>', 'of a backup: one account alone')
    .option('--replace', 'of a backup: replace existing data, which is put aside first')
    .action((given: string, options: RestoreOptions) =>
      run((context) =>
        contentId.safeParse(given).success ? restoreItem(context, given, options) : restore(context, given, options),
      ),
    );
}

interface BackupOptions {
  to?: string;
  keep?: KeepRule[];
  account?: string;
}

interface RestoreOptions {
  account?: string;
  replace?: boolean;
}

function parseKeep(text: string): KeepRule[] {
  const rules = parseKeepRules(text);
  if (rules === null)
    throw new InvalidArgumentError('It must be a list such as 7d,4w,12m (h, d, w, m and y; the newest of each).');
  return rules;
}

const backUpDatabase =
  'Back up the database with pgBackRest, pg_dump or what its provider offers; `commonplace move --from database --data <folder>` copies everything into a data folder.';
const restoreDatabase =
  'Restore the database with what wrote its backup. A backup of a data folder goes into a data folder (--data, without databaseUrl), and from there by `commonplace move --to database`.';

async function write(context: CommandContext, file: string | undefined, options: BackupOptions): Promise<number> {
  requireDataFolder(context.config, backUpDatabase);
  const { to, keep, account } = options;
  if ((file === undefined) === (to === undefined))
    throw invalidInput('Say where: `commonplace backup <file>`, or `commonplace backup --to <folder>`.');
  if (keep !== undefined && to === undefined)
    throw invalidInput('--keep goes with --to: it removes other backups of that folder.');
  if (file !== undefined && statSync(resolve(file), { throwIfNoEntry: false })?.isDirectory() === true)
    throw invalidInput('This is a folder: `commonplace backup --to <folder>` writes a file into it.');
  const backups = await context.backups();
  const now = backups.now();
  if (to !== undefined) mkdirSync(resolve(to), { recursive: true, mode: 0o700 });
  const target = to === undefined ? resolve(file ?? '') : join(resolve(to), backupName(now, account));
  const request = { folder: context.config.data, target, account, program: context.version, now };
  const written = await withBar(context, 'databases copied', (onDone) =>
    backups.write(request, context.signal, onDone),
  );
  // A backup that lacks something must not push out a whole one.
  const isWhole = written.left.length === 0;
  const removed = to === undefined || !isWhole ? [] : backups.removeExpired(resolve(to), account, keep ?? [], now);
  context.print({ ...written, removed }, () =>
    [
      `${written.file}: ${counted(written.accounts.length, 'account')}, ${shownBytes(written.bytes)}, read back and whole.`,
      ...written.left.map(({ part, reason }) => `Not in it: ${part}: ${reason}.`),
      ...(removed.length > 0 ? [`Removed ${counted(removed.length, 'older backup')}.`] : []),
    ].join('\n'),
  );
  return isWhole ? exitCodes.ok : exitCodes.failed;
}

async function verify(context: CommandContext, file: string): Promise<number> {
  const backups = await context.backups();
  const verified = await withBar(context, 'parts checked', (onDone) =>
    backups.verify(resolve(file), context.signal, onDone),
  );
  context.print(verified, () =>
    [
      `Written ${shownTime(verified.createdAt)} by version ${verified.program}.`,
      ...verified.parts.map(({ part, problems }) =>
        problems.length === 0 ? `✓ ${part}` : `✗ ${part}: ${problems.join('; ')}`,
      ),
      verified.isWhole
        ? 'All of it can be restored.'
        : 'Not all of it can be restored. `commonplace restore <file> --account <id>` restores an account that is whole.',
    ].join('\n'),
  );
  return verified.isWhole ? exitCodes.ok : exitCodes.failed;
}

async function restoreItem(context: CommandContext, id: string, options: RestoreOptions): Promise<void> {
  if (Object.keys(options).length > 0)
    throw invalidInput('--account and --replace go with a backup, not with an item.');
  const [{ showOperation }, { restoreContent }] = await Promise.all([
    import('./operation-commands.ts'),
    import('../../operations/content/change-content.ts'),
  ]);
  await showOperation(context, restoreContent, { id }, { words: ['restore'], names: new Map([['id', '<id>']]) });
}

async function restore(context: CommandContext, file: string, options: RestoreOptions): Promise<void> {
  if (!existsSync(file))
    throw invalidInput(
      `${JSON.stringify(file)} is neither a backup nor the id of a deleted item (c_ and 16 characters).`,
    );
  requireDataFolder(context.config, restoreDatabase);
  const backups = await context.backups();
  const request = {
    file: resolve(file),
    folder: context.config.data,
    account: options.account,
    replace: options.replace === true,
    now: backups.now(),
  };
  const restored = await withBar(context, 'parts unpacked', (onDone) =>
    backups.restore(request, context.signal, onDone),
  );
  const { adopt, ...answer } = restored;
  if (adopt !== null) {
    const app = await context.open({ adopting: adopt.path });
    await app.access.adoptLibrary(adopt.path, { name: adopt.name, plan: adopt.plan });
  }
  context.print({ ...answer, data: context.config.data }, () =>
    [
      `Restored ${restored.parts.join(', ')} into ${context.config.data}.`,
      ...(restored.before === null ? [] : [`The previous files are in ${restored.before}.`]),
    ].join('\n'),
  );
}

async function withBar<T>(
  { streams, json }: CommandContext,
  message: string,
  work: (onDone: (done: number, total: number) => void) => Promise<T>,
): Promise<T> {
  const bar = createProgressBar(streams.stderr, json);
  try {
    return await work((done, total) => bar.update(done, total, message));
  } finally {
    bar.stop();
  }
}

function shownBytes(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export function addRecoverCommand(program: Command, run: RunCommand): void {
  program
    .command('recover')
    .description('Copy the readable part of a damaged library into a new file, and report what is lost')
    .argument('<file>', 'the damaged file: accounts/<id>.db or control.db of the data folder, or a copy of it')
    .argument('<new-file>', 'the new file')
    .option('--backup <file>', 'take rows that are lost or have changed from this backup')
    .action((file: string, target: string, options: { backup?: string }) =>
      run((context) => recover(context, file, target, options.backup)),
    );
}

async function recover(
  context: CommandContext,
  file: string,
  target: string,
  backup: string | undefined,
): Promise<number> {
  const backups = await context.backups();
  const bar = createProgressBar(context.streams.stderr, context.json);
  const request = {
    file: resolve(file),
    target: resolve(target),
    backup: backup === undefined ? undefined : resolve(backup),
    now: backups.now(),
  };
  const recovered = await backups
    .recover(request, context.signal, (done, total) => bar.update(done, total, 'tables copied'))
    .finally(() => bar.stop());
  const { tables, lostItems, rebuiltItems, itemsReadAgain } = recovered;
  const damaged = tables.filter(({ lost, changed }) => lost !== 0 || changed > 0);
  const isLibrary = tables.some(({ table }) => table === 'items');
  context.print(recovered, () =>
    [
      ...tables
        .filter(({ copied, lost }) => copied > 0 || lost !== 0)
        .map(({ table, copied, lost, changed, fromBackup }) => {
          const missing = lost === null ? ', others may be lost' : lost > 0 ? `, ${lost} lost` : '';
          const other = changed > 0 ? `, ${changed} of them not as they were written` : '';
          return `${table}: ${copied} rows${other}${fromBackup > 0 ? `, ${fromBackup} of them from the backup` : ''}${missing}`;
        }),
      ...(lostItems.length > 0 ? ['Lost items:', ...lostItems.map((url) => `  ${url}`)] : []),
      ...(rebuiltItems > 0 ? [`${rebuiltItems} items were rebuilt from their pages, without title and notes.`] : []),
      ...(itemsReadAgain > 0 ? [`${itemsReadAgain} items lost parts of their text and are read again.`] : []),
      damaged.length === 0 ? 'Everything is there.' : 'The rest could be read.',
      isLibrary
        ? `The new library is ${recovered.file}. Stop everything, move the damaged file away, and: commonplace account adopt ${target}`
        : `The new file is ${recovered.file}. Stop everything, move control.db with its -wal and -shm away, and move the new file to its place.`,
    ].join('\n'),
  );
  return damaged.length === 0 ? exitCodes.ok : exitCodes.notProcessed;
}
