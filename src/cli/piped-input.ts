import { createInterface } from 'node:readline';
import { addAbortSignal } from 'node:stream';
import { maxPushedCharacters } from '../domain/records/pushed-content.ts';
import { invalidInput } from '../errors.ts';
import type { CommandContext } from './context.ts';

/** The first line of a stream, such as a piped secret; undefined when there is none. */
export async function firstLine(stream: NodeJS.ReadableStream): Promise<string | undefined> {
  for await (const line of createInterface({ input: stream })) return line;
  return undefined;
}

/**
 * The text piped into a command, without its final line ending.
 * @param words the command's words, and `name` its argument, for the error
 * @throws {AppError} `invalid_input` when nothing was piped in, or it is not UTF-8 text
 */
export async function pipedText(
  { streams: { stdin }, signal }: Pick<CommandContext, 'streams' | 'signal'>,
  words: readonly string[],
  name: string,
): Promise<string> {
  const bytes = stdin.isTTY ? Buffer.alloc(0) : await pipedBytes(stdin, signal);
  const text = decoded(bytes).replace(/\r?\n$/, '');
  if (text.trim() !== '') return text;
  const command = `commonplace ${words.join(' ')}`;
  throw invalidInput(`There is no ${name}. Type it (${command} <${name}>), or pipe it in: ${command} < file.txt`);
}

async function pipedBytes(stdin: NodeJS.ReadStream, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of addAbortSignal(signal, stdin)) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size > maxPushedCharacters)
      throw invalidInput(
        `This is more than ${maxPushedCharacters / 1_000_000} MB of text: save it as a file (commonplace save <file>).`,
      );
  }
  return Buffer.concat(chunks);
}

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw invalidInput('The piped input is not UTF-8 text: save it as a file (commonplace save <file>).', {
      cause: error,
    });
  }
}

export const passwordFlag = [
  '--password <password>',
  'opens a locked PDF; - reads it from stdin. It is not kept',
] as const;

/**
 * The password as given, or the first line of stdin for `-`. Passwords on a command line are visible to other users and
 * stay in the shell's history.
 * @throws {AppError} `invalid_input` when stdin holds no line
 */
export async function readPassword(context: CommandContext, given: string | undefined): Promise<string | undefined> {
  if (given !== '-') return given;
  const line = await firstLine(context.streams.stdin);
  if (line !== undefined) return line;
  throw invalidInput('There is no password on stdin: pipe it in as one line, or give it with --password.');
}
