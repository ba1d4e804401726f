import type { Migration } from '../../files/migrate.ts';

/*
 * How often passages got the words of another title. How many words a passage has, which searches keep in memory, changes in no other way.
 */
export const titlesGiven: Migration = {
  name: 'titles given',
  sql: 'ALTER TABLE file_state ADD COLUMN titles_given INTEGER NOT NULL DEFAULT 0;',
};
