import { type Command, CommanderError, Option } from 'commander';
import {
  environmentName,
  flagName,
  loadConfig,
  readEnvironment,
  type Config,
  type Environment,
} from '../settings/config.ts';
import { localCaller } from '../domain/records/account.ts';
import { maskStrings, maskText } from '../domain/text/clean-text.ts';
import { AppError, isAbortError, ProcessingError } from '../errors.ts';
import { createLog } from '../workers/log.ts';
import type { Printed } from '../operations/answers/printed.ts';
import { misspeltVariables } from '../settings/misspelt-variables.ts';
import { secretSettings, type SettingName, settings } from '../settings/settings.ts';
import { CommandWithText, withSwitchesOn } from './arguments/flags.ts';
import { addCommands, helpHint } from './commands/commands.ts';
import {
  exitCodes,
  type CommandApp,
  type CommandContext,
  type OpenOptions,
  type ProgramParts,
  type RunCommand,
  type Streams,
} from './context.ts';
import { lookOf, plainText } from './terminal/look.ts';
import { helpOn, rootHelp, wholeHelp } from './root-help.ts';
import { firstWord } from './arguments/first-word.ts';

/** Maximum time for a command to close what it opened. */
const closingMs = 800;

/**
 * Runs one command line. Without a command it serves MCP over stdio, or on a terminal shows the library.
 * @param typed the arguments after the program's name
 * @param environment the variables of the process that asks, when another one runs its command
 * @returns the exit code, see `exitCodes`
 */
export async function runCommandLine(
  typed: readonly string[],
  process: Streams & NodeJS.EventEmitter,
  parts: ProgramParts,
  version: string,
  environment: Environment = readEnvironment(),
): Promise<number> {
  const given = withSwitchesOn(typed);
  const hasCommand = firstWord(given) !== undefined;
  const greets = !hasCommand && process.stdin.isTTY;
  const argv = hasCommand || greets ? given : ['stdio', ...given];
  const stopping = new AbortController();
  const insisting = new AbortController();
  const stop = () => (stopping.signal.aborted ? insisting : stopping).abort();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);

  // An unhandled rejection is logged: it must not end a server that others use.
  let log = createLog('error');
  const noteRejection = (reason: unknown) => log.error({ err: reason }, 'unhandled failure; the program continues');
  process.on('unhandledRejection', noteRejection);

  const program = buildProgram(version, given);
  let exitCode: number = exitCodes.ok;
  const run: RunCommand = async (action, isMending = false) => {
    const flags = program.opts<Record<string, unknown>>();
    const config = loadConfig(flags, environment, undefined, isMending ? () => ({ values: {} }) : undefined);
    log = createLog(config.logLevel);
    if (flags['json'] !== true)
      for (const note of misspeltVariables(environment)) process.stderr.write(`${maskText(note)}\n`);
    exitCode = await runAction(
      action,
      config,
      flags['json'] === true,
      process,
      [stopping.signal, insisting.signal],
      parts,
      version,
      environment,
    );
  };

  try {
    // Commands take this over when they are added.
    program.configureOutput({
      writeOut: (text) => process.stdout.write(text),
      writeErr: (text) => process.stderr.write(maskText(text)),
    });
    if (greets) program.action(() => run(async (context) => (await import('./overview.ts')).showOverview(context)));
    else await addCommands(program, run, argv);
    if (firstWord(argv) === 'help' && argv.at(-1) === 'all') {
      process.stdout.write(wholeHelp(program));
      return exitCodes.ok;
    }
    if (firstWord(argv) === 'help') {
      const words = argv.slice(argv.indexOf('help') + 1);
      const flag = words.findIndex((word) => word.startsWith('-'));
      helpOn(program, flag === -1 ? words : words.slice(0, flag));
      return exitCodes.ok;
    }
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    return reportError(error, process, argv.includes('--json'), stopping.signal);
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(signal, stop);
    process.off('unhandledRejection', noteRejection);
  }
}

