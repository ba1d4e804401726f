import type { Scope } from '../domain/records/account.ts';
import type { ChangeFace } from '../domain/records/change.ts';
import type { HistoryChange, Undone } from '../domain/records/history-entry.ts';

export interface HistoryEntry {
  /** The handle that `undo` takes. */
  id: string;
  /** Milliseconds since the epoch. */
  at: number;
  face: ChangeFace;
  by: string | null;
  operation: string;
  rows: number;
  /** The first changes. */
  changes: HistoryChange[];
  undoneBy: string | null;
  undoes: string | null;
  /** It came with an export: it can be read, and not undone. */
  isRestored: boolean;
}

export interface HistoryQuery {
  /** Of an item, an action item, a goal, a highlight, a list or a change; undefined: everything. */
  id?: string | undefined;
  /** Only changes that needed none but these scopes. */
  scopes: readonly Scope[];
  limit: number;
  offset: number;
}

/** `changed_since`: nothing was undone, or no more than `rows`, because of `conflicts`. */
export type UndoOutcome = Omit<Undone, 'id'>;

export interface ChangeNeeds {
  scopes: readonly Scope[];
  /** Of what undoing it takes away records. Of a large change it is not looked up: everything is named. */
  removes: readonly ('content' | 'goals')[];
}

export interface UndoCall {
  force: boolean;
  /** Of a change that is undone in several writes: called with rows undone by this call, of all rows of the change. */
  onProgress?: ((rows: number, total: number) => void) | undefined;
}

export interface HistoryLimits {
  /** Of time that had certainly passed, as for deleted items. */
  keptMs: number;
  maxBytes: number;
}
