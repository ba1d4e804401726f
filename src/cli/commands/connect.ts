import { type Command, Option } from 'commander';
import { AppError } from '../../errors.ts';
import type { CommandContext, RunCommand } from '../context.ts';
import { localBlock, remoteBlock } from '../setup/blocks.ts';
import { hostById, hostIds } from '../setup/hosts.ts';
import { thisInstallation } from '../setup/program-location.ts';
import { environmentNote, localServer, serverNote } from '../setup/local-server.ts';
import { thisMachine } from '../setup/machine.ts';
import { readPublication } from '../setup/publication.ts';
import { readRemote, type RemoteFlags, remoteFlags, remoteRefusal } from '../setup/remote-flags.ts';

interface ConnectFlags extends RemoteFlags {
  host: string;
}

/** `connect`: prints the configuration for an assistant's settings. */
export function addConnectCommand(program: Command, run: RunCommand): void {
  const command = program
    .command('connect')
    .description("Print the block to paste into an assistant's settings")
    .addOption(new Option('--host <host>', 'the assistant').choices(hostIds).default('claude-desktop'));
  for (const option of remoteFlags()) command.addOption(option);
  command.action((flags: ConnectFlags) => run((context) => connect(context, flags)));
}

async function connect(context: CommandContext, flags: ConnectFlags): Promise<void> {
  const host = hostById(flags.host);
  const remote = await readRemote(context, flags);
  if (remote !== null) {
    const block = remoteBlock(host, remote);
    if (block === null) {
      throw new AppError('invalid_input', remoteRefusal(host));
    }
    context.print({ host: host.id, url: remote.url, block }, () => `${host.name}: ${host.place}:\n\n${block}`);
    return;
  }
  const machine = thisMachine();
  const installation = thisInstallation(machine);
  const server = localServer(installation, context.config, machine, readPublication());
  const block = localBlock(host, server);
  context.print({ host: host.id, ...server, block }, () => `${host.name}: ${host.place}:\n\n${block}`);
  for (const note of [serverNote(installation), environmentNote(context.config)]) {
    if (note !== null) context.tell(`\n${note}`);
  }
}
