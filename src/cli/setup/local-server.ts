import { type Config, flagName, isModelSet } from '../../settings/config.ts';
import { isSettingName } from '../../settings/settings.ts';
import { invalidInput } from '../../errors.ts';
import { type Entry, type Host, type RemoteServer, type ServerCommand, serverName } from './hosts.ts';
import { installInstructions, type ProgramLocation, type Publication } from './program-location.ts';
import type { Machine } from './machine.ts';
import { stringify as toToml } from 'smol-toml';
import { stringify as toYaml } from 'yaml';

/** Lets the connected assistant tidy up, and write the analyses where no model is configured. */
function assistantFlags(config: Config): string[] {
  const { origins } = config;
  return [
    ...(origins.manageTools === 'default' ? ['--manage-tools', 'true'] : []),
    ...(isModelSet(config) || origins.analyseTools !== 'default' ? [] : ['--analyse-tools', 'true']),
  ];
}

/** Settings that were given to this command as flags: the server that an assistant starts gets them, too. */
function givenFlags(config: Config): string[] {
  return Object.entries(config.origins).flatMap(([name, origin]) =>
    origin === 'flag' && isSettingName(name) ? [flagName(name), String(config[name])] : [],
  );
}

/** Hosts pass few variables on to their servers, and XDG_DATA_HOME is not among them. */
function dataFlags({ data, origins }: Config, { environment }: Machine): string[] {
  const isMoved = origins.data !== 'default' || (environment['XDG_DATA_HOME'] ?? '') !== '';
  return isMoved ? ['--data', data] : [];
}

/** @throws {AppError} `invalid_input` when the installation will not last, or is not built */
export function localServer(
  installation: ProgramLocation,
  config: Config,
  machine: Machine,
  publication: Publication,
): ServerCommand {
  const { command, args } = ownCommand('stdio', installation, config, machine, publication);
  return { command, args: [...args, ...assistantFlags(config)] };
}

/** A command of this installation that another program runs. @throws {AppError} like `localServer` */
export function ownCommand(
  word: string,
  { kind, program }: ProgramLocation,
  config: Config,
  machine: Machine,
  publication: Publication,
): ServerCommand {
  if (kind === 'temporary') {
    throw invalidInput(
      `This copy of Commonplace lies in a cache that is cleared from time to time, and an assistant would lose it. Install it first.\n${installInstructions(publication)}`,
    );
  }
  if (kind === 'unbuilt')
    throw invalidInput('Commonplace is not built yet, so no assistant can start it: npm run build');
  return {
    command: program.command,
    args: [...program.args, word, ...dataFlags(config, machine), ...givenFlags(config)],
  };
}

/** A note for the user about the command; null when there is none. */
export function serverNote({ kind, program }: ProgramLocation): string | null {
  return kind === 'versioned'
    ? `${program.command} is in a versioned folder. When you install another version of Node.js or of Commonplace, run \`commonplace setup\` again.`
    : null;
}

/** Settings that only the environment of this terminal holds: a host started elsewhere does not see them. */
export function environmentNote({ origins }: Config): string | null {
  const names = Object.entries(origins).flatMap(([name, origin]) =>
    origin === 'environment' && name !== 'data' ? [name] : [],
  );
  return names.length === 0
    ? null
    : `Assistants do not see the settings in the environment of this terminal (${names.join(', ')}). \`commonplace config set\` puts them into the data folder's config.json, which they read.`;
}

function shellQuoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The entry in the host's format, under its key for servers. */
function block(host: Host, entry: Entry, around: Entry = {}): string {
  const value = { ...around, [host.serversKey]: { [serverName]: entry } };
  if (host.format === 'toml') return toToml(value).trim();
  if (host.format === 'yaml') return toYaml(value).trim();
  return JSON.stringify(value, null, 2);
}

/** The text to paste, or the command to run, to add this server to the host. */
export function localBlock(host: Host, server: ServerCommand): string {
  if (host.id !== 'claude-code') return block(host, host.local(server));
  return ['claude mcp add --scope user', serverName, '--', ...[server.command, ...server.args].map(shellQuoted)].join(
    ' ',
  );
}

/** The same for a server elsewhere; null when the host cannot use one. */
export function remoteBlock(host: Host, server: RemoteServer): string | null {
  if (host.remote === null) return null;
  if (host.id === 'claude-code') {
    // The shell expands the variable. --header takes all following values, so it comes last.
    const header =
      server.token === null
        ? '"Authorization: Bearer $COMMONPLACE_TOKEN"'
        : shellQuoted(`Authorization: Bearer ${server.token}`);
    return `claude mcp add --transport http --scope user ${serverName} ${shellQuoted(server.url)} --header ${header}`;
  }
  // VS Code asks for the token once and keeps it among its secrets.
  const inputs = [{ type: 'promptString', id: 'commonplace-token', description: 'Commonplace token', password: true }];
  return block(host, host.remote(server), host.id === 'vscode' && server.token === null ? { inputs } : {});
}
