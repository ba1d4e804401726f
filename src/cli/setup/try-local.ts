import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { ServerCommand } from './assistant-host.ts';
import type { Machine } from './machine.ts';
import {
  initializedNotification,
  initializeRequest,
  listToolsRequest,
  maxAnswerBytes,
  maxTrialMs,
  type Trial,
  TrialAnswers,
} from './trial.ts';

/**
 * The variables that hosts pass on to servers, as in the MCP SDK (`getDefaultEnvironment`). Some pass more; a server that
 * starts with these starts with more.
 */
const passedOn = {
  posix: ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'],
  win32: [
    'APPDATA',
    'HOMEDRIVE',
    'HOMEPATH',
    'LOCALAPPDATA',
    'PATH',
    'PROCESSOR_ARCHITECTURE',
    'PROGRAMFILES',
    'SYSTEMDRIVE',
    'SYSTEMROOT',
    'TEMP',
    'USERNAME',
    'USERPROFILE',
  ],
};

/** Time for the server to end by itself. */
const endingMs = 2_000;
const maxErrorCharacters = 2_000;

function hostEnvironment({ platform, environment }: Machine): Record<string, string> {
  const wanted = platform === 'win32' ? passedOn.win32 : passedOn.posix;
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value !== undefined && wanted.includes(platform === 'win32' ? name.toUpperCase() : name) ? [[name, value]] : [],
    ),
  );
}

/** The first file that the command names and that is not there; null when all are. */
export function missingFile({ command, args }: ServerCommand): string | null {
  const script = args.find((word) => isAbsolute(word) && /\.[cm]?js$/.test(word));
  const named = [command, ...(script === undefined ? [] : [script])].filter((path) => isAbsolute(path));
  return named.find((path) => !existsSync(path)) ?? null;
}

/** Starts the server as a host would, asks it for its tools, and ends it. */
export async function tryLocal(
  server: ServerCommand,
  entryEnvironment: Record<string, string>,
  machine: Machine,
  signal: AbortSignal,
): Promise<Trial> {
  const missing = missingFile(server);
  if (missing !== null) return { ok: false, problem: `${missing} is not there` };
  const child = spawn(server.command, [...server.args], {
    env: { ...hostEnvironment(machine), ...entryEnvironment },
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const ended = new Promise<string>((resolve) => {
    child.on('error', (error) =>
      resolve(`it cannot be started (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`),
    );
    child.on('close', (code) => resolve(`it ended at once, with exit code ${code ?? 'none'}`));
  });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints = (complaints + text).slice(-maxErrorCharacters);
  });
  // A server that ended before it read everything: `ended` says so.
  child.stdin.on('error', () => undefined);
  const send = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);

  const answers = new TrialAnswers();
  const answered = new Promise<Trial>((resolve) => {
    let buffer = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (buffer + text).split('\n');
      buffer = lines.pop() ?? '';
      for (const line of lines) {
        if (answers.take(parsedLine(line))) {
          send(initializedNotification);
          send(listToolsRequest);
        }
      }
      if (buffer.length > maxAnswerBytes) resolve({ ok: false, problem: 'its answer is too long' });
      if (answers.trial !== null) resolve(answers.trial);
    });
  });
  send(initializeRequest);
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(maxTrialMs)]);
  const silent = new Promise<string>((resolve) =>
    timeout.addEventListener('abort', () => resolve(`it did not answer within ${maxTrialMs / 1_000} seconds`)),
  );
  const outcome = await Promise.race([answered, ended, silent]);
  child.stdin.end();
  const killing = setTimeout(() => child.kill('SIGKILL'), endingMs);
  await ended;
  clearTimeout(killing);
  if (typeof outcome !== 'string') return outcome;
  const said = complaints.trim();
  return { ok: false, problem: said === '' ? outcome : `${outcome}. It said: ${said}` };
}

/** One line of the server's output; null for a line that is not JSON, which the caller skips. */
function parsedLine(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return null;
  }
}
