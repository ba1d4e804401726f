import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { isAbsolute } from 'node:path';
import type { Environment } from '../../settings/config.ts';
import { defaultDataFolder } from '../../settings/default-data-folder.ts';
import { firstWord } from '../arguments/first-word.ts';
import {
  askableCommands,
  type AskedCommand,
  isPrivate,
  listSockets,
  maxRequestBytes,
  programIdentity,
  type ServerLine,
  socketFolder,
} from './socket-folder.ts';

export interface CommandAnswer {
  exitCode: number;
  stdout: string;
  stderr: string;
}

export interface AskLimits {
  /** A server that does not say that it is there within this time is left out: it may be stopped, or very busy. */
  acceptMs: number;
  /** Time for the whole answer: a first search may have to read a large index. */
  answerMs: number;
}
const askLimits: AskLimits = { acceptMs: 500, answerMs: 30_000 };

/** Sockets of killed processes stay until the next server starts. Asking one takes a tenth of a millisecond. */
const maxSockets = 8;

/**
 * Lets a server that runs on the same data folder run a command that only reads: it has the library open, its index in
 * memory and perhaps the sentence model, and this process then loads none of the program.
 * @param mainFile the program's main file
 * @returns null when no server runs the command, for whatever reason: then this process has to. The command reads only,
 *   so it does not matter that a server may have run it already
 */
export async function askServer(
  argv: readonly string[],
  environment: Environment,
  stdout: { isTTY?: boolean; columns?: number },
  mainFile: string,
  limits = askLimits,
): Promise<CommandAnswer | null> {
  const dataFolder = askable(argv) ? dataFolderOf(argv, environment) : null;
  if (dataFolder === null) return null;
  try {
    if (!isPrivate(dataFolder)) return null;
    const asked: AskedCommand = {
      program: programIdentity(mainFile),
      argv,
      environment: sentVariables(environment),
      terminal: { isTTY: stdout.isTTY === true, columns: stdout.columns ?? null },
    };
    const request = `${JSON.stringify(asked)}\n`;
    if (Buffer.byteLength(request) > maxRequestBytes) return null;
    for (const path of listSockets(socketFolder(dataFolder)).slice(0, maxSockets)) {
      const answer = await askAt(path, request, limits);
      if (answer !== null) return answer;
    }
    return null;
  } catch {
    // Whatever is wrong with the folder is said by the command that opens it.
    return null;
  }
}

function askable(argv: readonly string[]): boolean {
  return askableCommands.has(firstWord(argv) ?? '') && !argv.some((word) => word === '--help' || word === '-h');
}

/** The data folder, if there is no doubt which one is meant; the server compares it with its own in any case. */
export function dataFolderOf(argv: readonly string[], environment: Environment): string | null {
  const places = argv.flatMap((word, at) => {
    if (word === '--data') return [argv[at + 1] ?? ''];
    return word.startsWith('--data=') ? [word.slice('--data='.length)] : [];
  });
  if (places.length > 1) return null;
  const folder = places[0] ?? (environment['COMMONPLACE_DATA'] || defaultDataFolder(environment, process.platform));
  // The server has another working folder.
  return isAbsolute(folder) ? folder : null;
}

/** Settings, which the server compares with its own; what says where the data folder is; and how the terminal looks. */
function sentVariables(environment: Environment): Record<string, string> {
  const others = ['XDG_DATA_HOME', 'TERM', 'NO_COLOR', 'FORCE_COLOR'];
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value !== undefined && (name.startsWith('COMMONPLACE_') || others.includes(name)) ? [[name, value]] : [],
    ),
  );
}

/** What is no line of a server's is taken for a refusal. */
function serverLine(line: string): ServerLine {
  try {
    const said = JSON.parse(line) as ServerLine | null;
    if (said?.kind === 'accepted' || said?.kind === 'done') return said;
  } catch {
    // Refused below.
  }
  return { kind: 'declined' };
}

/** Resolves to null when nobody listens there, the server does not run the command, or it ends before it has answered. */
function askAt(path: string, request: string, { acceptMs, answerMs }: AskLimits): Promise<CommandAnswer | null> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const end = (answer: CommandAnswer | null) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    const giveUp = () => end(null);
    let timer = setTimeout(giveUp, acceptMs);
    let received = '';
    socket.setEncoding('utf8');
    socket.on('error', giveUp);
    socket.on('close', giveUp);
    socket.on('data', (chunk: string) => {
      received += chunk;
      // A long line is looked through once, when its end has come.
      if (!chunk.includes('\n')) return;
      const lines = received.split('\n');
      received = lines.pop() ?? '';
      for (const line of lines) {
        const said = serverLine(line);
        if (said.kind === 'declined') giveUp();
        else if (said.kind === 'done') end({ exitCode: said.exitCode, stdout: said.stdout, stderr: said.stderr });
        else {
          clearTimeout(timer);
          timer = setTimeout(giveUp, answerMs);
        }
      }
    });
    socket.write(request);
  });
}

/** Whether a process that serves clients runs on a data folder; null where that cannot be told. */
export async function isServed(dataFolder: string): Promise<boolean | null> {
  try {
    if (!isPrivate(dataFolder))
      return existsSync(socketFolder(dataFolder)) || process.getuid === undefined ? null : false;
    return (await Promise.all(listSockets(socketFolder(dataFolder)).map(isListening))).includes(true);
  } catch {
    return null;
  }
}

/** Whether a process listens on a socket; killed ones leave theirs behind. */
export function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => end(true));
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code !== 'ECONNREFUSED'));
  });
}
