import type { Migration } from '../../files/migrate.ts';

/*
 * The index also holds the parts of words such as getUserById, and numbers and initials without their signs. 022 explains
 * how passages are indexed again.
 */
export const wordsWrittenTwoWays: Migration = {
  name: 'words written two ways',
  sql: 'UPDATE file_state SET older_words = coalesce((SELECT max(id) FROM passages), 0)',
};
