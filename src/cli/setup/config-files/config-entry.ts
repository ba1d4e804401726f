import type { Entry } from '../hosts.ts';

export type ReadConfig = Record<string, unknown>;

/** One change of a configuration: this entry, and nothing else. */
export interface EntryEdit {
  /** The key of the servers and the name of the entry. */
  path: readonly [string, string];
  /** Undefined removes it. */
  entry: Entry | undefined;
  present: unknown;
  /** Keys of the entry that this program writes. The others are the user's, and stay. */
  ownKeys: ReadonlySet<string>;
}

/** The file is not valid in its own format. */
export class ConfigSyntaxError extends Error {
  readonly line: number;

  constructor(line: number, problem: string) {
    super(problem);
    this.name = 'ConfigSyntaxError';
    this.line = line;
  }
}

/** The file is valid, but written in a way that cannot be edited without touching other parts of it. */
export class UneditableConfigError extends Error {
  override name = 'UneditableConfigError';
}

/** The new entry together with what the user added to the present one. */
export function mergedEntry({ entry, present, ownKeys }: EntryEdit): Entry {
  const users = isRecord(present) ? Object.entries(present).filter(([key]) => !ownKeys.has(key)) : [];
  return { ...entry, ...Object.fromEntries(users) };
}

export function isRecord(value: unknown): value is ReadConfig {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** Line number of an offset, from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** The lines of a text, each with its line end. */
export function wholeLines(text: string): string[] {
  return text.split(/(?<=\n)/);
}

export function lineEndOf(text: string): '\r\n' | '\n' {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** For formats whose comments begin with `#`. */
export function isBlankOrComment(line: string): boolean {
  const text = line.trim();
  return text === '' || text.startsWith('#');
}
