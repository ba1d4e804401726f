import type { Scope } from './account.ts';
import { newId } from './ids.ts';

/**
 * The interface through which something was written, or the source; then no person asked for that change. `vault`: in a file that
 * `export --watch` keeps up to date.
 */
export const changeFaces = ['mcp', 'rest', 'cli', 'page', 'vault', 'feed', 'pages', 'folder', 'mailbox'] as const;
export type ChangeFace = (typeof changeFaces)[number];

/** One call that writes, for the history: whatever it writes, in one write or in several, is undone as one. */
export interface Change {
  /** The id that `undo` takes. The store sets the id of the undo that this one finishes. */
  id: string;
  readonly face: ChangeFace;
  /** Name of the token, or of the assistant that a person let in; null on this machine itself. */
  readonly by: string | null;
  readonly operation: string;
  /** The data that a caller needs to undo it. */
  readonly scopes: readonly Scope[];
  /** Set by the store after the first commit that changed something. */
  isRecorded: boolean;
}

/** An account, and the change by which it is written to. */
export interface Author {
  account: string;
  change: Change;
}

/** Who writes. With the account alone the write is not recorded: the program does it, and no person. */
export type Writer = string | Author;

export function newChange(of: Pick<Change, 'face' | 'by' | 'operation' | 'scopes'>): Change {
  return { ...of, id: newId('x'), isRecorded: false };
}

export function accountOf(writer: Writer): string {
  return typeof writer === 'string' ? writer : writer.account;
}
