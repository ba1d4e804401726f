import { firstTables } from './migrations/002-library.ts';
import { historyTables } from './migrations/003-history.ts';
import { blobTables } from './migrations/006-blobs.ts';

/** The tables that have rows of an account, in the order in which these can be deleted. */
export const libraryTables: readonly string[] = [...historyTables, ...firstTables, ...blobTables];
