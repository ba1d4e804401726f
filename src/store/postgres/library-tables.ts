import { firstTables } from './migrations/002-library.ts';
import { historyTables } from './migrations/003-history.ts';
import { blobTables } from './migrations/006-blobs.ts';
import { searchTables } from './migrations/007-search.ts';

/** The tables that have rows of an account, in the order in which these can be deleted. */
export const libraryTables: readonly string[] = [
  ...historyTables,
  ...searchTables,
  ...firstTables.filter((table) => table !== 'libraries'),
  // Deleting the others notes changes.
  'index_changes',
  'libraries',
  ...blobTables,
];
