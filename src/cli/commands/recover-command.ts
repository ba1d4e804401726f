import { resolve } from 'node:path';
import type { Command } from 'commander';
import { exitCodes, type CommandContext, type RunCommand } from '../context.ts';
import { createProgressBar } from '../progress.ts';

/** `recover`: what can be read of a damaged library, in a new file. */
export function addRecoverCommand(program: Command, run: RunCommand): void {
  program
    .command('recover')
    .description('Copy what can be read of a damaged library into a new file, and say what is lost')
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
      ...(rebuiltItems > 0 ? [`${rebuiltItems} items were made anew from their pages, without title and notes.`] : []),
      ...(itemsReadAgain > 0 ? [`${itemsReadAgain} items lost parts of their text and are read again.`] : []),
      damaged.length === 0 ? 'Everything is there.' : 'The rest could be read.',
      isLibrary
        ? `The new library is ${recovered.file}. Stop everything, move the damaged file away, and: commonplace account adopt ${target}`
        : `The new file is ${recovered.file}. Stop everything, move control.db with its -wal and -shm away, and move the new file to its place.`,
    ].join('\n'),
  );
  return damaged.length === 0 ? exitCodes.ok : exitCodes.notProcessed;
}
