import { stringify as toToml } from 'smol-toml';
import { stringify as toYaml } from 'yaml';
import { type Entry, type Host, type RemoteServer, type ServerCommand, serverName } from './assistant-host.ts';

function shellQuoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The entry in the host's format, under the key where servers stand. */
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
    // The shell puts the variable in. --header takes all values that follow, so it stands last.
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
