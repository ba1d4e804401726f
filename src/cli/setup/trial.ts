import { z } from 'zod';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { type Host, type RemoteServer, type ServerCommand, serverName } from './hosts.ts';
import type { Machine } from './machine.ts';
import { entryIn, readConfig } from './config-files/config-edit.ts';
import { readConfigFile } from './config-files/config-file.ts';
import { type EntryTarget, isSwitchedOff, readEntry } from './changes.ts';
import { codeOf } from '../../errors.ts';

/** A server as a host sees it: its tools, or why there are none. */
export type Trial =
  | { ok: true; version: string; tools: string[]; milliseconds: number }
  | { ok: false; problem: string };

const maxTrialMs = 30_000;
export const maxAnswerBytes = 8 << 20;

/** The first messages of a client. Every current host speaks this protocol version. */
const initializeRequest = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'commonplace-setup', version: '1' },
  },
} as const;
const initializedNotification = { jsonrpc: '2.0', method: 'notifications/initialized' } as const;
const listToolsRequest = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} } as const;

const answer = z.object({
  id: z.number(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).nullish(),
});
const initialized = z.object({ serverInfo: z.object({ version: z.string() }) });
const toolList = z.object({ tools: z.array(z.object({ name: z.string() })) });

/** Collects the answers to the two requests as they come in. */
export class TrialAnswers {
  readonly #began = performance.now();
  #version: string | null = null;
  #trial: Trial | null = null;

  get trial(): Trial | null {
    return this.#trial;
  }

  /** @returns whether the next request may be sent now */
  take(message: unknown): boolean {
    const parsed = answer.safeParse(message);
    if (!parsed.success || this.#trial !== null) return false;
    const { id, result, error } = parsed.data;
    if (error !== undefined && error !== null) {
      this.#trial = { ok: false, problem: 'it answers with an error' };
      return false;
    }
    if (id === initializeRequest.id) {
      const greeting = initialized.safeParse(result);
      this.#version = greeting.success ? greeting.data.serverInfo.version : '';
      return true;
    }
    if (id === listToolsRequest.id) {
      const list = toolList.safeParse(result);
      this.#trial = list.success
        ? {
            ok: true,
            version: this.#version ?? '',
            tools: list.data.tools.map(({ name }) => name),
            milliseconds: Math.round(performance.now() - this.#began),
          }
        : { ok: false, problem: 'its list of tools cannot be read' };
    }
    return false;
  }
}

/** Variables that hosts pass on, as in the MCP SDK (`getDefaultEnvironment`); some pass more. */
const passedOn = {
  posix: ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'],
  win32: (
    'APPDATA HOMEDRIVE HOMEPATH LOCALAPPDATA PATH PROCESSOR_ARCHITECTURE PROGRAMFILES SYSTEMDRIVE SYSTEMROOT ' +
    'TEMP USERNAME USERPROFILE'
  ).split(' '),
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

type Failed = Extract<Trial, { ok: false }>;

/**
 * Starts a program as a host would, talks to it, and ends it.
 * @param shell Windows starts no script otherwise
 * @returns what `talk` found, or why it found nothing
 */
export async function tryProgram<Found>(
  { command, args }: ServerCommand,
  environment: Record<string, string>,
  machine: Machine,
  signal: AbortSignal,
  talk: (child: ChildProcessWithoutNullStreams) => Promise<Found>,
  shell = false,
): Promise<Found | Failed> {
  const missing = missingFile({ command, args });
  if (missing !== null) return { ok: false, problem: `${missing} is not there` };
  const child = spawn(shell ? `"${command}"` : command, [...args], {
    env: { ...hostEnvironment(machine), ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
    shell,
  });
  const ended = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(`it cannot be started (${codeOf(error) || 'unknown'})`));
    child.on('close', (code) => resolve(`it ended at once, with exit code ${code ?? 'none'}`));
  });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints = (complaints + text).slice(-maxErrorCharacters);
  });
  // A server that ended before it read everything: `ended` says so.
  child.stdin.on('error', () => undefined);
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(maxTrialMs)]);
  const silent = new Promise<string>((resolve) =>
    timeout.addEventListener('abort', () => resolve(`it did not answer within ${maxTrialMs / 1_000} seconds`)),
  );
  const outcome = await Promise.race([talk(child), ended, silent]);
  child.stdin.end();
  const killing = setTimeout(() => child.kill('SIGKILL'), endingMs);
  await ended;
  clearTimeout(killing);
  if (typeof outcome !== 'string') return outcome;
  const said = complaints.trim();
  return { ok: false, problem: said === '' ? outcome : `${outcome}. It said: ${said}` };
}

