import type { Command } from 'commander';
import { environmentName } from '../../settings/config.ts';
import { databaseName, databaseRole, holdsPassword } from '../../domain/links/configured-addresses.ts';
import { invalidInput } from '../../errors.ts';
import { exitCodes, type CommandContext, type RunCommand } from '../context.ts';
import { createProgressBar } from '../call-locally.ts';

export function addDatabaseCommands(program: Command, run: RunCommand): void {
  program
    .command('migrate')
    .description('Prepare the PostgreSQL database of databaseUrl for this version, as its owner (databaseOwnerUrl)')
    .option('--node-role <name>', 'the role of the servers (default: the one in databaseUrl)')
    .action((options: { nodeRole?: string }) => run((context) => migrate(context, options)));
  program
    .command('move')
    .description('Copy all accounts from the data folder into a PostgreSQL database, or back, and compare them by hash')
    .option('--to <address>', 'the database: postgres://…, or `database` for databaseUrl')
    .option('--from <address>', 'the same, to copy from the database into the data folder')
    .action((options: MoveFlags) => run((context) => move(context, options)));
}

async function migrate(context: CommandContext, { nodeRole: given }: { nodeRole?: string }): Promise<void> {
  const { databaseUrl, databaseOwnerUrl } = context.config;
  if (databaseOwnerUrl === '')
    throw invalidInput(
      `Set ${environmentName('databaseOwnerUrl')}: the address of the database for the role that owns its tables.`,
    );
  const nodeRole = given ?? databaseRole(databaseUrl);
  if (nodeRole === null)
    throw invalidInput(`Say with which role the servers connect: --node-role, or ${environmentName('databaseUrl')}.`);
  const database = databaseName(databaseOwnerUrl);
  const { before, after, applied } = await (await context.databases()).migrate(databaseOwnerUrl, nodeRole);
  context.print({ database, nodeRole, before, after, applied }, () =>
    [
      before === after
        ? `${database} is up to date: schema ${after}.`
        : before === 0
          ? `${database} has its tables: schema ${after}.`
          : `${database}: schema ${before} became ${after}.`,
      ...applied.map((name, index) => `  ${before + index + 1}. ${name}`),
      `Servers may connect as ${nodeRole}.`,
    ].join('\n'),
  );
}

interface MoveFlags {
  to?: string;
  from?: string;
}

async function move(context: CommandContext, { to, from }: MoveFlags): Promise<number> {
  const given = to ?? from;
  if (given === undefined || (to !== undefined && from !== undefined))
    throw invalidInput(
      'Say where: `commonplace move --to postgres://…` copies the data folder into a database, `--from postgres://…` the database into the data folder.',
    );
  const url = addressOf(context, given);
  const [folder, database] = [context.config.data, databaseName(url)];
  const direction = to === undefined ? 'folder' : 'database';
  context.tell(direction === 'database' ? `From ${folder} to ${database}.` : `From ${database} to ${folder}.`);
  const bar = createProgressBar(context.streams.stderr, context.json);
  const begun = performance.now();
  const moved = await (
    await context.databases()
  )
    .move(context.config, { url, to: direction }, context.signal, (account, done, total) =>
      bar.update(done, total, `items of ${account}`),
    )
    .catch((error: unknown) => {
      if (context.signal.aborted)
        context.tell('Interrupted. The copied items stay, and the same command continues from there.');
      throw error;
    })
    .finally(() => bar.stop());
  const { accounts, changedMeanwhile } = moved;
  const megabytes = accounts.reduce((sum, { bytes }) => sum + bytes, 0) / 1_000_000;
  const seconds = (performance.now() - begun) / 1_000;
  const isSame = changedMeanwhile.length === 0 && accounts.every(({ differing }) => differing.length === 0);
  context.print({ folder, database, to: direction, isSame, ...moved }, () =>
    [
      ...accounts.map(
        ({ id, items, copied, removed, digest, differing }) =>
          `${id}: ${items} ${items === 1 ? 'item' : 'items'}, ${copied} copied${removed > 0 ? `, ${removed} removed` : ''}; ` +
          (differing.length === 0 ? `the same on both sides, sha256 ${digest}` : `${differing.length} differ`),
      ),
      `${accounts.length} ${accounts.length === 1 ? 'account' : 'accounts'}, ${megabytes.toFixed(1)} MB in ${seconds.toFixed(1)} s.`,
      isSame
        ? 'Everything is the same on both sides. Later saves are on one side only: stop the servers before the last run.'
        : `Not everything is the same: ${[...changedMeanwhile, ...accounts.flatMap(({ differing }) => differing)].slice(0, 10).join(', ')} changed meanwhile. Run the same command again.`,
    ].join('\n'),
  );
  return isSame ? exitCodes.ok : exitCodes.failed;
}

/** @throws {AppError} `invalid_input` when it is not an address of a database */
function addressOf({ config, tell }: CommandContext, given: string): string {
  if (given === 'database') {
    if (config.databaseUrl !== '') return config.databaseUrl;
    throw invalidInput(`\`database\` is the one of ${environmentName('databaseUrl')}, which is not set.`);
  }
  if (!/^postgres(?:ql)?:\/\//.test(given) || !URL.canParse(given))
    throw invalidInput(
      'A database is postgres://role@host/name, or `database` for databaseUrl. The data folder is the other side; --data names another one.',
    );
  if (holdsPassword(given))
    tell(
      `Others on this machine can see this password. ${environmentName('databaseUrl')}_FILE with \`database\` in place of the address keeps it.`,
    );
  return given;
}
