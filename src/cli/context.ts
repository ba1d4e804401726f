import type { Config } from '../settings/config.ts';
import type { KeepRule } from '../domain/backups/retention.ts';
import type { Caller, Plan } from '../domain/records/account.ts';
import type { Source } from '../domain/records/sources/source.ts';
import type { FolderEvent } from '../domain/records/sources/folder.ts';
import type { Document, Transcript } from '../domain/records/document.ts';
import type { Resource } from '../domain/records/resource.ts';
import type { Log } from '../log.ts';
import type { Services } from '../operations/operation.ts';
import type { Printed } from '../operations/answers/printed.ts';
import type { RequestThread } from '../requests/request-thread.ts';
import type { AccessService } from '../services/access.ts';
import type { SignInService } from '../services/sign-in/sign-in.ts';
import type { ExportService } from '../services/library/exporting.ts';
import type { VaultService } from '../services/library/vault/vault.ts';
import type { ImportService } from '../services/library/importing.ts';
import type { AnalysisCost } from '../services/analyses/analysis-cost.ts';
import type { Check } from '../services/operating/inspection.ts';
import type { ModelsService } from '../services/operating/models.ts';
import type { Settings } from '../settings/settings.ts';
import { AppError } from '../errors.ts';

/** The parts of the program that commands use; `app.ts` builds it. */
export interface CommandApp {
  readonly config: Config;
  readonly log: Log;
  readonly version: string;
  readonly services: Services;
  readonly requests: RequestThread;
  readonly access: AccessService;
  readonly signIn: SignInService;
  readonly importing: ImportService;
  readonly exporting: ExportService;
  readonly vaults: VaultService;
  readonly folders: {
    add(path: string, tags?: readonly string[]): Promise<Source>;
    get(id: string): Promise<Source | null>;
    onEvent(listener: (sourceId: string, event: FolderEvent) => void): () => void;
  };
  /** Imports and exports that a server does. */
  readonly libraryJobs: { removeExpired(): Promise<void> };
  readonly worker: {
    start(): void;
    stop(): Promise<void>;
    /** @param how whether sources that are due are checked, too */
    runUntilEmpty(signal?: AbortSignal, how?: { checksSources?: boolean }): Promise<void>;
  };
  readFile(path: string): Promise<Resource>;
  /** Resolves to null when the file holds no text. */
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
  models(hub?: string): Promise<ModelsService>;
  estimateAnalysisCost(account: string, ids?: readonly string[]): Promise<AnalysisCost | null>;
  countWrittenAnalyses(account: string, ids?: readonly string[]): Promise<number>;
  /** Analyses that the LLM has still to write; 0 without one. */
  countWaitingAnalyses(account: string): Promise<number>;
  loadModel(): Promise<void>;
  prepareSearch(accountId: string, ask: (query: string, signal: AbortSignal) => Promise<unknown>): Promise<void>;
  stopPreparing(): void;
  serve(): Promise<{
    url: string;
    /** Waits for requests in flight, unless `atOnce` is aborted. */
    close(atOnce: AbortSignal): Promise<void>;
  }>;
  close(): Promise<void>;
}

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

/** Damage found in a file of the data folder, and how to fix it. */
interface DamageFound {
  /** `control`, or the account's id. */
  file: string;
  problem: string;
  fix: string;
}

/**
 * Checks the files of a data folder for damage, for one account or for all.
 * @param onChecked called after each file
 */
type CheckLibrary = (
  folder: string,
  account: string | undefined,
  signal: AbortSignal,
  onChecked: (done: number, files: number) => void,
) => Promise<{ files: number; findings: DamageFound[] }>;

type OnDone = (done: number, total: number) => void;

