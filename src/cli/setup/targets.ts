import { entryIn, readConfig } from './config-files/config-edit.ts';
import { readConfigFile } from './config-files/config-file.ts';
import { type EntryTarget, isSwitchedOff, readEntry } from './entries.ts';
import { type Host, serverName } from './assistant-host.ts';
import type { Machine } from './machine.ts';
import type { Trial } from './trial.ts';
import { tryLocal } from './try-local.ts';
import { tryRemote } from './try-remote.ts';

/**
 * What a host's file says of this server. `target` is null when it says nothing, or nothing that can be understood.
 * @throws {ConfigSyntaxError} when the file is not valid
 * @throws {AppError} `invalid_input` when it cannot be read
 */
export function presentEntry(
  host: Host,
  path: string,
): { isThere: boolean; isSwitchedOff: boolean; target: EntryTarget | null } {
  const entry = entryIn(readConfig(host.format, readConfigFile(path) ?? ''), [host.serversKey, serverName]);
  return { isThere: entry !== undefined, isSwitchedOff: isSwitchedOff(entry), target: readEntry(entry) };
}

export function shownTarget(target: EntryTarget): string {
  return target.kind === 'remote' ? target.server.url : [target.server.command, ...target.server.args].join(' ');
}

/** Asks the server for its tools, as a host would. */
export function tryTarget(target: EntryTarget, machine: Machine, signal: AbortSignal): Promise<Trial> {
  return target.kind === 'remote'
    ? tryRemote(target.server, signal)
    : tryLocal(target.server, target.environment, machine, signal);
}
