import type { Migration } from './migration.ts';

/** An export names the addresses of an item. Those that were written before have their hash alone. */
export const transfer: Migration = {
  name: 'addresses in words',
  sql: 'ALTER TABLE addresses ADD COLUMN address text;',
};
