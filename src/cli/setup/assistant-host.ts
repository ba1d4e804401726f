import type { Machine } from './machine.ts';

/** The name under which this server stands in every host's configuration. */
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

/** What stands under the server's name in a configuration. */
export type Entry = Record<string, unknown>;

/** `json` is for hosts that refuse comments. */
export type ConfigFormat = 'json' | 'jsonc' | 'toml' | 'yaml';

/** A program that starts MCP servers. */
export interface Host {
  id: string;
  name: string;
  format: ConfigFormat;
  /** The key at the root of the file under which servers stand. */
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
  /** What makes it read its configuration again. */
  reload: string;
}
