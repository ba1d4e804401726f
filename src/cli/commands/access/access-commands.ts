import type { Command } from 'commander';
import type { RunCommand } from '../../context.ts';
import { addAccountCommands } from './account-commands.ts';
import { addTokenCommands } from './token-commands.ts';

/** `account …` and `token …`: who may use the HTTP server. */
export function addAccessCommands(program: Command, run: RunCommand): void {
  addAccountCommands(program.command('account').description('Manage the accounts of this data folder'), run);
  addTokenCommands(program.command('token').description('Manage the tokens with which clients come in over HTTP'), run);
}
