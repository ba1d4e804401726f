/*
 * A deleted item keeps all its rows until it is purged, so every query has to exclude it. Few items are deleted at a
 * time, so `NOT IN` this list costs a search almost nothing. Looking up each row's item would cost more than the search
 * itself.
 */

/** SQL for the keys of deleted items. */
export const deletedItems = 'SELECT seq FROM items WHERE deleted_at IS NOT NULL';

/** SQL for the passages of deleted items. */
export const deletedPassages =
  'SELECT gone.id FROM items c JOIN passages gone ON gone.item = c.seq WHERE c.deleted_at IS NOT NULL';
