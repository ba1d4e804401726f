import { AppError } from '../errors.ts';
import type { CommandContext } from './context.ts';
import { firstLine } from './piped-input.ts';

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
  throw new AppError(
    'invalid_input',
    'There is no password on stdin: pipe it in as one line, or give it with --password.',
  );
}
