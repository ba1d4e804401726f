import type { Change } from '../../domain/records/change.ts';
import { AppError } from '../../errors.ts';

/** What a store keeps of a change; plain data, for writes in other threads. */
export type ChangeRecord = Omit<Change, 'isRecorded'> & {
  /** The change that this one undoes. */
  undoes?: string;
};

export function recordOf(change: Change): ChangeRecord {
  const { isRecorded: _, ...record } = change;
  return record;
}

/** What a row of the history takes beside its values. */
export const rowBytes = 120;

/** The error for a call that goes on writing after a part of it was undone: the rest would not be undone with it. */
export function undoneMeanwhile(): AppError {
  return new AppError('invalid_input', 'This was undone while it went on, so it ends here. Begin again.');
}
