import { isRecord } from './config-files/config-entry.ts';
import type { RemoteServer, ServerCommand } from './assistant-host.ts';

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
  // A placeholder, which only the host can fill in, is no token.
  return { kind: 'remote', server: { url, token: token === undefined || /[${]/.test(token) ? null : token } };
}

/** Whether the host was told not to start it. */
export function isSwitchedOff(entry: unknown): boolean {
  return isRecord(entry) && (entry['disabled'] === true || entry['enabled'] === false);
}
