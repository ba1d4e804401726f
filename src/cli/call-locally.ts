import { newChange, type Author } from '../domain/records/change.ts';
import { callOperation } from '../operations/call.ts';
import type { Progress } from '../services/library/processing-watch.ts';
import type { Operation } from '../operations/operation.ts';
import type { CommandApp, CommandContext } from './context.ts';
import { createProgressBar } from './progress.ts';

/** Calls an operation for the user of this machine. */
export async function callLocally(
  { caller, signal, streams, json }: CommandContext,
  { services }: Pick<CommandApp, 'services'>,
  operation: Operation,
  input: unknown,
): Promise<unknown> {
  const bar = createProgressBar(streams.stderr, json);
  const onProgress = ({ progress, total, message }: Progress) => bar.update(progress, total, message);
  try {
    return await callOperation(operation, 'cli', input, caller, { ...services, signal, onProgress });
  } finally {
    bar.stop();
  }
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
