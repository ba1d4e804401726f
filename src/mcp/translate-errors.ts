import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { maskText } from '../domain/text/clean-text.ts';
import { AppError, isAbortError } from '../errors.ts';
import type { McpParts } from './mcp-parts.ts';

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
