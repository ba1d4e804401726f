import { newChange, type Author } from '../domain/records/change.ts';
import { callOperation } from '../operations/call.ts';
import type { Operation } from '../operations/operation.ts';
import type { CommandApp, CommandContext } from './context.ts';

/** Calls an operation for the user of this machine. */
export function callLocally(
  { caller, signal }: CommandContext,
  { services }: Pick<CommandApp, 'services'>,
  operation: Operation,
  input: unknown,
): Promise<unknown> {
  return callOperation(operation, 'cli', input, caller, { ...services, signal });
}

/** A change by a command that calls a service itself. */
export function commandChange({ caller }: Pick<CommandContext, 'caller'>, operation: string): Author {
  return {
    account: caller.accountId,
    change: newChange({ face: 'cli', by: null, operation, scopes: ['content:write'] }),
  };
}

/** Says how the change that was just made is undone. */
export function tellUndo({ tell }: Pick<CommandContext, 'tell'>, answer: unknown): void {
  const { undo } = (answer ?? {}) as { undo?: string };
  if (undo !== undefined) tell(`commonplace undo ${undo} takes it back.`);
}
