import type { Migration } from '../../files/migrate.ts';

/*
 * The text and the blocks of a document, packed (`items/packed-text.ts`). Documents that are there already keep theirs as they
 * are until they are read anew: packing a large library here would hold up the start.
 */
export const packedTexts: Migration = {
  name: 'packed texts',
  sql: `
ALTER TABLE documents ADD COLUMN packed BLOB;
`,
};