function askForTools(child: ChildProcessWithoutNullStreams): Promise<Trial> {
  const send = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
  const answers = new TrialAnswers();
  send(initializeRequest);
  return new Promise<Trial>((resolve) => {
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
}

/** One line of the server's output; null for a line that is not JSON, which the caller skips. */
function parsedLine(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return null;
  }
}

/** Asks a server elsewhere for its tools, with its token, as a host would. */
export async function tryRemote(server: RemoteServer, signal: AbortSignal): Promise<Trial> {
  const answers = new TrialAnswers();
  const within = AbortSignal.any([signal, AbortSignal.timeout(maxTrialMs)]);
  try {
    let session: string | null = null;
    for (const message of [initializeRequest, initializedNotification, listToolsRequest]) {
      const response: Response = await post(server, message, session, within);
      session ??= response.headers.get('mcp-session-id');
      if (!response.ok) return { ok: false, problem: refusal(response.status) };
      for (const answer of messagesOf(await bodyOf(response))) answers.take(answer);
      if (answers.trial !== null) return answers.trial;
    }
    return { ok: false, problem: 'it does not answer as an MCP server does' };
  } catch {
    signal.throwIfAborted();
    return { ok: false, problem: within.aborted ? 'it did not answer in time' : 'it cannot be reached' };
  }
}

function post({ url, token }: RemoteServer, message: object, session: string | null, signal: AbortSignal) {
  return fetch(url, {
    method: 'POST',
    // A redirect would carry the token to another place.
    redirect: 'error',
    signal,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': initializeRequest.params.protocolVersion,
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(session === null ? {} : { 'mcp-session-id': session }),
    },
    body: JSON.stringify(message),
  });
}

function refusal(status: number): string {
  if (status === 401) return 'it does not accept the token (401)';
  if (status === 404) return 'there is nothing at this address (404): it ends in /mcp';
  return `it answers with status ${status}`;
}

async function bodyOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > maxAnswerBytes) throw new RangeError('the answer is too long');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** The JSON messages of a body, which is one of them or a stream of events. */
function messagesOf(body: string): unknown[] {
  const texts = body.trimStart().startsWith('{')
    ? [body]
    : body.split('\n').flatMap((line) => (line.startsWith('data:') ? [line.slice(5)] : []));
  return texts.filter((text) => text.trim() !== '').map((text) => JSON.parse(text) as unknown);
}

/**
 * The entry of this server in a host's file. `target` is null when there is none, or it cannot be understood.
 * @throws {ConfigSyntaxError} when the file is not valid
 * @throws {AppError} `invalid_input` when it cannot be read
 */
export function presentEntry(
  host: Host,
  path: string,
): { isThere: boolean; isSwitchedOff: boolean; target: EntryTarget | null } {
  const entry = entryIn(readConfig(host.format, readConfigFile(path) ?? ''), [host.serversKey, serverName]);
  return { isThere: entry !== undefined, isSwitchedOff: isSwitchedOff(entry), target: readEntry(entry) };
}

export function shownTarget(target: EntryTarget): string {
  return target.kind === 'remote' ? target.server.url : [target.server.command, ...target.server.args].join(' ');
}

export function tryTarget(target: EntryTarget, machine: Machine, signal: AbortSignal): Promise<Trial> {
  return target.kind === 'remote'
    ? tryRemote(target.server, signal)
    : tryProgram(target.server, target.environment, machine, signal, askForTools);
}
