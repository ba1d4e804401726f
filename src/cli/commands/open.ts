import type { Command } from 'commander';
import { readEnvironment, type Config } from '../../settings/config.ts';
import { isLoopbackHost } from '../../domain/links/loopback.ts';
import { AppError } from '../../errors.ts';
import { line, link } from '../../operations/answers/printed.ts';
import type { CommandContext, RunCommand } from '../context.ts';
import { linkAddress } from '../link-address.ts';
import { parsePort } from '../arguments/port.ts';
import { openAddress, openerFor } from '../open-in-browser.ts';

/** A server on this machine answers at once, unless it is starting. */
const maxProbeMs = 3_000;

/** `open`: shows the source of an item in the browser. */
export function addOpenCommand(program: Command, run: RunCommand): void {
  program
    .command('open')
    .description(
      'Open your library in the browser, while `serve` runs; with an id, the source of that item. Without a display the address is printed',
    )
    .argument('[id]')
    .option('--port <number>', 'port on which `serve` listens (setting httpPort)', parsePort)
    .action((id: string | undefined, { port }: { port?: number }) =>
      run((context) => (id === undefined ? openPages(context, port) : openItem(context, id))),
    );
}

async function openItem(context: CommandContext, id: string): Promise<void> {
  const app = await context.open({ settings: { searchThreads: false } });
  const item = await app.services.library.get(context.caller.accountId, id);
  const url = URL.parse(item.url ?? '');
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new AppError(
      'invalid_input',
      `This item has no web address: it was saved from a file or written as a note. Read it here: commonplace show ${id}`,
    );
  }
  await show(context, url, { id });
}

/** Opens the page of the library, for the person of the local account. */
async function openPages(context: CommandContext, port?: number): Promise<void> {
  const app = await context.open({
    settings: { searchThreads: false, ...(port !== undefined && { httpPort: port }) },
  });
  if (app.config.signIn === 'proxy') {
    throw new AppError(
      'invalid_input',
      'A proxy signs people in to this server (setting signIn): open the address of the proxy. With the id of an item, its source is opened.',
    );
  }
  if (app.config.signIn === 'off' && (app.config.publicUrl !== '' || !isLoopbackHost(app.config.httpHost))) {
    throw new AppError(
      'invalid_input',
      'Others can reach this server (settings httpHost and publicUrl), so people have to sign in to see its page: set signIn to password. With the id of an item, its source is opened.',
    );
  }
  await requireServer(app.config, context.signal);
  const code = await app.signIn.createLink(context.caller.accountId, 'open');
  // Without sign-in, the link leads to another page, which lets this browser in.
  const path = app.config.signIn === 'off' ? '/app/enter' : '/sign-in/link';
  await show(context, new URL(linkAddress(app.config, code, path)), {});
  context.tell('The link works once, for five minutes, while `commonplace serve` runs.');
}

/**
 * Checks first that the server answers: a link that works once must not be made for a server that is not running. With
 * a public address nothing is checked, because this machine may not reach the proxy in front of the server.
 * @throws {AppError} `unavailable`
 */
async function requireServer(config: Pick<Config, 'publicUrl' | 'httpPort'>, signal: AbortSignal): Promise<void> {
  if (config.publicUrl !== '') return;
  const { origin } = new URL(linkAddress(config, ''));
  const until = AbortSignal.any([signal, AbortSignal.timeout(maxProbeMs)]);
  const answers = await fetch(`${origin}/health`, { signal: until }).then(
    ({ ok }) => ok,
    () => false,
  );
  signal.throwIfAborted();
  if (answers) return;
  throw new AppError(
    'unavailable',
    `No server answers at ${origin}. Start it with \`commonplace serve\`; if it listens on another port, give that: commonplace open --port 8080`,
  );
}

async function show(context: CommandContext, url: URL, facts: { id?: string }): Promise<void> {
  const opener = openerFor(process.platform, readEnvironment());
  const opened = opener !== null && (await openAddress(opener, url, context.signal));
  context.print({ ...facts, url: url.href, opened }, () => [line(link(url.href))]);
  if (!opened) context.tell('No browser could be opened here: open the address yourself.');
}
