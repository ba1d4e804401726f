/* Rows that a change touched, as both engines record them. */

/**
 * Columns of a row by their names in the record, which are the same in both engines: `item` is the key of an item, booleans
 * are 0 or 1, and JSON is text.
 */
export type Values = Readonly<Record<string, string | number | null>>;

export type Kind = 'item' | 'tag' | 'action' | 'goal' | 'insight' | 'original' | 'highlight';

/** A recorded row, as the engine's triggers write it. `before` and `after` are null where it was not there. */
export interface ChangedRow {
  id: number;
  entry: number;
  kind: Kind;
  /** Names the row among those of its kind, with `part`. */
  key: number;
  part: string;
  item: number | null;
  subject: string | null;
  before: Values | null;
  after: Values | null;
}

/** The columns in which two states of a row differ. */
export function differingColumns({ before, after }: Pick<ChangedRow, 'before' | 'after'>): string[] {
  if (before === null || after === null) return [];
  return Object.keys(before).filter((column) => before[column] !== after[column]);
}
