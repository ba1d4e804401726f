import type { Caller } from '../domain/records/account.ts';
import type { Log } from '../log.ts';
import type { Services, ToolSet } from '../operations/operation.ts';

export interface McpParts {
  /**
   * The services that run calls. Over stdio they are opened after the first response, so callers must wait for them.
   */
  services: () => Promise<Services>;
  caller: Caller;
  /** Called when a tool call begins. Its signal is aborted when the caller is let in no more; absent where that cannot be. */
  beginCall?: () => { signal: AbortSignal; end(): void };
  /** The tool sets that this server shows. */
  sets: ReadonlySet<ToolSet>;
  /** Aborted when the program ends and its grace period is over. Calls that still wait are told so. */
  stopping?: AbortSignal;
  log: Log;
  version: string;
}
