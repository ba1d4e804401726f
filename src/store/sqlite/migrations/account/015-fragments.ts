import type { Migration } from '../../files/migrate.ts';

/*
 * What follows `:~:text=` in a link to a whole passage; '' when no such link leads to it. Null for passages that were stored
 * earlier: their links are made when they are shown.
 */
export const fragments: Migration = {
  name: 'fragments',
  sql: 'ALTER TABLE passages ADD COLUMN fragment TEXT;',
};
