import { afterAll } from 'vitest';
import { startWorkerOf } from '../../src/store/sqlite/threads/account-thread.ts';
import { SharedDataFolder } from './shared-data-folder.ts';
import { searchingAndWriting, storeContract, withoutRepeatedSearches } from './store-contract.ts';

const built = (file: string) => ({ startWorker: startWorkerOf(new URL(`../../dist/${file}`, import.meta.url)) });

const shared = new SharedDataFolder({
  searchThreads: built('app/search-worker.js'),
  writeThreads: built('store/sqlite/writing/write-worker.js'),
  largeSizes: { passages: 0, reindexed: 0, imported: 0, bytes: 0, characters: 0, bytesToMigrate: 0 },
  vectors: { few: 0 },
});
afterAll(() => shared.close());

storeContract(
  'sqlite, searched and written in threads, all vectors in memory',
  () => shared.engine(),
  withoutRepeatedSearches(searchingAndWriting),
);
