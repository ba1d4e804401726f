import { fileURLToPath } from 'node:url';
import { type Command, Option } from 'commander';
import { isModelSet } from '../../config.ts';
import type { CommandContext, RunCommand } from '../context.ts';

export const hosts = ['claude-desktop', 'claude-code', 'cursor', 'vscode'] as const;
export type Host = (typeof hosts)[number];

const places: Readonly<Record<Host, string>> = {
  'claude-desktop': 'Claude Desktop: Settings → Developer → Edit Config, paste, restart it',
  'claude-code': 'Claude Code: run this in a terminal',
  cursor: 'Cursor: paste into ~/.cursor/mcp.json',
  vscode: 'VS Code: paste into .vscode/mcp.json (or run "MCP: Open User Configuration")',
};

/**
 * How an assistant starts this program: by the full path of the Node that runs it, because the default Node may be too
 * old.
 */
interface ServerCommand {
  command: string;
  args: string[];
}

function serverCommand(extraArgs: readonly string[] = []): ServerCommand {
  return {
    command: process.execPath,
    args: [fileURLToPath(new URL('../../main.js', import.meta.url)), 'stdio', ...extraArgs],
  };
}

function shellQuoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The text to paste, or the command to run, to add this server to the assistant. */
export function pasteBlock(host: Host, server: ServerCommand): string {
  const json = (value: unknown) => JSON.stringify(value, null, 2);
  switch (host) {
    case 'claude-code':
      return ['claude mcp add --scope user commonplace --', ...[server.command, ...server.args].map(shellQuoted)].join(
        ' ',
      );
    case 'vscode':
      return json({ servers: { commonplace: { type: 'stdio', ...server } } });
    case 'claude-desktop':
    case 'cursor':
      return json({ mcpServers: { commonplace: server } });
  }
}

export function pasteInstructions(host: Host): string {
  return places[host];
}

/** `connect`: prints the configuration for an assistant's settings. */
export function addConnectCommand(program: Command, run: RunCommand): void {
  program
    .command('connect')
    .description("Print the block to paste into an assistant's settings")
    .addOption(new Option('--host <host>', 'the assistant').choices(hosts).default('claude-desktop'))
    .action(({ host }: { host: Host }) => run((context) => connect(context, host)));
}

/** Without a configured model, lets the connected assistant write the analyses. */
function assistantFlags(config: CommandContext['config']): string[] {
  return isModelSet(config) || config.origins.analyseTools !== 'default' ? [] : ['--analyse-tools', 'true'];
}

async function connect({ config, print }: CommandContext, host: Host): Promise<void> {
  const server = serverCommand([
    ...(config.origins.data === 'default' ? [] : ['--data', config.data]),
    ...assistantFlags(config),
  ]);
  const block = pasteBlock(host, server);
  print({ host, ...server, block }, () => `${pasteInstructions(host)}:\n\n${block}`);
}
