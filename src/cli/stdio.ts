import type { Command } from 'commander';
import { serveMcpOverStdio } from '../mcp/stdio.ts';
import { shownToolSets } from '../mcp/tool-sets.ts';
import type { CommandContext, RunCommand } from './context.ts';

/** `stdio`: the server that a desktop assistant starts. */
export function addStdioCommand(program: Command, run: RunCommand): void {
  program
    .command('stdio')
    .description('Serve MCP over stdin and stdout, for a desktop assistant')
    .action(() => run(serve));
}

async function serve(context: CommandContext): Promise<void> {
  const { caller, signal, streams } = context;
  const app = await context.open({ keepLog: true });
  if (streams.stdin.isTTY) {
    context.tell(
      'This speaks MCP to an assistant, not to people. See the README for the block to paste into its settings.',
    );
  }
  const served = serveMcpOverStdio(
    { services: app.services, caller, sets: shownToolSets(app.config), log: app.log, version: app.version },
    streams,
    signal,
  );
  if (app.config.workers > 0) app.worker.start();
  await served;
}
