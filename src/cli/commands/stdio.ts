import { flushCompileCache } from 'node:module';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Command } from 'commander';
import { createLog } from '../../workers/log.ts';
import { serveMcpOverStdio } from '../../mcp/stdio-transport.ts';
import { searchAsAssistant } from '../../mcp/search-as-assistant.ts';
import { shownToolSets } from '../../mcp/mcp-parts.ts';
import type { CommandApp, CommandContext, RunCommand } from '../context.ts';

/** From the first response until the data folder opens: the client's request for the tools must not wait for it. */
const quietMs = 50;
/** If no client speaks within this time, the data folder opens anyway: items may wait to be processed. */
const silentMs = 1_000;
/** Delay before work starts when a call has opened the data folder: most are answered by then. */
const firstCallMs = 250;

export function addStdioCommand(program: Command, run: RunCommand): void {
  program
    .command('stdio')
    .description('Serve MCP over stdin and stdout, for a desktop assistant')
    .action(() => run(serve));
}

/** Answers the handshake first, then opens the data folder. If that fails, waiting calls and the command say why. */
async function serve(context: CommandContext): Promise<void> {
  const { caller, config, signal, streams, version } = context;
  if (streams.stdin.isTTY) {
    context.tell(
      'This speaks MCP to an assistant, not to people. `commonplace setup` connects the assistants on this machine.',
    );
  }
  const ending = new AbortController();
  let opening: Promise<CommandApp> | undefined;
  let answering: ReturnType<typeof startWork> | undefined;
  // Wait one turn of the event loop: the waiting calls get their error responses in the turn in which opening failed.
  const endIfFailed = (opened: Promise<unknown>) => void opened.catch(() => setImmediate(() => ending.abort()));
  const open = () => (opening ??= openLibrary(context));
  const work = () => endIfFailed(open().then((app) => (answering ??= startWork(context, app))));
  let timer = setTimeout(work, silentMs);
  let isGreeted = false;
  const answered = () => {
    if (isGreeted) return;
    isGreeted = true;
    clearTimeout(timer);
    timer = setTimeout(work, quietMs);
  };
  const parts = {
    services: async () => {
      if (opening === undefined) {
        clearTimeout(timer);
        timer = setTimeout(work, firstCallMs);
        endIfFailed(open());
      }
      const { services, stopPreparing } = await open();
      stopPreparing();
      return services;
    },
    requests: async () => (await open()).requests,
    caller,
    sets: shownToolSets(config),
    log: createLog(config.logLevel),
    version,
  };
  await serveMcpOverStdio(parts, streams, AbortSignal.any([signal, ending.signal]), answered);
  clearTimeout(timer);
  await opening;
  await (
    await answering
  )?.();
}

/** Opens the library for a program that serves one client. */
export async function openLibrary(context: CommandContext): Promise<CommandApp> {
  const app = await context.open({ keepLog: true, isServer: true });
  // The first call opens the account's file, which takes as long again.
  await nextTurn();
  return app;
}

/** Answers other processes' commands, processes what waits, prepares searches. @returns ends the answering */
export function startWork(context: CommandContext, app: CommandApp): Promise<() => Promise<void>> {
  const answering = context.answerCommands(app);
  if (app.config.workers > 0) app.worker.start();
  // The client's first search finds everything loaded. When this fails, that search says why.
  app
    .prepareSearch(context.caller.accountId, searchAsAssistant(app.services, context.caller))
    .catch((error: unknown) => app.log.debug({ err: error }, 'searching could not be prepared'))
    // With the code that searches have run. Assistants may kill their servers at any time.
    .finally(flushCompileCache);
  return answering;
}
