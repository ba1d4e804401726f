import { AppError } from '../../errors.ts';
import { editConfig } from './config-files/config-edit.ts';
import { ConfigSyntaxError, isRecord, UneditableConfigError } from './config-files/config-entry.ts';
import { readConfigFile } from './config-files/config-file.ts';
import {
  configPath,
  ownKeys,
  type Entry,
  type Host,
  type RemoteServer,
  type ServerCommand,
  serverName,
} from './hosts.ts';
import type { Machine } from './machine.ts';

export interface HostChange {
  host: Host;
  path: string;
  /** Null: there is no file. */
  before: string | null;
  /** Null: the file stays as it is. */
  after: string | null;
  problem?: string;
}

/** Works out the change of a host's file. @param entry undefined to remove the server */
export function planChange(host: Host, machine: Machine, entry: Entry | undefined): HostChange {
  const path = configPath(host, machine);
  let before: string | null = null;
  try {
    before = readConfigFile(path);
    if (before === null && entry === undefined) return { host, path, before, after: null };
    const after = editConfig(host.format, before ?? '', {
      path: [host.serversKey, serverName],
      entry,
      ownKeys: ownKeys(host),
    });
    return { host, path, before, after: after === before ? null : after };
  } catch (error) {
    return { host, path, before, after: null, problem: problemOf(error, host, path) };
  }
}

function problemOf(error: unknown, host: Host, path: string): string {
  if (error instanceof ConfigSyntaxError)
    return `${path} is not valid: line ${error.line}, ${error.message}. It was left alone; mend it and run this again.`;
  if (error instanceof UneditableConfigError)
    return `${path} was left alone: ${error.message}. \`commonplace setup --print --host ${host.id}\` prints the block to paste.`;
  if (error instanceof AppError) return error.message;
  throw error;
}

/** The changed lines as `-` and `+`, without those around: configurations hold other programs' secrets. */
export function lineDiff(before: string, after: string): string {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1;
  let [oldEnd, freshEnd] = [old.length, fresh.length];
  while (oldEnd > start && freshEnd > start && old[oldEnd - 1] === fresh[freshEnd - 1]) {
    oldEnd -= 1;
    freshEnd -= 1;
  }
  return [
    `@@ line ${start + 1} @@`,
    ...old.slice(start, oldEnd).map((line) => `- ${line}`),
    ...fresh.slice(start, freshEnd).map((line) => `+ ${line}`),
  ].join('\n');
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** A server as a host's entry describes it. */
export type EntryTarget =
  | { kind: 'local'; server: ServerCommand; environment: Record<string, string> }
  | { kind: 'remote'; server: RemoteServer };

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function textFields(value: unknown): Record<string, string> {
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).flatMap(([key, one]) => (typeof one === 'string' ? [[key, one]] : [])))
    : {};
}

/** Reads an entry of any host; null when it names neither a command nor an address. */
export function readEntry(entry: unknown): EntryTarget | null {
  if (!isRecord(entry)) return null;
  const words = Array.isArray(entry['command']) ? texts(entry['command']) : [];
  const command = text(entry['command']) ?? text(entry['cmd']) ?? words[0];
  if (command !== undefined) {
    const args = words.length > 0 ? words.slice(1) : texts(entry['args']);
    const environment = {
      ...textFields(entry['env']),
      ...textFields(entry['envs']),
      ...textFields(entry['environment']),
    };
    return { kind: 'local', server: { command, args }, environment };
  }
  const url = ['url', 'httpUrl', 'serverUrl', 'uri'].map((key) => text(entry[key])).find((one) => one !== undefined);
  if (url === undefined) return null;
  const headers = { ...textFields(entry['headers']), ...textFields(entry['http_headers']) };
  const [, token] = /^Bearer ([\x21-\x7e]+)$/.exec(headers['Authorization'] ?? '') ?? [];
  // A placeholder, which only the host can fill in, is not a token.
  return { kind: 'remote', server: { url, token: token === undefined || /[${]/.test(token) ? null : token } };
}

/** Whether the entry is disabled in the host. */
export function isSwitchedOff(entry: unknown): boolean {
  return isRecord(entry) && (entry['disabled'] === true || entry['enabled'] === false);
}
