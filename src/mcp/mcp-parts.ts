import type { Caller } from '../domain/records/account.ts';
import type { Log } from '../log.ts';
import type { Services, ToolSet } from '../operations/operation.ts';

export interface McpParts {
  /** What answers calls; over stdio it is opened after the first answer, so whoever needs it waits for it. */
  services: () => Promise<Services>;
  caller: Caller;
  /** The tool sets that this server shows. */
  sets: ReadonlySet<ToolSet>;
  /** Aborted when the program ends and has no more time: calls that still wait are then told so. */
  stopping?: AbortSignal;
  log: Log;
  version: string;
}
