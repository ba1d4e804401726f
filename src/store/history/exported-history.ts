import type { Scope } from '../../domain/records/account.ts';
import type { ChangeFace } from '../../domain/records/change.ts';
import { maxHistoryText } from '../../domain/records/transfers/export-files.ts';
import type { ExportedHistoryEntry } from '../../domain/records/transfers/exported.ts';
import { shortened } from '../../domain/text/shortened.ts';
import type { HistoryChange, HistoryValue } from '../history.ts';

/*
 * History as it is exported and taken back: what was changed, in the words in which people see it. Rows that undo would
 * restore are not exported: an edited file could make undo write anything.
 */

export type ExportedChange = ExportedHistoryEntry['changes'][number];

/** An entry as it is read, without its changes. */
export interface EntryToExport {
  seq: number;
  id: string;
  at: number;
  face: ChangeFace;
  by: string | null;
  operation: string;
  rows: number;
  undoneBy: string | null;
  undoes: string | null;
}

/** Of an entry, this many rows and characters are exported: an import may have changed all of a library. */
export const maxRowsExported = 500;
const maxLength = 1_000_000;
const maxListed = 1_000;

/** A change as it is exported. @param contentId the item that an action item or a highlight belongs to */
export function toExport({ id, title, field, before, after }: HistoryChange, contentId: string | null): ExportedChange {
  return {
    id,
    contentId,
    title: title === null ? null : shortened(title, maxHistoryText),
    field,
    before: bounded(before),
    after: bounded(after),
  };
}

function bounded(value: HistoryValue): HistoryValue {
  if (typeof value === 'string') return shortened(value, maxHistoryText);
  return Array.isArray(value) ? value.slice(0, maxListed).map((one) => shortened(one, maxHistoryText)) : value;
}

/** As many of the changes as an exported entry may hold. */
export function withinLength(changes: readonly ExportedChange[]): ExportedChange[] {
  let length = 0;
  return changes.filter((change) => (length += JSON.stringify(change).length) <= maxLength);
}

const writeScopes: Readonly<Record<string, Scope>> = {
  c: 'content:write',
  h: 'content:write',
  a: 'actions:write',
  g: 'goals:write',
};

/** The scopes that restored changes ask for, by the records that they are about. */
export function scopesOf(changes: readonly ExportedChange[]): Scope[] {
  return [...new Set(changes.map((change) => writeScopes[change.id.charAt(0)] ?? 'content:write'))];
}
