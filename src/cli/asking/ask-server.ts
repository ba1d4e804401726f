import { lstatSync, readdirSync, rmSync, statSync, type Stats } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Environment } from '../../settings/config.ts';
import { dataFolderOf } from '../../settings/default-data-folder.ts';
import { firstWord } from '../arguments/first-word.ts';
import { codeOf } from '../../errors.ts';

/*
 * Commands that only read are run by a process that serves the data folder, if there is one: it has the library open.
 * Each such process listens on a Unix socket in the folder `servers`. A request is a line of JSON, and so is the answer;
 * without one, this process runs the command itself. Every command loads this file before anything else.
 */

/** The commands that a server may run for another process: they only read, and are one operation each. */
export const askableCommands: ReadonlySet<string> = new Set(
  'search related list show actions goals highlights history tags versions'.split(' '),
);

export interface AskedCommand {
  /** See `programIdentity`. */
  program: string;
  argv: readonly string[];
  environment: Environment;
  terminal: { isTTY: boolean; columns?: number | undefined };
}

export interface CommandAnswer {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** A server that takes longer is stopped or busy: the command is run here. */
const answerLimitMs = 3_000;
/** Other inputs of an answer beside our settings: the data folder, and the terminal's capabilities. */
const otherVariables = ['XDG_DATA_HOME', 'TERM', 'NO_COLOR', 'FORCE_COLOR'];

/**
 * Lets a server on the same data folder run a command that only reads.
 * @param mainFile the program's main file
 * @returns null when no server runs the command, for whatever reason. It only reads, so it may be run twice
 */
export async function askServer(
  argv: readonly string[],
  environment: Environment,
  stdout: { isTTY?: boolean; columns?: number },
  mainFile: string,
  limitMs = answerLimitMs,
): Promise<CommandAnswer | null> {
  const isAskable = askableCommands.has(firstWord(argv) ?? '') && !argv.includes('--help') && !argv.includes('-h');
  const dataFolder = isAskable ? dataFolderOf(argv, environment) : null;
  try {
    if (dataFolder === null || !isPrivate(dataFolder)) return null;
    const sent = Object.entries(environment).filter(
      ([name]) => name.startsWith('COMMONPLACE_') || otherVariables.includes(name),
    );
    const asked: AskedCommand = {
      program: programIdentity(mainFile),
      argv,
      environment: Object.fromEntries(sent),
      terminal: { isTTY: stdout.isTTY === true, columns: stdout.columns },
    };
    const folder = socketFolder(dataFolder);
    for (const name of readdirSync(folder).sort()) {
      const answer = await askAt(join(folder, name), `${JSON.stringify(asked)}\n`, limitMs);
      if (answer !== null) return answer;
    }
  } catch {
    // The command that opens the folder reports its errors.
  }
  return null;
}

/** Resolves to null when no server listens there, or it declines, is slow or ends before it has answered. */
async function askAt(path: string, request: string, limitMs: number): Promise<CommandAnswer | null> {
  const socket = connect(path);
  const timer = setTimeout(() => socket.destroy(), limitMs);
  try {
    socket.write(request);
    const { exitCode, stdout, stderr } = JSON.parse(await text(socket)) as CommandAnswer;
    return typeof exitCode === 'number' ? { exitCode, stdout, stderr } : null;
  } catch (error) {
    // Its process was killed.
    if (codeOf(error) === 'ECONNREFUSED') rmSync(path, { force: true });
    return null;
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}

/** Whether a process serves the data folder now. */
export async function isServed(dataFolder: string): Promise<boolean> {
  if (!isPrivate(dataFolder)) return false;
  const reached = readdirSync(socketFolder(dataFolder)).map(
    (name) =>
      new Promise<boolean>((resolve) => {
        const socket = connect(join(socketFolder(dataFolder), name));
        socket.on('error', () => resolve(false));
        socket.on('connect', () => {
          socket.destroy();
          resolve(true);
        });
      }),
  );
  return (await Promise.all(reached)).includes(true);
}

export function socketFolder(dataFolder: string): string {
  return join(dataFolder, 'servers');
}

/** Whether only this user can create a socket there: another user could read questions and forge answers. */
export function isPrivate(dataFolder: string): boolean {
  const own = process.getuid?.();
  // On Windows, access is not in the mode.
  if (own === undefined) return false;
  const isOwnFolder = (stats: Stats | undefined, othersMay: number): boolean =>
    stats?.isDirectory() === true && stats.uid === own && (stats.mode & othersMay) === 0;
  return (
    isOwnFolder(lstatSync(socketFolder(dataFolder), { throwIfNoEntry: false }), 0o077) &&
    isOwnFolder(statSync(dataFolder, { throwIfNoEntry: false }), 0o022)
  );
}

/** Names the installed program: another version of it, or another build, may answer differently. */
export function programIdentity(mainFile: string): string {
  const { mtimeMs, size } = statSync(mainFile);
  return `${mainFile} ${size} ${mtimeMs}`;
}
