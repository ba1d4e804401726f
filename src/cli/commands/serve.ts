import type { Command } from 'commander';
import { isLoopbackHost } from '../../domain/links/configured-addresses.ts';
import type { Settings } from '../../settings/settings.ts';
import { type Backups, type CommandApp, type CommandContext, requireDataFolder, type RunCommand } from '../context.ts';
import { parsePort } from '../arguments/flags.ts';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { backupName, type KeepRule } from '../../domain/backups/retention.ts';
import { isAbortError } from '../../errors.ts';
import type { Config } from '../../settings/config.ts';
import { withoutTrailing } from '../../domain/text/shortened.ts';

interface ServeFlags {
  host?: string;
  port?: number;
}

export function addServeCommand(program: Command, run: RunCommand): void {
  program
    .command('serve')
    .description('Run the server: REST, MCP at /mcp, and the page, for everyone who has a token')
    .option('--host <address>', 'address to listen on (setting httpHost)')
    .option('--port <number>', 'port to listen on (setting httpPort)', parsePort)
    .action((flags: ServeFlags) => run((context) => serve(context, flags)));
}

/** @param onListening called once the server answers */
export async function serve(
  context: CommandContext,
  flags: ServeFlags,
  onListening?: (app: CommandApp, serverUrl: string) => Promise<void>,
): Promise<void> {
  const { config, signal, insistent } = context;
  if (config.backupTo !== '')
    requireDataFolder(
      config,
      'Remove the setting backupTo, and back up the database itself: docs/hosting.md says how.',
    );
  const settings: Partial<Settings> = {
    ...(flags.host !== undefined && { httpHost: flags.host }),
    ...(flags.port !== undefined && { httpPort: flags.port }),
    // Log every request, unless the settings set a log level.
    ...(config.origins.logLevel === 'default' && { logLevel: 'info' as const }),
  };
  const app = await context.open({ keepLog: true, isServer: true, servesMany: true, settings });
  const server = await app.serve();
  const endAnswering = await context.answerCommands(app);
  if (app.config.workers > 0) app.worker.start();
  const { httpHost, publicUrl } = app.config;
  if (!isLoopbackHost(httpHost)) context.streams.stderr.write(`${exposureWarning(server.url)}\n`);
  const ownerCode = app.config.signIn === 'off' ? null : await app.signIn.createOwnerLink();
  const ownerLink = ownerCode === null ? null : linkAddress({ ...app.config, serverUrl: server.url }, ownerCode);
  const facts = { url: server.url, publicUrl: publicUrl === '' ? null : publicUrl, pid: process.pid };
  context.print(ownerLink === null ? facts : { ...facts, ownerLink }, () =>
    [
      `Commonplace listens on ${server.url}`,
      'Your library in the browser: commonplace open. A token: commonplace token create laptop. Ctrl-C ends it.',
      ...(ownerLink === null
        ? []
        : ['Nobody can sign in yet. Open this link to become the owner; it works once, for a day:', ownerLink]),
    ].join('\n'),
  );
  await onListening?.(app, server.url);
  const maintenance = runMaintenance({ app, backups: await context.backups(), signal });
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  await Promise.all([server.close(insistent), endAnswering()]);
  await maintenance;
}

function exposureWarning(url: string): string {
  return [
    `This listens on ${url}: everybody who can reach this machine over the network can reach it.`,
    'It exposes REST and MCP, with all saved items of the accounts here, to holders of their tokens; and /health, /ready and the API description to everybody.',
    'The connection is not encrypted: put a proxy with TLS in front of it before a token travels over a network.',
  ].join('\n');
}

/** A backup a day; the newest of each of seven days, four weeks and twelve months stays. Other plans: `commonplace backup --to … --keep …` by a timer. */
const betweenBackupsMs = 24 * 60 * 60_000;
const keptBackups: readonly KeepRule[] = [
  { count: 7, unit: 'd' },
  { count: 4, unit: 'w' },
  { count: 12, unit: 'm' },
];
const betweenLooksMs = 10 * 60_000;

interface MaintenanceParts {
  app: Pick<CommandApp, 'config' | 'log' | 'version' | 'access' | 'libraryJobs'>;
  backups: Backups;
  /** Aborted when the server ends. */
  signal: AbortSignal;
}

/** Recurring tasks of a server: backups from the settings, and deleting accounts and export files that have expired. */
export async function runMaintenance(parts: MaintenanceParts): Promise<void> {
  const { app, signal } = parts;
  const tasks = {
    'removing accounts that were kept long enough failed and is tried again': () => app.access.removeExpiredAccounts(),
    'removing old imports and exports failed and is tried again': () => app.libraryJobs.removeExpired(),
    'a backup failed and is tried again': () => backUpWhenDue(parts),
  };
  while (!signal.aborted) {
    for (const [failure, task] of Object.entries(tasks)) {
      try {
        await task();
      } catch (error) {
        if (!signal.aborted) app.log.error({ err: error }, failure);
      }
    }
    await sleep(betweenLooksMs, undefined, { signal, ref: false }).catch((error: unknown) => {
      if (!isAbortError(error)) throw error;
    });
  }
}

/** Writes a backup when the newest is old and removes expired ones; one that lacks something removes none. */
export async function backUpWhenDue({ app, backups, signal }: MaintenanceParts): Promise<void> {
  const { config, log, version } = app;
  if (config.backupTo === '') return;
  const folder = resolve(config.backupTo);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const now = backups.now();
  const newest = backups.newest(folder, now);
  if (newest !== null && now - newest < betweenBackupsMs) return;
  const target = join(folder, backupName(now, undefined));
  const written = await backups.write({ folder: config.data, target, program: version, now }, signal, () => undefined);
  if (written.left.length > 0) {
    log.error({ left: written.left.map(({ part }) => part) }, 'a backup was written that lacks something');
    return;
  }
  const removed = backups.removeExpired(folder, undefined, keptBackups, now);
  log.info(
    { bytes: written.bytes, accounts: written.accounts.length, removed: removed.length },
    'a backup was written',
  );
}

/** A link that lets somebody in. @param serverUrl where the server listens; absent: as the settings say */
export function linkAddress(
  { publicUrl, httpPort, serverUrl }: Pick<Config, 'publicUrl' | 'httpPort'> & { serverUrl?: string },
  code: string,
  path = '/sign-in/link',
): string {
  const base = publicUrl === '' ? (serverUrl ?? `http://127.0.0.1:${httpPort}`) : withoutTrailing(publicUrl, '/');
  return `${base}${path}?code=${code}`;
}
