import type { Migration } from '../../files/migrate.ts';

/** What was learned of an item that could not be read (JSON): its title and author stand in lists although it has no document. */
export const knownMetadata: Migration = {
  name: 'known metadata',
  sql: 'ALTER TABLE content ADD COLUMN known TEXT;',
};