/** Writes, reads and restores backups, without opening the program. */
export interface Backups {
  /** Milliseconds since the epoch. */
  now(): number;
  write(
    request: { folder: string; target: string; account?: string | undefined; program: string; now: number },
    signal: AbortSignal,
    onDone: OnDone,
  ): Promise<{ file: string; bytes: number; accounts: string[]; left: { part: string; reason: string }[] }>;
  verify(
    file: string,
    signal: AbortSignal,
    onDone: OnDone,
  ): Promise<{
    createdAt: string;
    program: string;
    isWhole: boolean;
    parts: { part: string; problems: string[] }[];
  }>;
  restore(
    request: { file: string; folder: string; account?: string | undefined; replace: boolean; now: number },
    signal: AbortSignal,
    onDone: OnDone,
  ): Promise<{
    parts: string[];
    before: string | null;
    adopt: { id: string; name: string; plan: Plan; path: string } | null;
  }>;
  recover(
    request: { file: string; target: string; backup: string | undefined; now: number },
    signal: AbortSignal,
    onDone: OnDone,
  ): Promise<{
    file: string;
    tables: { table: string; copied: number; lost: number | null; changed: number; fromBackup: number }[];
    lostItems: string[];
    rebuiltItems: number;
    itemsReadAgain: number;
  }>;
  /** Paths of the backups in a folder that hold an account. */
  holding(folder: string, account: string): Promise<string[]>;
  /** When the newest backup of all accounts in a folder was begun, up to `now`. */
  newest(folder: string, now: number): number | null;
  removeExpired(folder: string, account: string | undefined, rules: readonly KeepRule[], now: number): string[];
}

/** What a move copied of one account; see `services/moving/`. */
interface AccountMoved {
  id: string;
  items: number;
  copied: number;
  removed: number;
  bytes: number;
  digest: string;
  differing: string[];
}

/** Prepares a database, and moves libraries into one and out of it. */
export interface Databases {
  /**
   * Applies the migrations that are missing.
   * @param url for the role that owns the tables
   * @param nodeRole the role of the servers
   */
  migrate(url: string, nodeRole: string): Promise<{ before: number; after: number; applied: string[] }>;
  /** Copies all accounts between the data folder of the settings and a database, and compares both by hash. */
  move(
    config: Config,
    request: { url: string; to: 'database' | 'folder' },
    signal: AbortSignal,
    onItem: (account: string, done: number, total: number) => void,
  ): Promise<{ accounts: AccountMoved[]; changedMeanwhile: string[] }>;
}

/** Parts of the program that are loaded only when a command needs them. */
export interface ProgramParts {
  openApp: OpenApp;
  checkLibrary: CheckLibrary;
  backups(): Promise<Backups>;
  databases(): Promise<Databases>;
  /**
   * Runs commands of other processes that only read, for the owner of the data folder.
   * @param config the settings with which this process was started
   * @returns ends it
   */
  answerCommands(app: CommandApp, config: Config): Promise<() => Promise<void>>;
}

export type OpenApp = (config: Config, options?: OpenOptions) => Promise<CommandApp>;

/** The process's streams; tests pass their own. */
export interface Streams {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
}

/** What a command is given. */
export interface CommandContext {
  streams: Streams;
  /** Aborted by Ctrl-C (SIGINT), SIGTERM and SIGHUP. */
  signal: AbortSignal;
  /** Aborted by a second such signal: the user does not want to wait. */
  insistent: AbortSignal;
  json: boolean;
  config: Config;
  /** The program's version. */
  version: string;
  caller: Caller;
  /** Opens the program. It is closed when the command ends, in whatever way. */
  open(options?: OpenOptions): Promise<CommandApp>;
  /** Checks the data folder's files for damage, without opening the program. */
  checkLibrary(account: string | undefined, onChecked: (done: number, files: number) => void): ReturnType<CheckLibrary>;
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

/** The exit codes of every command. */
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

/**
 * Refuses what works on the files of a data folder where the records are in a database.
 * @param instead what to do there
 * @throws {AppError} `invalid_input`
 */
export function requireDataFolder({ databaseUrl }: Pick<Config, 'databaseUrl'>, instead: string): void {
  if (databaseUrl === '') return;
  throw new AppError('invalid_input', `The records are in a database (databaseUrl), not in files. ${instead}`);
}