/** @param argv when given, only the settings on this command line get a flag: adding all takes 4 ms */
export function buildProgram(version: string, argv?: readonly string[]): Command {
  const program = new CommandWithText('commonplace')
    .description('A personal knowledge base that your AI assistant reads.')
    .version(version, '--version')
    .option('--data <folder>', `folder that holds everything (${environmentName('data')})`)
    .option('--json', 'print the answer as JSON')
    .exitOverride()
    .showHelpAfterError(helpHint('commonplace'));
  for (const name of Object.keys(settings.shape) as SettingName[]) {
    const flag = flagName(name);
    if (secretSettings.has(name) || argv?.some((word) => word.split('=', 1)[0] === flag) === false) continue;
    program.addOption(new Option(`${flag} <value>`, settings.shape[name].description ?? '').hideHelp());
  }
  program.helpInformation = () => rootHelp(program);
  return program;
}

async function runAction(
  action: (context: CommandContext) => Promise<number | void>,
  config: Config,
  json: boolean,
  streams: Streams,
  [signal, insistent]: readonly [AbortSignal, AbortSignal],
  parts: ProgramParts,
  version: string,
  environment: Environment,
): Promise<number> {
  const opened: CommandApp[] = [];
  const render = await rendererFor(streams.stdout, environment);
  const shown = (answer: string | Printed) => (typeof answer === 'string' ? maskText(answer) : render(answer));
  const context: CommandContext = {
    streams,
    signal,
    insistent,
    json,
    config,
    version,
    caller: localCaller(),
    open: async (options?: OpenOptions) => {
      const app = await parts.openApp(options?.keepLog === true ? config : quietened(config), options);
      opened.push(app);
      return app;
    },
    checkLibrary: (account, onChecked) => parts.checkLibrary(config.data, account, signal, onChecked),
    backups: parts.backups,
    databases: parts.databases,
    answerCommands: (app) => parts.answerCommands(app, config),
    print: (value, forPerson) => {
      const text = json ? JSON.stringify(maskStrings(value), null, 2) : shown(forPerson());
      streams.stdout.write(`${text}\n`);
    },
    tell: (text) => void (json || streams.stderr.write(`${maskText(text)}\n`)),
  };
  try {
    return (await action(context)) ?? exitCodes.ok;
  } finally {
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, closingMs);
    // The command ends even if closing is not done: the next start recovers from a killed process.
    await Promise.race([Promise.all(opened.map((app) => app.close())), late.promise]);
    clearTimeout(timer);
  }
}

/** A server, and a command in a pipe, do without what only a terminal needs. */
async function rendererFor(
  stdout: NodeJS.WriteStream,
  environment: Environment,
): Promise<(printed: Printed) => string> {
  const look = lookOf(stdout, environment);
  if (look.width === null) return (printed) => maskText(plainText(printed));
  const { shownText } = await import('./terminal/terminal-text.ts');
  return (printed) => shownText(printed, look);
}

/** Logs errors only, unless the level is set: the command's output already says what failed. */
function quietened(config: Config): Config {
  return config.origins.logLevel === 'default' ? { ...config, logLevel: 'error' } : config;
}

/** The commands that replace "the list of …" in messages of services, which every interface names in its own way. */
function inCommands(message: string): string {
  return message
    .replace('The list of lists shows', '`commonplace lists` shows')
    .replace('The list of keys shows', '`commonplace token list` shows');
}

function reportError(error: unknown, streams: Streams, json: boolean, signal: AbortSignal): number {
  if (signal.aborted || isAbortError(error)) return exitCodes.interrupted;
  const known = error instanceof AppError || error instanceof ProcessingError;
  const code = known ? error.code : 'internal';
  const message = maskText(known ? inCommands(error.message) : 'Something went wrong inside Commonplace.');
  if (json)
    streams.stderr.write(
      `${JSON.stringify({ error: { code, message, ...(error instanceof AppError && { fields: maskStrings(error.fields) }) } })}\n`,
    );
  else streams.stderr.write(`commonplace: ${message}\n`);
  if (!known)
    streams.stderr.write(`${maskText(error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`);
  if (code === 'invalid_input' || code === 'file_unreadable') return exitCodes.usage;
  if (error instanceof ProcessingError) return exitCodes.notProcessed;
  return code === 'not_found' ? exitCodes.notFound : exitCodes.failed;
}
