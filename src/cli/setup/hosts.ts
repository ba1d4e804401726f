import {
  type Machine,
  atHome,
  dotConfigFolder,
  findProgram,
  localAppData,
  namesIn,
  pathsOf,
  pathVariable,
  settingsFolder,
} from './machine.ts';
import { existsSync } from 'node:fs';

/** The name of this server in every host's configuration. */
export const serverName = 'commonplace';

export interface ServerCommand {
  command: string;
  args: readonly string[];
}

/** A server elsewhere. */
export interface RemoteServer {
  url: string;
  /** Null: the host takes the token from its own place for secrets, or the reader puts it in. */
  token: string | null;
}

/** The entry under the server's name in a configuration. */
export type Entry = Record<string, unknown>;

/** `json` is for hosts that refuse comments. */
export type ConfigFormat = 'json' | 'jsonc' | 'toml' | 'yaml';

/** A program that starts MCP servers. */
export interface Host {
  id: string;
  name: string;
  format: ConfigFormat;
  /** The key at the root of the file under which servers are listed. */
  serversKey: string;
  /** Where its configuration may be, the preferred place first. */
  files: (machine: Machine) => string[];
  /** Files or folders that are there when the host is installed, besides the folder of its configuration. */
  signs?: (machine: Machine) => string[];
  programs?: readonly string[];
  local: (server: ServerCommand) => Entry;
  /** Null: it takes no address with a token. */
  remote: ((server: RemoteServer) => Entry) | null;
  /** Where a person pastes the block. */
  place: string;
  /** How to make the host read its configuration again. */
  reload: string;
}

const tokenVariable = 'COMMONPLACE_TOKEN';
const plain = ({ command, args }: ServerCommand): Entry => ({ command, args });
const authorization = (token: string | null, placeholder: string) => ({
  Authorization: `Bearer ${token ?? placeholder}`,
});
/** For hosts without separate storage for secrets. */
const putTokenHere = 'cpl_…';

/** A file in the settings folder of Windows, and in `~/.config` on every other platform. */
function settingsFile(machine: Machine, onWindows: readonly string[], elsewhere: readonly string[]): string {
  const { join } = pathsOf(machine);
  return machine.platform === 'win32'
    ? join(settingsFolder(machine), ...onWindows)
    : join(dotConfigFolder(machine), ...elsewhere);
}

function applications(machine: Machine, name: string): string[] {
  if (machine.platform === 'darwin')
    return [`/Applications/${name}.app`, atHome(machine, 'Applications', `${name}.app`)];
  if (machine.platform !== 'win32') return [];
  return [pathsOf(machine).join(localAppData(machine), 'Programs', name)];
}

/**
 * Claude Desktop from Microsoft's package format reads its settings from a folder of the package.
 * https://github.com/anthropics/claude-code/issues/25579
 */
function packagedClaudeFiles(machine: Machine): string[] {
  if (machine.platform !== 'win32') return [];
  const paths = pathsOf(machine);
  const packages = paths.join(localAppData(machine), 'Packages');
  return namesIn(packages)
    .filter((name) => name.startsWith('Claude_'))
    .map((name) => paths.join(packages, name, 'LocalCache', 'Roaming', 'Claude', 'claude_desktop_config.json'));
}

