import type { Migration } from '../../files/migrate.ts';

/*
 * From here on, columns that would repeat others of their row may be empty (`items/repeated-columns.ts`), which a program that
 * does not know it cannot read. Rows that are there already stay as they are: rewriting a large library would hold up the start.
 */
export const shortColumns: Migration = { name: 'short columns', sql: '' };
