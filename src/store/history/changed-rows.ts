import { maxHighlights, maxTags } from '../../domain/records/limits.ts';
import { invalidInput } from '../../errors.ts';

/* Rows that a change touched, as both engines record them. */

/**
 * Columns of a row by their names in the record, which are the same in both engines: `item` is the key of an item, booleans
 * are 0 or 1, and JSON is text.
 */
export type Values = Readonly<Record<string, string | number | null>>;

export type Kind =
  | 'item'
  | 'tag'
  | 'action'
  | 'goal'
  | 'insight'
  | 'original'
  | 'highlight'
  | 'list'
  | 'list_item'
  | 'source'
  | 'text';

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

export function differingColumns({ before, after }: Pick<ChangedRow, 'before' | 'after'>): string[] {
  if (before === null || after === null) return [];
  return Object.keys(before).filter((column) => before[column] !== after[column]);
}

/**
 * The columns that triggers record of each kind of row, by the names of both schemas. Undo reads and restores them.
 * `json` are those that hold JSON.
 */
export const recordedColumns: Readonly<Record<Kind, { columns: readonly string[]; json: readonly string[] }>> = {
  item: {
    columns: (
      'url canonical_url given_title notes created_at deleted_at deleted_passed summary analysis processed_at ' +
      'undone shelf read_at'
    ).split(' '),
    json: ['analysis'],
  },
  tag: { columns: ['tag', 'ordinal'], json: [] },
  action: {
    columns: (
      'item document goal goal_reason title reason quote start_at end_at locator url state touched_at ' +
      'completed_at created_at merged_into due priority snoozed_until'
    ).split(' '),
    json: ['locator'],
  },
  goal: { columns: ['title', 'category', 'description', 'created_at', 'archived_at'], json: [] },
  insight: { columns: ['document', 'text', 'quote', 'start_at', 'end_at', 'locator', 'url'], json: ['locator'] },
  // Of its bytes the record says how many are stored.
  original: { columns: ['hash', 'url', 'given'], json: [] },
  highlight: {
    columns: ['source', 'quote', 'note', 'colour', 'touched_at', 'created_at', 'deleted_at'],
    json: [],
  },
  list: { columns: ['name', 'folded', 'icon', 'query', 'ordinal', 'created_at'], json: [] },
  source: { columns: ['name', 'state', 'options', 'every_ms'], json: ['options'] },
  // The record names the list, too.
  list_item: { columns: ['ordinal', 'added_at'], json: [] },
  // Which version of its text an item shows. `recordVersion` writes it, and no trigger.
  text: { columns: ['visible_document'], json: [] },
};

/* The columns of a row that undo restores. The others are derived, or may have changed since. */

/** The others say whether the item is deleted. */
const plainItemColumns =
  'url canonical_url given_title notes created_at summary analysis processed_at shelf read_at'.split(' ');

export function restoredItemColumns(row: ChangedRow): string[] {
  return differingColumns(row).filter((column) => plainItemColumns.includes(column));
}

const ownColumns = 'goal goal_reason title state touched_at completed_at due priority snoozed_until created_at'.split(
  ' ',
);
/** An action's location in a text: analyses and merging update it. */
const placeColumns = ['item', 'document', 'reason', 'quote', 'start_at', 'end_at', 'locator', 'url', 'merged_into'];

interface RestoredAction {
  columns: string[];
  /** Whether it is split off first; an action that it was merged into may come back later. */
  standsAlone: boolean;
}

export function restoredActionColumns(
  row: ChangedRow,
  there: Values,
  { hasDocument, hasGoal }: { hasDocument: boolean; hasGoal: boolean },
): RestoredAction {
  const differing = differingColumns(row);
  const isMoved = placeColumns.some((column) => there[column] !== row.after?.[column]);
  const mayMove = !isMoved && hasDocument;
  return {
    columns: differing.filter(
      (column) =>
        (ownColumns.includes(column) && (column !== 'goal' || hasGoal)) ||
        (mayMove && placeColumns.includes(column) && column !== 'merged_into'),
    ),
    standsAlone: mayMove && differing.includes('merged_into'),
  };
}

/** An import must not overwrite what a person changed since. */
export function restoredHighlightColumns(row: ChangedRow, there: Values): string[] {
  return differingColumns(row).filter(
    (column) => column !== 'touched_at' || there['touched_at'] === row.after?.['touched_at'],
  );
}

/** @throws {AppError} `invalid_input` when an item would have more tags than it can have */
export function requireRoomForTags(total: number): void {
  if (total <= maxTags) return;
  throw invalidInput(
    `With the tags that it had before, an item would have more than ${maxTags}. Take some away first.`,
  );
}

/** @throws {AppError} `invalid_input` when an item would have more highlights than it can have */
export function requireRoomForHighlights(total: number): void {
  if (total <= maxHighlights) return;
  throw invalidInput(
    `With the highlights that it had before, an item would have more than ${maxHighlights}. Delete some first.`,
  );
}
