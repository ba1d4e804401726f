import type { Migration } from '../../files/migrate.ts';

/*
 * Whether the text of a document stands in its passages (`items/document-text.ts`). Documents that are there already keep theirs
 * in their row until they are split anew.
 */
export const textsInPassages: Migration = {
  name: 'texts in passages',
  sql: `
ALTER TABLE documents ADD COLUMN text_in_passages INTEGER NOT NULL DEFAULT 0;
`,
};
