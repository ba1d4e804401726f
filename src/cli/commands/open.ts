import type { Command } from 'commander';
import { type Config, type Environment, readEnvironment } from '../../settings/config.ts';
import { isLoopbackHost } from '../../domain/links/configured-addresses.ts';
import type { AppError } from '../../errors.ts';
import { invalidInput, unavailable } from '../../errors.ts';
import { line, link } from '../../operations/answers/printed.ts';
import type { CommandApp, CommandContext, RunCommand } from '../context.ts';
import { linkAddress, serve } from './serve.ts';
import { parsePort } from '../arguments/flags.ts';
import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';

/** A server on this machine answers at once, unless it is starting. */
const maxProbeMs = 3_000;

export function addOpenCommand(program: Command, run: RunCommand): void {
  program
    .command('open')
    .description(
      'Open your library in the browser, and serve it when no server runs; with an id, open the source of that item. Without a display the address is printed',
    )
    .argument('[id]')
    .option('--port <number>', 'port on which `serve` listens (setting httpPort)', parsePort)
    .action((id: string | undefined, { port }: { port?: number }) =>
      run((context) => (id === undefined ? openPages(context, port) : openItem(context, id))),
    );
}

async function openItem(context: CommandContext, id: string): Promise<void> {
  const app = await context.open();
  const item = await app.services.library.get(context.caller.accountId, id);
  const url = URL.parse(item.url ?? '');
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw invalidInput(
      `This item has no web address: it was saved from a file or written as a note. Read it here: commonplace show ${id}`,
    );
  }
  await show(context, url, { id });
}

/** Opens the page of the library for the local account. On a terminal it also serves it when no server runs. */
async function openPages(context: CommandContext, port?: number): Promise<void> {
  const config = { ...context.config, ...(port !== undefined && { httpPort: port }) };
  if (config.signIn === 'proxy') {
    throw invalidInput(
      'A proxy signs people in to this server (setting signIn): open the address of the proxy. With the id of an item, its source is opened.',
    );
  }
  if (config.signIn === 'off' && (config.publicUrl !== '' || !isLoopbackHost(config.httpHost))) {
    throw invalidInput(
      'Others can reach this server (settings httpHost and publicUrl), so people have to sign in to see its page: set signIn to password. With the id of an item, its source is opened.',
    );
  }
  // With a public address nothing is checked: this machine may not reach the proxy in front of the server.
  if (config.publicUrl === '' && !(await isAnswering(config, context.signal))) {
    const { streams, json } = context;
    if (json || !streams.stdin.isTTY || !streams.stdout.isTTY) throw noServer(config);
    context.tell('No server runs: this command serves your library until Ctrl-C.');
    return serve(context, { ...(port !== undefined && { port }) }, (app, url) => showPages(context, app, url));
  }
  const app = await context.open({ settings: { httpPort: config.httpPort } });
  await showPages(context, app);
  context.tell('The link works once, for five minutes, while `commonplace serve` runs.');
}

async function showPages(context: CommandContext, app: CommandApp, serverUrl?: string): Promise<void> {
  const code = await app.signIn.createLink(context.caller.accountId, 'open');
  // Without sign-in, the link leads to another page, which lets this browser in.
  const path = app.config.signIn === 'off' ? '/app/enter' : '/sign-in/link';
  const { publicUrl, httpPort } = app.config;
  await show(
    context,
    new URL(linkAddress({ publicUrl, httpPort, ...(serverUrl !== undefined && { serverUrl }) }, code, path)),
    {},
  );
}

/** A link that works once must not be made for a server that is not running. */
async function isAnswering(config: Pick<Config, 'publicUrl' | 'httpPort'>, signal: AbortSignal): Promise<boolean> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(maxProbeMs)]);
  const answers = await fetch(`${new URL(linkAddress(config, '')).origin}/health`, { signal: until }).then(
    ({ ok }) => ok,
    () => false,
  );
  signal.throwIfAborted();
  return answers;
}

function noServer(config: Pick<Config, 'publicUrl' | 'httpPort'>): AppError {
  return unavailable(
    `No server answers at ${new URL(linkAddress(config, '')).origin}. Start it with \`commonplace serve\`; if it listens on another port, give that: commonplace open --port 8080`,
  );
}

async function show(context: CommandContext, url: URL, facts: { id?: string }): Promise<void> {
  const opener = openerFor(process.platform, readEnvironment());
  const opened = opener !== null && (await openAddress(opener, url, context.signal));
  context.print({ ...facts, url: url.href, opened }, () => [line(link(url.href))]);
  if (!opened) context.tell('No browser could be opened here: open the address yourself.');
}

/** How to start the browser: a program and its arguments before the address. */
export interface Opener {
  program: string;
  args: readonly string[];
}

/** Some systems keep the program that opens an address alive as long as the browser runs. */
const maxWaitMs = 2_000;

/** The program that opens an address on this machine; null where there is no display to show a browser on. */
export function openerFor(platform: NodeJS.Platform, environment: Environment): Opener | null {
  const isRemote = isSet(environment['SSH_CONNECTION']) || isSet(environment['SSH_TTY']);
  if (platform === 'win32') return isRemote ? null : { program: 'rundll32', args: ['url.dll,FileProtocolHandler'] };
  if (platform === 'darwin') return isRemote ? null : { program: 'open', args: [] };
  const hasDisplay = isSet(environment['DISPLAY']) || isSet(environment['WAYLAND_DISPLAY']);
  return hasDisplay ? { program: 'xdg-open', args: [] } : null;
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}

/** Opens an address, without a shell. Resolves to false when the program is missing or says that it could not. */
export async function openAddress({ program, args }: Opener, url: URL, signal: AbortSignal): Promise<boolean> {
  const child = spawn(program, [...args, url.href], { stdio: 'ignore', detached: true });
  child.unref();
  const timer = new AbortController();
  try {
    return await Promise.race([
      new Promise<boolean>((resolve) => {
        child.on('error', () => resolve(false));
        child.on('exit', (code) => resolve(code === 0));
      }),
      wait(maxWaitMs, true, { signal: AbortSignal.any([timer.signal, signal]) }),
    ]);
  } finally {
    timer.abort();
  }
}
