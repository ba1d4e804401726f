import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Caller } from '../domain/records/account.ts';
import type { Log } from '../workers/log.ts';
import type { Services, ToolSet } from '../operations/operation.ts';
import type { Config } from '../settings/config.ts';
import { maskText } from '../domain/text/clean-text.ts';
import { AppError, isAbortError } from '../errors.ts';
import { operations } from '../operations/index.ts';
import { mayCall } from '../operations/call.ts';
import type { LargePlaces } from '../requests/request-protocol.ts';

export interface McpParts {
  /**
   * The services that run calls. Over stdio they are opened after the first response, so callers must wait for them.
   */
  services: () => Promise<Services>;
  caller: Caller;
  /** Called when a tool call begins. Its signal is aborted when the caller's access ends; absent where that is impossible. */
  beginCall?: () => { signal: AbortSignal; end(): void };
  /** The tool sets that this server shows. */
  sets: ReadonlySet<ToolSet>;
  /** Aborted when the program ends and its grace period is over. Waiting calls get an error. */
  stopping?: AbortSignal;
  log: Log;
  version: string;
}

/** The tool sets enabled in the settings. They are fixed at start, because MCP hosts cache the list of tools. */
export function shownToolSets(
  config: Pick<Config, 'manageTools' | 'highlightTools' | 'analyseTools'>,
): ReadonlySet<ToolSet> {
  return new Set<ToolSet>([
    'core',
    ...(config.manageTools ? (['manage'] as const) : []),
    ...(config.highlightTools ? (['highlights'] as const) : []),
    ...(config.analyseTools ? (['analyse'] as const) : []),
  ]);
}

/** Runs the handler of a prompt or resource. Every error becomes a JSON-RPC error whose message this program wrote. */
export async function translateErrors<T>(
  { log }: Pick<McpParts, 'log'>,
  name: string,
  signal: AbortSignal,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    if (error instanceof AppError) throw new ProtocolError(ProtocolErrorCode.InvalidParams, maskText(error.message));
    if (signal.aborted || isAbortError(error))
      throw new ProtocolError(ProtocolErrorCode.InternalError, 'The request was cancelled.');
    log.error({ err: error, name }, 'a prompt or resource failed');
    throw new ProtocolError(
      ProtocolErrorCode.InternalError,
      'Something went wrong inside Commonplace. Try again; `commonplace doctor` and the log on stderr tell more.',
    );
  }
}

const largeOperations = operations.filter(({ largeInputs }) => largeInputs !== undefined);

/** The tool inputs that may be large in an MCP message. */
export const largePlaces: LargePlaces = {
  kind: 'tool call',
  tools: Object.fromEntries(largeOperations.map(({ name, largeInputs = [] }) => [name, largeInputs])),
};

/** Whether a caller may use a tool that takes large inputs. */
export function maySendLarge(caller: Caller): boolean {
  return largeOperations.some((operation) => mayCall(operation, caller));
}
