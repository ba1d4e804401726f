import { AppError } from '../../errors.ts';
import { editConfig } from './config-files/config-edit.ts';
import { ConfigSyntaxError, UneditableConfigError } from './config-files/config-entry.ts';
import { readConfigFile } from './config-files/config-file.ts';
import { configPath } from './find-host.ts';
import { type Entry, type Host, serverName } from './assistant-host.ts';
import { ownKeys } from './hosts.ts';
import type { Machine } from './machine.ts';

/** What setting up or removing one host changes in its configuration file. */
export interface HostChange {
  host: Host;
  path: string;
  /** Null: there is no file. */
  before: string | null;
  /** Null: the file stays as it is. */
  after: string | null;
  /** Why the file cannot be changed, in words. */
  problem?: string;
}

/**
 * Works out the change of a host's file, and writes nothing.
 * @param entry undefined to remove the server
 */
export function planChange(host: Host, machine: Machine, entry: Entry | undefined): HostChange {
  const path = configPath(host, machine);
  let before: string | null = null;
  try {
    before = readConfigFile(path);
    if (before === null && entry === undefined) return { host, path, before, after: null };
    const after = editConfig(host.format, before ?? '', {
      path: [host.serversKey, serverName],
      entry,
      ownKeys: ownKeys(host),
    });
    return { host, path, before, after: after === before ? null : after };
  } catch (error) {
    return { host, path, before, after: null, problem: problemOf(error, host, path) };
  }
}

function problemOf(error: unknown, host: Host, path: string): string {
  if (error instanceof ConfigSyntaxError)
    return `${path} is not valid: line ${error.line}, ${error.message}. It was left alone; mend it and run this again.`;
  if (error instanceof UneditableConfigError)
    return `${path} was left alone: ${error.message}. \`commonplace setup --print --host ${host.id}\` prints the block to paste.`;
  if (error instanceof AppError) return error.message;
  throw error;
}
