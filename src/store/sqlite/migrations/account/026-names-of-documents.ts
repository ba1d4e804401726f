import type { Migration } from '../../files/migrate.ts';

/*
 * Every search reads all names of authors and sites, to see which of them the question has. In an index they lie side by side;
 * in the table each is on a page of its own, with the beginning of a text.
 */
export const namesOfDocuments: Migration = {
  name: 'names of documents',
  sql: `
CREATE INDEX documents_author ON documents (author) WHERE author <> '';
CREATE INDEX documents_site_name ON documents (site_name) WHERE site_name <> '';
`,
};
