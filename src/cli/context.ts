import type { App } from '../app/app.ts';
import type { Backups, checkLibrary } from '../app/backups.ts';
import type { Databases } from '../app/installations/databases.ts';
import type { Config } from '../settings/config.ts';
import type { Caller } from '../domain/records/account.ts';
import type { Printed } from '../operations/answers/printed.ts';
import type { Settings } from '../settings/settings.ts';
import { invalidInput } from '../errors.ts';

export type CommandApp = Omit<App, 'assistants' | 'clock' | 'embedder' | 'fetchDocument' | 'stores'>;

export interface OpenOptions {
  /** Keeps the log level of the settings. Other commands log less, because their output already says what happened. */
  keepLog?: boolean;
  /** The command asks a question, so the sentence model is loaded while the data folder is opened. */
  loadsModel?: boolean;
  /** The command serves clients, who can ask again. */
  isServer?: boolean;
  /** The command serves several accounts at once. */
  servesMany?: boolean;
  /** Values of the command's own flags, which override the settings. */
  settings?: Partial<Settings>;
  /** The library file that is about to be adopted. It may be the only file left of the data folder. */
  adopting?: string;
  /** Minimum number of workers, even where the settings leave the processing to another process. */
  minWorkers?: number;
}

export type { Backups, Databases };

/** Parts of the program that are loaded only when a command needs them. */
export interface ProgramParts {
  openApp: OpenApp;
  checkLibrary: typeof checkLibrary;
  backups(): Promise<Backups>;
  databases(): Promise<Databases>;
  /** Runs commands of other processes that only read, for the owner of the data folder. @returns ends it */
  answerCommands(app: CommandApp, config: Config): Promise<() => Promise<void>>;
}

export type OpenApp = (config: Config, options?: OpenOptions) => Promise<CommandApp>;

/** The process's streams; tests pass their own. */
export interface Streams {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
}

export interface CommandContext {
  streams: Streams;
  /** Aborted by Ctrl-C (SIGINT), SIGTERM and SIGHUP. */
  signal: AbortSignal;
  /** Aborted by a second such signal: the user does not want to wait. */
  insistent: AbortSignal;
  json: boolean;
  config: Config;
  version: string;
  caller: Caller;
  /** Opens the program. It is closed when the command ends, in whatever way. */
  open(options?: OpenOptions): Promise<CommandApp>;
  /** Checks the data folder's files for damage, without opening the program. */
  checkLibrary(
    account: string | undefined,
    onChecked: (done: number, files: number) => void,
  ): ReturnType<typeof checkLibrary>;
  backups(): Promise<Backups>;
  databases(): Promise<Databases>;
  /** For commands that serve: runs commands of other processes on this data folder, until the function it resolves to is called. */
  answerCommands(app: CommandApp): Promise<() => Promise<void>>;
  /** Prints the answer to stdout: the value as JSON with `--json`, else what it returns for a person. */
  print(value: unknown, forPerson: () => string | Printed): void;
  /** Writes a message for the user to stderr; never with `--json`. */
  tell(text: string): void;
}

/**
 * Runs a command's action; a number it resolves to is the exit code.
 * @param isMending the settings of `config.json` are left out, because the command may have to mend them
 */
export type RunCommand = (
  action: (context: CommandContext) => Promise<number | void>,
  isMending?: boolean,
) => Promise<void>;

export const exitCodes = {
  ok: 0,
  /** Any other failure. */
  failed: 1,
  /** The command, a flag or a setting is not valid. */
  usage: 2,
  /** There is no item, action or goal with this id. */
  notFound: 3,
  /** The command worked, but something that was saved or extracted could not be processed. */
  notProcessed: 4,
  interrupted: 130,
} as const;

/** @param instead what to do there @throws {AppError} `invalid_input` where the records are in a database */
export function requireDataFolder({ databaseUrl }: Pick<Config, 'databaseUrl'>, instead: string): void {
  if (databaseUrl === '') return;
  throw invalidInput(`The records are in a database (databaseUrl), not in files. ${instead}`);
}
