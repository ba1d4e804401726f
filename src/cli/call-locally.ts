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
