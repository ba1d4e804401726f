import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';
import { readEnvironment, type Environment } from '../../settings/config.ts';

/** The machine whose hosts are looked for. Tests pass one with another home folder or platform. */
export interface Machine {
  platform: NodeJS.Platform;
  home: string;
  environment: Environment;
}

export function thisMachine(): Machine {
  return { platform: process.platform, home: homedir(), environment: readEnvironment() };
}

/** Builds paths as the machine's platform writes them. */
export function pathsOf({ platform }: Machine): typeof posix {
  return platform === 'win32' ? win32 : posix;
}

export function atHome(machine: Machine, ...parts: string[]): string {
  return pathsOf(machine).join(machine.home, ...parts);
}

/** The value of a variable that holds an absolute path; undefined when it is unset, empty or relative. */
export function pathVariable(machine: Machine, name: string): string | undefined {
  const value = machine.environment[name] ?? '';
  return pathsOf(machine).isAbsolute(value) ? value : undefined;
}

/** The folder where desktop programs keep their settings: `~/.config`, `~/Library/Application Support` or `%APPDATA%`. */
export function settingsFolder(machine: Machine): string {
  if (machine.platform === 'darwin') return atHome(machine, 'Library', 'Application Support');
  if (machine.platform === 'win32') return pathVariable(machine, 'APPDATA') ?? atHome(machine, 'AppData', 'Roaming');
  return dotConfigFolder(machine);
}

/** Where programs for one user are installed on Windows. */
export function localAppData(machine: Machine): string {
  return pathVariable(machine, 'LOCALAPPDATA') ?? atHome(machine, 'AppData', 'Local');
}

/** `~/.config`, which some programs use on every platform. */
export function dotConfigFolder(machine: Machine): string {
  return pathVariable(machine, 'XDG_CONFIG_HOME') ?? atHome(machine, '.config');
}

export function programFolders(machine: Machine): string[] {
  const paths = pathsOf(machine);
  const value = machine.environment['PATH'] ?? machine.environment['Path'] ?? '';
  return value.split(paths.delimiter).filter((folder) => paths.isAbsolute(folder));
}

/** The first file of that name in a folder of PATH, or undefined. */
export function findProgram(machine: Machine, name: string): string | undefined {
  const names = machine.platform === 'win32' ? [`${name}.exe`, `${name}.cmd`] : [name];
  return programFolders(machine)
    .flatMap((folder) => names.map((file) => pathsOf(machine).join(folder, file)))
    .find((path) => existsSync(path));
}

/** The names in a folder; none when it cannot be read. */
export function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
