import { lstatSync, readdirSync, statSync, type Stats } from 'node:fs';
import { join } from 'node:path';

/*
 * Where processes that serve a data folder listen for commands: a folder in the data folder, with one Unix socket for each
 * such process. This file is loaded by every command before anything else, so it imports nothing.
 */

/** The commands that a server may run for another process: they only read, and are one operation each. */
export const askableCommands: ReadonlySet<string> = new Set([
  'search',
  'related',
  'list',
  'show',
  'actions',
  'goals',
  'highlights',
  'history',
  'tags',
]);

export interface AskedCommand {
  /** See `programIdentity`. */
  program: string;
  argv: readonly string[];
  /** The variables that a command looks at (`sentVariables`). */
  environment: Readonly<Record<string, string>>;
  /** What stdout is. */
  terminal: { isTTY: boolean; columns: number | null };
}

/** What a server says: first that it is there, then what the command printed, or that it does not run it. */
export type ServerLine =
  | { kind: 'accepted' }
  | { kind: 'declined' }
  | { kind: 'done'; exitCode: number; stdout: string; stderr: string };

export const maxRequestBytes = 128 * 1024;

/** Longer paths of sockets do not exist: 104 bytes on macOS and 108 on Linux, with the zero at their end. */
const maxPathBytes = 103;
const socketName = /^[a-z0-9]{1,32}\.sock$/;

export function socketFolder(dataFolder: string): string {
  return join(dataFolder, 'servers');
}

/** The path of a process's socket; null when the data folder's own path is too long for one. */
export function socketPath(folder: string, name: string): string | null {
  const path = join(folder, `${name}.sock`);
  return Buffer.byteLength(path) > maxPathBytes ? null : path;
}

/**
 * Whether nobody but this user can put a socket into the folder, or replace the folder: otherwise another user of the
 * machine could read questions and make up answers.
 */
export function isPrivate(dataFolder: string): boolean {
  const own = process.getuid?.();
  // On Windows, access is not in the mode.
  if (own === undefined) return false;
  const isOwnFolder = (stats: Stats | undefined): stats is Stats =>
    stats?.isDirectory() === true && stats.uid === own && (stats.mode & 0o022) === 0;
  const sockets = lstatSync(socketFolder(dataFolder), { throwIfNoEntry: false });
  return (
    isOwnFolder(sockets) && (sockets.mode & 0o077) === 0 && isOwnFolder(statSync(dataFolder, { throwIfNoEntry: false }))
  );
}

/** The sockets of a private folder, of the newest process first. */
export function listSockets(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => socketName.test(name))
    .map((name) => ({ path: join(folder, name), stats: lstatSync(join(folder, name), { throwIfNoEntry: false }) }))
    .filter(({ stats }) => stats?.isSocket() === true && stats.uid === process.getuid?.())
    .sort((a, b) => (b.stats?.mtimeMs ?? 0) - (a.stats?.mtimeMs ?? 0))
    .map(({ path }) => path);
}

/** Names the installed program: another version of it, or another build, may answer differently. */
export function programIdentity(mainFile: string): string {
  const { mtimeMs, size } = statSync(mainFile);
  return `${mainFile} ${size} ${mtimeMs}`;
}
