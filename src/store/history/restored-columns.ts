import { maxHighlights, maxTags } from '../../domain/records/limits.ts';
import { AppError } from '../../errors.ts';
import { type ChangedRow, differingColumns, type Values } from './changed-rows.ts';

/* Which columns of a row undo brings back. The others follow from what is derived, or were moved on since. */

/** The others say whether the item is deleted. */
const plainItemColumns =
  'url canonical_url given_title notes created_at summary analysis processed_at shelf read_at'.split(' ');

export function restoredItemColumns(row: ChangedRow): string[] {
  return differingColumns(row).filter((column) => plainItemColumns.includes(column));
}

const ownColumns = 'goal goal_reason title state touched_at completed_at due priority snoozed_until created_at'.split(
  ' ',
);
/** Where an action stands in a text: analyses and merging move it on. */
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
  throw new AppError(
    'invalid_input',
    `With the tags that it had before, an item would have more than ${maxTags}. Take some away first.`,
  );
}

/** @throws {AppError} `invalid_input` when an item would have more highlights than it can have */
export function requireRoomForHighlights(total: number): void {
  if (total <= maxHighlights) return;
  throw new AppError(
    'invalid_input',
    `With the highlights that it had before, an item would have more than ${maxHighlights}. Delete some first.`,
  );
}
