import type { Caller } from '../domain/records/account.ts';
import type { Log } from '../log.ts';
import type { Services, ToolSet } from '../operations/operation.ts';

export interface McpParts {
  /**
   * The services that run calls. Over stdio they are opened after the first response, so callers must wait for them.
   */
  services: () => Promise<Services>;
  caller: Caller;
  /** The tool sets that this server shows. */
  sets: ReadonlySet<ToolSet>;
  /** Aborted when the program ends and its grace period is over. Calls that still wait are told so. */
  stopping?: AbortSignal;
  log: Log;
  version: string;
}
