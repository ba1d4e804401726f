import type { Migration } from '../../files/migrate.ts';

/*
 * Every new address is looked up among the deleted ones. Without an index of its own, that read all items in the trash: 6 ms for
 * each address with 50,000 of them.
 */
export const deletedAddresses: Migration = {
  name: 'deleted addresses',
  sql: `
CREATE INDEX content_deleted_by_url ON content (canonical_url) WHERE deleted_passed IS NOT NULL;
`,
};