export const hosts: readonly Host[] = [
  {
    // https://modelcontextprotocol.io/docs/develop/connect-local-servers
    id: 'claude-desktop',
    name: 'Claude Desktop',
    format: 'json',
    serversKey: 'mcpServers',
    files: (machine) => [
      ...packagedClaudeFiles(machine),
      pathsOf(machine).join(settingsFolder(machine), 'Claude', 'claude_desktop_config.json'),
    ],
    signs: (machine) => applications(machine, 'Claude'),
    local: plain,
    remote: null,
    place: 'Settings → Developer → Edit Config, paste, restart it',
    reload: 'quit Claude Desktop and start it again',
  },
  {
    // https://code.claude.com/docs/en/mcp
    id: 'claude-code',
    name: 'Claude Code',
    format: 'json',
    serversKey: 'mcpServers',
    files: (machine) => {
      const moved = pathVariable(machine, 'CLAUDE_CONFIG_DIR');
      return [moved === undefined ? atHome(machine, '.claude.json') : pathsOf(machine).join(moved, '.claude.json')];
    },
    signs: (machine) => [pathVariable(machine, 'CLAUDE_CONFIG_DIR') ?? atHome(machine, '.claude')],
    programs: ['claude'],
    local: (server) => ({ type: 'stdio', ...plain(server) }),
    remote: ({ url, token }) => ({ type: 'http', url, headers: authorization(token, `\${${tokenVariable}}`) }),
    place: 'run this in a terminal',
    reload: 'start a new session of Claude Code',
  },
  {
    // https://cursor.com/docs/context/mcp
    id: 'cursor',
    name: 'Cursor',
    format: 'jsonc',
    serversKey: 'mcpServers',
    files: (machine) => [atHome(machine, '.cursor', 'mcp.json')],
    signs: (machine) => applications(machine, 'Cursor'),
    programs: ['cursor', 'cursor-agent'],
    local: plain,
    remote: ({ url, token }) => ({ url, headers: authorization(token, `\${env:${tokenVariable}}`) }),
    place: 'paste into ~/.cursor/mcp.json',
    reload: 'switch the server on in Settings → MCP, or restart Cursor',
  },
  {
    // https://code.visualstudio.com/docs/copilot/reference/mcp-configuration
    id: 'vscode',
    name: 'VS Code',
    format: 'jsonc',
    serversKey: 'servers',
    files: (machine) => [pathsOf(machine).join(settingsFolder(machine), 'Code', 'User', 'mcp.json')],
    signs: (machine) => [...applications(machine, 'Visual Studio Code'), ...applications(machine, 'Microsoft VS Code')],
    programs: ['code'],
    local: (server) => ({ type: 'stdio', ...plain(server) }),
    remote: ({ url, token }) => ({ type: 'http', url, headers: authorization(token, '${input:commonplace-token}') }),
    place: 'paste into .vscode/mcp.json (or run "MCP: Open User Configuration")',
    reload: 'run "MCP: List Servers" in VS Code and start it',
  },
  {
    // https://docs.windsurf.com/windsurf/cascade/mcp
    id: 'windsurf',
    name: 'Windsurf',
    format: 'jsonc',
    serversKey: 'mcpServers',
    files: (machine) => [atHome(machine, '.codeium', 'windsurf', 'mcp_config.json')],
    signs: (machine) => applications(machine, 'Windsurf'),
    programs: ['windsurf'],
    local: plain,
    remote: ({ url, token }) => ({ serverUrl: url, headers: authorization(token, `\${env:${tokenVariable}}`) }),
    place: 'paste into ~/.codeium/windsurf/mcp_config.json',
    reload: 'press the refresh button in the MCP panel of Cascade',
  },
  {
    // https://zed.dev/docs/ai/mcp
    id: 'zed',
    name: 'Zed',
    format: 'jsonc',
    serversKey: 'context_servers',
    files: (machine) => [settingsFile(machine, ['Zed', 'settings.json'], ['zed', 'settings.json'])],
    signs: (machine) => applications(machine, 'Zed'),
    programs: ['zed', 'zeditor'],
    local: plain,
    remote: ({ url, token }) => ({ url, headers: authorization(token, putTokenHere) }),
    place: 'run "zed: open settings" and paste',
    reload: 'nothing: Zed reads its settings as they change',
  },
  {
    // https://developers.openai.com/codex/mcp
    id: 'codex',
    name: 'Codex',
    format: 'toml',
    serversKey: 'mcp_servers',
    files: (machine) => [
      pathsOf(machine).join(pathVariable(machine, 'CODEX_HOME') ?? atHome(machine, '.codex'), 'config.toml'),
    ],
    programs: ['codex'],
    local: plain,
    remote: ({ url, token }) =>
      token === null
        ? { url, bearer_token_env_var: tokenVariable }
        : { url, http_headers: authorization(token, putTokenHere) },
    place: 'paste into ~/.codex/config.toml',
    reload: 'start a new session of Codex',
  },
  {
    // https://geminicli.com/docs/tools/mcp-server/
    id: 'gemini',
    name: 'Gemini CLI',
    format: 'jsonc',
    serversKey: 'mcpServers',
    files: (machine) => [
      pathsOf(machine).join(pathVariable(machine, 'GEMINI_CLI_HOME') ?? machine.home, '.gemini', 'settings.json'),
    ],
    programs: ['gemini'],
    local: plain,
    remote: ({ url, token }) => ({ httpUrl: url, headers: authorization(token, `\${${tokenVariable}}`) }),
    place: 'paste into ~/.gemini/settings.json',
    reload: 'start a new session of Gemini CLI, in a folder that it trusts',
  },
  {
    // https://opencode.ai/docs/mcp-servers/
    id: 'opencode',
    name: 'opencode',
    format: 'jsonc',
    serversKey: 'mcp',
    files: (machine) => {
      const folder = pathsOf(machine).join(dotConfigFolder(machine), 'opencode');
      return ['opencode.json', 'opencode.jsonc'].map((name) => pathsOf(machine).join(folder, name));
    },
    programs: ['opencode'],
    local: ({ command, args }) => ({ type: 'local', command: [command, ...args], enabled: true }),
    remote: ({ url, token }) => ({
      type: 'remote',
      url,
      headers: authorization(token, `{env:${tokenVariable}}`),
      enabled: true,
    }),
    place: 'paste into ~/.config/opencode/opencode.json',
    reload: 'start opencode again',
  },
  {
    // https://lmstudio.ai/docs/app/mcp, and for the older folder
    // https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/1371
    id: 'lm-studio',
    name: 'LM Studio',
    format: 'jsonc',
    serversKey: 'mcpServers',
    files: (machine) => [
      atHome(machine, '.lmstudio', 'mcp.json'),
      ...(machine.platform === 'win32' ? [] : [atHome(machine, '.cache', 'lm-studio', 'mcp.json')]),
    ],
    signs: (machine) => applications(machine, 'LM Studio'),
    programs: ['lms'],
    local: plain,
    remote: ({ url, token }) => ({ url, headers: authorization(token, putTokenHere) }),
    place: 'Program → Install → Edit mcp.json, paste',
    reload: 'nothing: LM Studio reads the file as it changes',
  },
  {
    // https://docs.cline.bot/cli/configuration, and for the VS Code extension
    // https://docs.cline.bot/mcp/configuring-mcp-servers
    id: 'cline',
    name: 'Cline',
    format: 'jsonc',
    serversKey: 'mcpServers',
    files: (machine) => [
      atHome(machine, '.cline', 'data', 'settings', 'cline_mcp_settings.json'),
      pathsOf(machine).join(
        settingsFolder(machine),
        'Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
      ),
    ],
    programs: ['cline'],
    local: (server) => ({ ...plain(server), disabled: false }),
    remote: ({ url, token }) => ({
      type: 'streamableHttp',
      url,
      headers: authorization(token, putTokenHere),
      disabled: false,
    }),
    place: 'MCP Servers → Configure → Configure MCP Servers, paste',
    reload: 'nothing: Cline reads the file as it changes',
  },
  {
    // https://block.github.io/goose/docs/guides/config-files
    id: 'goose',
    name: 'Goose',
    format: 'yaml',
    serversKey: 'extensions',
    files: (machine) => [settingsFile(machine, ['Block', 'goose', 'config', 'config.yaml'], ['goose', 'config.yaml'])],
    signs: (machine) => applications(machine, 'Goose'),
    programs: ['goose'],
    local: ({ command, args }) => ({ ...gooseEntry, type: 'stdio', cmd: command, args, envs: {} }),
    remote: ({ url, token }) => ({
      ...gooseEntry,
      type: 'streamable_http',
      uri: url,
      headers: authorization(token, putTokenHere),
    }),
    place: 'paste into ~/.config/goose/config.yaml',
    reload: 'start a new session of Goose',
  },
];

