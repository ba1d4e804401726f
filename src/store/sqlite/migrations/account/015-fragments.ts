import type { Migration } from '../../files/migrate.ts';

/*
 * What a link to the whole of a passage says behind `:~:text=`; '' where nothing leads there. Null for passages that were stored before, whose
 * links are made when they are shown.
 */
export const fragments: Migration = {
  name: 'fragments',
  sql: 'ALTER TABLE passages ADD COLUMN fragment TEXT;',
};
