import { Option } from 'commander';
import { AppError } from '../../errors.ts';
import type { CommandContext } from '../context.ts';
import { firstLine } from '../piped-input.ts';
import type { Host, RemoteServer } from './assistant-host.ts';

/** The flags that name a server elsewhere, as commander stores them. */
export interface RemoteFlags {
  remote?: string;
  token?: string;
}

export function remoteFlags(): Option[] {
  return [
    new Option('--remote <url>', 'use a server elsewhere: its address; /mcp is added where no path is given'),
    new Option('--token <token>', 'with --remote: a token of that server; - reads it from stdin'),
  ];
}

/** Says that a host cannot use a server elsewhere, and what to do instead. */
export function remoteRefusal({ name }: Host): string {
  return `${name} takes no address with a token. docs/remote-assistants.md says how to go through a small program on its machine.`;
}

/**
 * Reads the server that `--remote` names; null without it.
 * @throws {AppError} `invalid_input` for what is not an address, or a token with characters that no header may hold
 */
export async function readRemote(
  context: CommandContext,
  { remote, token }: RemoteFlags,
): Promise<RemoteServer | null> {
  if (remote === undefined) {
    if (token !== undefined) throw new AppError('invalid_input', '--token goes with --remote.');
    return null;
  }
  const url = URL.parse(remote);
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') {
    throw new AppError(
      'invalid_input',
      '--remote takes the address of a server, such as https://library.example.com/mcp; a token goes into --token.',
    );
  }
  // The address of the server itself is what people know.
  if (url.pathname === '/') url.pathname = '/mcp';
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol === 'http:' && !isLocal)
    context.tell('Over http:// everybody on the way can read the token. Put the server behind TLS (docs/hosting.md).');
  return { url: url.href, token: await readToken(context, token) };
}

async function readToken({ streams }: CommandContext, given: string | undefined): Promise<string | null> {
  if (given === undefined) return null;
  const token = (given === '-' ? await firstLine(streams.stdin) : given)?.trim() ?? '';
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new AppError('invalid_input', '--token takes a token as `commonplace token create` prints it.');
}