const gooseEntry = {
  enabled: true,
  name: serverName,
  description: 'What I saved: pages, papers, videos and notes',
  timeout: 300,
};

export const hostIds = hosts.map(({ id }) => id);

/** @throws {TypeError} for an unknown host; commands offer only those of the table */
export function hostById(id: string): Host {
  const host = hosts.find((one) => one.id === id);
  if (host === undefined) throw new TypeError(`no host is called ${id}`);
  return host;
}

/** The keys of an entry that this program writes; others are the user's own. */
export function ownKeys(host: Host): ReadonlySet<string> {
  const server = { command: '', args: [] };
  const away = [null, ''].map((token) => host.remote?.({ url: '', token }) ?? {});
  return new Set([host.local(server), ...away].flatMap((entry) => Object.keys(entry)));
}

/** The first file that exists, else the first whose folder does, else the preferred one. */
export function configPath(host: Host, machine: Machine): string {
  const files = host.files(machine);
  const { dirname } = pathsOf(machine);
  const [preferred = ''] = files;
  return files.find((path) => existsSync(path)) ?? files.find((path) => existsSync(dirname(path))) ?? preferred;
}

/** Whether the host seems to be installed: by its configuration, its application or its program on PATH. */
export function isInstalled(host: Host, machine: Machine): boolean {
  const { dirname } = pathsOf(machine);
  const folders = host.files(machine).map((path) => dirname(path));
  const traces = [
    ...host.files(machine),
    ...folders.filter((folder) => folder !== machine.home),
    ...(host.signs?.(machine) ?? []),
  ];
  return (
    traces.some((path) => existsSync(path)) ||
    (host.programs ?? []).some((name) => findProgram(machine, name) !== undefined)
  );
}
