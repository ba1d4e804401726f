import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { PassThrough, Writable } from 'node:stream';
import { z } from 'zod';
import type { Config, Environment } from '../../settings/config.ts';
import type { CommandApp, ProgramParts, Streams } from '../context.ts';
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
  socketPath,
} from './socket-folder.ts';
import { isListening } from './ask-server.ts';
import { answersAlike } from './settings-for-answers.ts';

/** Runs a command line, see `runCommandLine`. */
export type RunHere = (
  argv: readonly string[],
  streams: Streams & NodeJS.EventEmitter,
  parts: ProgramParts,
  environment: Environment,
) => Promise<number>;

export interface AnsweringParts {
  app: CommandApp;
  /** The settings with which this process was started, before its own flags. */
  config: Config;
  mainFile: string;
  run: RunHere;
}

/** A command that does not send its request in this time is not served. */
const requestMs = 1_000;
const maxConnections = 16;
const closingMs = 500;

const askedCommand = z.strictObject({
  program: z.string(),
  argv: z.array(z.string()),
  environment: z.record(z.string(), z.string()),
  terminal: z.strictObject({ isTTY: z.boolean(), columns: z.int().nullable() }),
});

const notListening = () => Promise.resolve();

/** Thrown to end a command that its own process has to run. */
class NotHere extends Error {}

/**
 * Listens on a socket in the data folder for commands that only read (`ask-server.ts`). Whoever may open the socket is
 * the owner of the data folder, who may read all of it anyway.
 * When this process cannot listen, commands open the library themselves, as they do without a server.
 * @returns stops listening, and removes the socket
 */
export async function answerCommands(parts: AnsweringParts): Promise<() => Promise<void>> {
  const { app, mainFile } = parts;
  const { log } = app;
  const folder = socketFolder(app.config.data);
  const path = socketPath(folder, randomBytes(6).toString('hex'));
  try {
    if (path === null || process.getuid === undefined) return notListening;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isPrivate(app.config.data)) {
      log.debug({}, 'no socket for commands: others may write to the data folder, or it belongs to somebody else');
      return notListening;
    }
    await removeStale(folder);
    const program = programIdentity(mainFile);
    const server = createServer((socket) => void serve(socket, parts, program));
    server.maxConnections = maxConnections;
    await listen(server, path);
    chmodSync(path, 0o600);
    const sockets = new Set<Socket>();
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
    return async () => {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      const timer = setTimeout(() => sockets.forEach((socket) => socket.destroy()), closingMs);
      await closed;
      clearTimeout(timer);
    };
  } catch (error) {
    log.debug({ err: error }, 'no socket for commands: it could not be made');
    return notListening;
  }
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      server.on('error', () => undefined);
      resolve();
    });
  });
}

/** Removes the sockets of processes that were killed. */
async function removeStale(folder: string): Promise<void> {
  await Promise.all(
    listSockets(folder).map(async (path) => {
      if (!(await isListening(path))) rmSync(path, { force: true });
    }),
  );
}

async function serve(socket: Socket, parts: AnsweringParts, program: string): Promise<void> {
  const gone = new AbortController();
  socket.on('error', () => undefined);
  socket.once('close', () => gone.abort());
  const say = (line: ServerLine) => void (socket.writable && socket.write(`${JSON.stringify(line)}\n`));
  try {
    const asked = await readRequest(socket);
    if (asked === null || asked.program !== program || !askableCommands.has(firstWord(asked.argv) ?? '')) {
      say({ kind: 'declined' });
      return;
    }
    say({ kind: 'accepted' });
    say(await runAsked(asked, parts, gone.signal));
  } catch (error) {
    parts.app.log.warn({ err: error }, 'a command of another process could not be run');
    say({ kind: 'declined' });
  } finally {
    socket.end();
  }
}

/** Resolves to null when the bytes are not a request. */
async function readRequest(socket: Socket): Promise<AskedCommand | null> {
  const line = await new Promise<string | null>((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const timer = setTimeout(() => resolve(null), requestMs);
    const end = (text: string | null) => {
      clearTimeout(timer);
      resolve(text);
    };
    socket.on('data', (chunk: Buffer) => {
      // What follows the request is read and forgotten, so that the end of the connection is seen.
      if (bytes > maxRequestBytes) return;
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxRequestBytes) end(null);
      else if (chunk.includes('\n')) {
        bytes = Number.POSITIVE_INFINITY;
        end(Buffer.concat(chunks).toString('utf8'));
      }
    });
    socket.once('close', () => end(null));
  });
  if (line === null) return null;
  try {
    return askedCommand.parse(JSON.parse(line));
  } catch {
    return null;
  }
}

/** Runs a command as its own process would, with the library that this process has open. */
async function runAsked(asked: AskedCommand, parts: AnsweringParts, signal: AbortSignal): Promise<ServerLine> {
  const { app, config, run } = parts;
  const [stdout, stderr] = [collect(), collect()];
  const { isTTY, columns } = asked.terminal;
  const streams = Object.assign(new EventEmitter(), {
    stdin: new PassThrough().end(),
    stdout: Object.assign(stdout.stream, { isTTY, ...(columns !== null && { columns }) }),
    stderr: stderr.stream,
  });
  // As if the person had pressed Ctrl-C.
  signal.addEventListener('abort', () => streams.emit('SIGINT'), { once: true });
  let isDeclined = false;
  const decline = () => {
    isDeclined = true;
    return Promise.reject(new NotHere());
  };
  const exitCode = await run(
    asked.argv,
    streams as unknown as Streams & NodeJS.EventEmitter,
    {
      openApp: async (asking, options) => {
        if (!answersAlike(config, asking)) return decline();
        if (options?.loadsModel === true)
          app.loadModel().catch((error: unknown) => app.log.debug({ err: error }, 'the sentence model was not loaded'));
        // The library stays open when the command ends.
        return { ...app, close: () => Promise.resolve() };
      },
      checkLibrary: decline,
      backups: decline,
      databases: decline,
      answerCommands: decline,
    },
    asked.environment,
  );
  if (isDeclined) return { kind: 'declined' };
  return { kind: 'done', exitCode, stdout: stdout.text(), stderr: stderr.text() };
}

function collect(): { stream: Writable; text: () => string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') };
}
