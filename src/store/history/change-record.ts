import type { Scope } from '../../domain/records/account.ts';
import type { Change } from '../../domain/records/change.ts';
import { AppError } from '../../errors.ts';

/** What a store keeps of a change; plain data, for writes in other threads. */
export type ChangeRecord = Readonly<Omit<Change, 'isRecorded'>> & {
  /** Whether an earlier write of it was recorded. When that is gone, what follows is not recorded: undo would restore a part of it. */
  isContinued: boolean;
  /** The change that this one undoes. */
  undoes?: string;
};

/** How a write is recorded now. @param undoing of a change that undoes another one: the other one, and the scopes that it needed */
export function recordOf({ isRecorded, ...change }: Change, undoing?: Undoing): ChangeRecord {
  return { ...change, isContinued: isRecorded, ...undoing };
}

export interface Undoing {
  undoes: string;
  scopes: readonly Scope[];
}

/** What a row of the history takes beside its values. */
export const rowBytes = 120;

/** The error for a call that goes on writing after a part of it was undone: the rest would not be undone with it. */
export function undoneMeanwhile(): AppError {
  return new AppError('invalid_input', 'This was undone while it went on, so it ends here. Begin again.');
}
