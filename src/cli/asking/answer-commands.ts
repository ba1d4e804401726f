import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { chmodSync, mkdirSync, realpathSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough, Writable } from 'node:stream';
import type { Config, Environment } from '../../settings/config.ts';
import { embeddingSettings, searchSettings, type SettingName } from '../../settings/settings.ts';
import { firstWord } from '../arguments/first-word.ts';
import type { CommandApp, ProgramParts, Streams } from '../context.ts';
import {
  askableCommands,
  type AskedCommand,
  type CommandAnswer,
  isPrivate,
  programIdentity,
  socketFolder,
} from './ask-server.ts';

export interface AnsweringParts {
  app: CommandApp;
  /** The settings with which this process was started, before its own flags. */
  config: Config;
  mainFile: string;
  /** Runs a command line, see `runCommandLine`. */
  run: (
    argv: readonly string[],
    streams: Streams & NodeJS.EventEmitter,
    parts: ProgramParts,
    environment: Environment,
  ) => Promise<number>;
}

const requestLimitMs = 1_000;

/**
 * Listens for commands that only read (`ask-server.ts`). Whoever may open the socket is the owner of the data folder, who
 * may read all of it anyway. Where this process cannot listen, commands open the library themselves.
 * @returns stops listening, and removes the socket
 */
export async function answerCommands(parts: AnsweringParts): Promise<() => Promise<void>> {
  const { app, mainFile } = parts;
  const folder = socketFolder(app.config.data);
  const path = join(folder, `${randomBytes(6).toString('hex')}.sock`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isPrivate(app.config.data)) throw new Error('others may write to the data folder, or it belongs to them');
    const program = programIdentity(mainFile);
    const server: Server = createServer((socket) => void serve(socket, parts, program, () => server.listening));
    server.maxConnections = 16;
    await once(server.listen(path), 'listening');
    server.on('error', () => undefined);
    chmodSync(path, 0o600);
    return () => Promise.resolve(void server.close());
  } catch (error) {
    app.log.debug({ err: error }, 'no socket for commands: it could not be made');
    return () => Promise.resolve();
  }
}

async function serve(socket: Socket, parts: AnsweringParts, program: string, isOpen: () => boolean): Promise<void> {
  socket.on('error', () => undefined);
  try {
    const [line] = (await once(createInterface({ input: socket }), 'line', {
      signal: AbortSignal.timeout(requestLimitMs),
    })) as [string];
    const asked = JSON.parse(line) as AskedCommand | null;
    if (asked?.program !== program || !askableCommands.has(firstWord(asked.argv) ?? '')) return;
    const answer = await runAsked(asked, parts);
    // The library may have been closed under a command.
    if (answer !== null && isOpen()) socket.write(JSON.stringify(answer));
  } catch (error) {
    parts.app.log.debug({ err: error }, 'a command of another process could not be run');
  } finally {
    socket.end();
  }
}

/** Runs a command as its own process would, with the library that this process has open. Null: its own process has to. */
async function runAsked(asked: AskedCommand, parts: AnsweringParts): Promise<CommandAnswer | null> {
  const { app, config, run } = parts;
  const written = { stdout: '', stderr: '' };
  const writer = (name: keyof typeof written) =>
    new Writable({ decodeStrings: false, write: (text, _encoding, done) => done(void (written[name] += text)) });
  const streams = Object.assign(new EventEmitter(), {
    stdin: new PassThrough().end(),
    stdout: Object.assign(writer('stdout'), asked.terminal),
    stderr: writer('stderr'),
  });
  let isDeclined = false;
  const decline = () => {
    isDeclined = true;
    return Promise.reject(new Error('the process that asks runs this command itself'));
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
  return isDeclined ? null : { exitCode, ...written };
}

/** Settings on which the answer of a command that only reads depends. */
const decisive: readonly SettingName[] = [
  'databaseUrl',
  'historyDays',
  ...(Object.keys({ ...embeddingSettings, ...searchSettings }) as SettingName[]),
];

/** Whether a server with the settings `own` answers as a process with the settings `asked` would. */
export function answersAlike(own: Config, asked: Config): boolean {
  // A command that logs does so in its own process.
  if (asked.origins.logLevel !== 'default' || !decisive.every((name) => own[name] === asked[name])) return false;
  return realpathSync(own.data) === realpathSync(asked.data);
}
