import type { Config } from '../config.ts';
import type { Caller } from '../domain/records/account.ts';
import type { Document, Transcript } from '../domain/records/document.ts';
import type { Resource } from '../domain/records/resource.ts';
import type { Log } from '../log.ts';
import type { Services } from '../operations/operation.ts';
import type { RequestThread } from '../requests/request-thread.ts';
import type { AccessService } from '../services/access.ts';
import type { AnalysisCost } from '../services/analyses/analysis-cost.ts';
import type { Check } from '../services/operating/inspection.ts';
import type { ModelsService } from '../services/operating/models.ts';
import type { Settings } from '../settings.ts';

/** What the command line needs of the program that was put together; `app.ts` makes it. */
export interface CommandApp {
  readonly config: Config;
  readonly log: Log;
  readonly version: string;
  readonly services: Services;
  readonly requests: RequestThread;
  readonly access: AccessService;
  readonly worker: { start(): void; stop(): Promise<void>; runUntilEmpty(signal?: AbortSignal): Promise<void> };
  readFile(path: string): Promise<Resource>;
  /** Null when the file holds no text. */
  readText(path: string, signal: AbortSignal): Promise<string | null>;
  extract(
    target: string,
    address: string | undefined,
    signal: AbortSignal,
    password?: string,
  ): Promise<{
    resource: Resource;
    document: Omit<Document, 'blocks'>;
    transcript: Transcript;
    mediaType: string;
    wordCount: number;
  }>;
  unlock(target: string, url: string, password: string, signal: AbortSignal): Promise<Resource>;
  inspect(): Promise<Check[]>;
  models(): Promise<ModelsService>;
  estimateAnalysisCost(account: string, ids?: readonly string[]): Promise<AnalysisCost | null>;
  countWrittenAnalyses(account: string, ids?: readonly string[]): Promise<number>;
  countIndexed(): Promise<{ passages: number; embedded: number }>;
  serve(): Promise<{
    url: string;
    /** Waits for what is being answered, unless `atOnce` is aborted. */
    close(atOnce: AbortSignal): Promise<void>;
  }>;
  close(): Promise<void>;
}

export interface OpenOptions {
  /** Another data folder than the settings name. */
  data?: string;
  /** For measuring retrieval: nothing is summarised. */
  withoutAnalysis?: boolean;
  /** Logs as the settings say; other commands log less, since their answer tells what happened. */
  keepLog?: boolean;
  /** What the command's own flags say instead of the settings. */
  settings?: Partial<Settings>;
  /** Creates, migrates and writes nothing. */
  readOnly?: boolean;
  /** The library that is about to be taken over, which may be all that is left of the data folder. */
  adopting?: string;
  /** Processes items even where the settings leave that to another process. */
  leastWorkers?: number;
}

/** Something in a file of the data folder that is not as it was written, and what to do about it. */
interface DamageFound {
  /** `control`, or the account. */
  file: string;
  problem: string;
  fix: string;
}

/**
 * Looks through the files of a data folder for damage, of one account or of all.
 * @param onChecked told after each file
 */
type CheckLibrary = (
  folder: string,
  account: string | undefined,
  signal: AbortSignal,
  onChecked: (done: number, files: number) => void,
) => Promise<{ files: number; findings: DamageFound[] }>;

/** What the program is made of, loaded when a command needs it. */
export interface ProgramParts {
  openApp: OpenApp;
  checkLibrary: CheckLibrary;
}

export type OpenApp = (config: Config, options?: OpenOptions) => Promise<CommandApp>;

/** The outside of the program, so that a test can stand in for it. */
export interface Streams {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
}

/** What a command is given. */
export interface CommandContext {
  streams: Streams;
  /** Aborted by Ctrl-C and by the signals that end a process. */
  signal: AbortSignal;
  /** Aborted when the same comes a second time: whoever sent it does not want to wait. */
  insistent: AbortSignal;
  json: boolean;
  config: Config;
  /** Of the program. */
  version: string;
  caller: Caller;
  /** Opens the program; it is closed when the command ends, however it ends. */
  open(options?: OpenOptions): Promise<CommandApp>;
  /** Looks through the data folder's files for damage, without opening the program. */
  checkLibrary(account: string | undefined, onChecked: (done: number, files: number) => void): ReturnType<CheckLibrary>;
  /** The answer, on stdout: the value with `--json`, else the text. */
  print(value: unknown, text: () => string): void;
  /** For the person at the terminal, on stderr; never with `--json`. */
  tell(text: string): void;
}

/** Runs what a command does; a number it answers is the exit code. */
export type RunCommand = (action: (context: CommandContext) => Promise<number | void>) => Promise<void>;

/** The exit codes of every command. */
export const exitCodes = {
  ok: 0,
  /** Something went wrong that is not listed below. */
  failed: 1,
  /** The command, a flag or a setting is not valid. */
  usage: 2,
  /** There is no item, action or goal with this id. */
  notFound: 3,
  /** The command worked, but something that was saved or extracted could not be processed. */
  notProcessed: 4,
  interrupted: 130,
} as const;
