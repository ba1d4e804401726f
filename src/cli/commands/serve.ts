import type { Command } from 'commander';
import { isLoopbackHost } from '../../domain/links/loopback.ts';
import type { Settings } from '../../settings/settings.ts';
import { requireDataFolder } from '../needs-data-folder.ts';
import { runMaintenance } from '../maintenance.ts';
import { linkAddress } from '../link-address.ts';
import type { CommandApp, CommandContext, RunCommand } from '../context.ts';
import { parsePort } from '../arguments/port.ts';

interface ServeFlags {
  host?: string;
  port?: number;
}

/** `serve`: the HTTP server. */
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
    'What it exposes: REST and MCP over all saved items of the accounts here, to whoever has one of their tokens; and /health, /ready and the description of the API to anybody.',
    'The connection is not encrypted: put a proxy with TLS in front of it before a token travels over a network.',
  ].join('\n');
}
