/*
 * A deleted item keeps all its rows until it is purged, and every question leaves it out. Few items are deleted at a
 * time, so "all but those" costs a search next to nothing, where asking each row for its item would cost more than the
 * search itself.
 */

/** SQL for the keys of deleted items. */
export const deletedItems = 'SELECT seq FROM content WHERE deleted_at IS NOT NULL';

/** SQL for the passages of deleted items. */
export const deletedPassages =
  'SELECT gone.id FROM content c JOIN passages gone ON gone.content = c.seq WHERE c.deleted_at IS NOT NULL';
