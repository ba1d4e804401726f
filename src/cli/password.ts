import { createInterface } from 'node:readline';
import { AppError } from '../errors.ts';
import type { CommandContext } from './context.ts';

export const passwordFlag = [
  '--password <password>',
  'opens a locked PDF; - reads it from stdin. It is not kept',
] as const;

/** The password as it was given, or the first line of stdin: what stands on a command line is seen by others and remembered. */
export async function readPassword(context: CommandContext, given: string | undefined): Promise<string | undefined> {
  if (given !== '-') return given;
  for await (const line of createInterface({ input: context.streams.stdin })) return line;
  throw new AppError(
    'invalid_input',
    'There is no password on stdin: pipe it in as one line, or give it with --password.',
  );
}
