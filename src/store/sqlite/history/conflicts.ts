import { conflictsOf } from '../../history/conflicts.ts';
import { maxRowsAtOnce, type PartConflicts, partConflicts } from '../../history/undo.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { libraryNow } from './library-now.ts';
import { changedRows } from './rows.ts';

/** The conflicts of one part of an entry, for an entry that is undone in several writes. */
export function conflictsBelow(file: SqliteFile, entry: number, below: number): PartConflicts {
  return file.read(() => {
    const rows = changedRows(file, entry, below, maxRowsAtOnce);
    return partConflicts(rows, conflictsOf(rows, libraryNow(file)));
  });
}
